// Keeps a conversation within what the model can read: its older part becomes a summary. The log stays whole.
import type { HookOutcome } from '../hooks/hooks';
import type { ModelRequest } from '../model/client';
import { ModelFailure } from '../model/client';
import prompt from './compaction.prompt.md';
import { type Cut, chooseCut, lastRequest, transcript } from './cut';
import { charsPerToken, type Entry } from './entry';
import { askModel } from './modelStep';
import { addContext, fire } from './sessionHooks';
import { notice, type TurnContext } from './turnContext';

/** Part of the model's window that may be filled before the older part is summed up. */
const fullAt = 0.8;
/** Part of the window that stays word for word. */
const kept = 0.1;
/** What an automatic compaction must at least gain to be worth a request, as part of the window. */
const worthwhile = 0.2;
/** Part of the window that the transcript for the summary may fill. */
const transcriptPart = 0.5;
/** Output tokens of a summary. */
const summaryTokens = 8_000;
/** Below this nothing is full in any model worth using, so its window need not be known. */
const neverFull = 12_000;
/** Longest part of an older summary that survives where no new one can be made, in characters. */
const longestOldSummary = 20_000;

export type CompactionTrigger = 'auto' | 'manual';

/**
 * `compacted`, or why not: a hook refused, there was nothing to sum up, or the model gave no summary. `ended`: a hook ends the
 * turn, compacted or not.
 */
export type CompactionOutcome = 'compacted' | 'refused' | 'nothing' | 'failed' | 'ended';

/** Whether the next request would fill the model's window beyond the threshold. */
export async function isFull(context: TurnContext, tools: ModelRequest['tools']): Promise<boolean> {
  const { tokens, whole } = context.services.sessions.conversation(context.sessionId).tokens();
  const besides = whole ? 0 : (context.system.length + JSON.stringify(tools).length) / charsPerToken;
  if (tokens + besides < neverFull) return false;
  return tokens + besides > fullAt * (await context.contextTokens());
}

/**
 * Sums up the older part. `urgent`: the API refused its length, so its window may be smaller than it is thought to be.
 * Failures are notices; only a fault of Gatehouse throws.
 */
export async function compact(
  context: TurnContext,
  how: { readonly trigger: CompactionTrigger; readonly urgent?: boolean },
): Promise<CompactionOutcome> {
  const { services, sessionId, signal } = context;
  const { trigger, urgent = false } = how;
  const window = await context.contextTokens();
  const conversation = services.sessions.conversation(sessionId);
  const shown = conversation.shown();
  const room = urgent ? Math.min(window, conversation.tokens().tokens) : window;
  const cut = chooseCut(shown.entries, trigger === 'manual' ? 0 : kept * room);
  const gains = trigger === 'manual' || urgent || (cut?.droppedTokens ?? 0) >= worthwhile * window;
  if (cut === null || !gains) return 'nothing';

  const asked = await fire(context, { name: 'PreCompact', trigger });
  if (isEnded(context, asked)) return 'ended';
  if (asked.block !== null) {
    const next = trigger === 'auto' ? 'The turn goes on with the whole conversation.' : '';
    notice(context, 'warning', `${asked.block.hook} refused to compact the conversation: ${asked.block.reason}`, next);
    return 'refused';
  }
  if (signal.aborted) return 'failed';

  const dropped = { summary: shown.summary, entries: cut.dropped };
  const summary = await summarise(context, dropped, transcriptPart * room * charsPerToken);
  if (summary === null) return 'failed';
  record(context, { cut, trigger, summary: withRequest(summary, cut.dropped) });

  const told = await fire(context, { name: 'PostCompact', trigger });
  const restarted = await fire(context, { name: 'SessionStart', source: 'compact' });
  addContext(context, 'SessionStart', restarted.context);
  return isEnded(context, told) || isEnded(context, restarted) ? 'ended' : 'compacted';
}

/** Tells people when a hook ends the turn. */
function isEnded(context: TurnContext, { stop }: HookOutcome): boolean {
  if (stop !== null) notice(context, 'info', `${stop.hook} ended the turn: ${stop.reason}`);
  return stop !== null;
}

/**
 * Where the API says that the conversation is too long: leaves the oldest part out, without asking anybody. False when
 * there is nothing to leave out.
 */
export async function dropOldest(context: TurnContext): Promise<boolean> {
  const { summary, entries } = context.services.sessions.conversation(context.sessionId).shown();
  const window = await context.contextTokens();
  // Half of what is shown, so that it helps even where the window is smaller than it was thought to be.
  const shownTokens = chooseCut(entries, 0)?.droppedTokens ?? 0;
  const cut = chooseCut(entries, Math.min(shownTokens / 2, window / 2));
  if (cut === null) return false;
  const older = summary === null ? '' : `${summary.slice(0, longestOldSummary)}\n\n`;
  const note = `${older}The messages after that, up to those below, are left out because the conversation had become too long. Look things up again where something is missing.`;
  record(context, { cut, trigger: 'auto', summary: withRequest(note, cut.dropped) });
  notice(
    context,
    'warning',
    `The conversation had become too long for the model, so its oldest part (${cut.dropped.length} messages) is no longer shown to it.`,
    'The session still holds everything. Repeat what the model must know.',
  );
  return true;
}

function record(
  { services, sessionId }: TurnContext,
  made: { readonly cut: Cut; readonly trigger: CompactionTrigger; readonly summary: string },
): void {
  const { cut, trigger, summary } = made;
  const tokensBefore = services.sessions.conversation(sessionId).tokens().tokens;
  const { throughSeq } = cut;
  services.sessions.append(sessionId, { type: 'conversation.compacted', throughSeq, summary, trigger, tokensBefore });
}

/** A request that is being worked on must not survive as a paraphrase only. */
function withRequest(summary: string, dropped: readonly Entry[]): string {
  const request = lastRequest(dropped);
  return request === null
    ? summary
    : `${summary}\n\nThe person's last request in that part, word for word:\n${request}`;
}

/** The model's summary, or null after telling people why there is none. */
async function summarise(
  context: TurnContext,
  dropped: { readonly summary: string | null; readonly entries: readonly Entry[] },
  maxChars: number,
): Promise<string | null> {
  const { services, sessionId, client, model, signal } = context;
  const text = transcript(dropped, maxChars);
  // A script understands no transcript, so it is told what there was in the person's own words.
  if (client.scripted) return digest(dropped.entries);
  let summary = '';
  try {
    await askModel(context, {
      request: {
        model,
        system: prompt.trim(),
        tools: [],
        messages: [{ role: 'user', content: [{ type: 'text', text: `<transcript>\n${text}\n</transcript>` }] }],
        maxTokens: summaryTokens,
        signal,
      },
      onEvent: (event) => {
        if (event.type === 'block' && event.block.type === 'text') summary += event.block.text;
        // Belongs to no message of the conversation, but costs like one.
        if (event.type === 'finished') {
          const { usage, stopReason } = event;
          services.sessions.append(sessionId, { type: 'assistant.finished', messageId: 'summary', stopReason, usage });
        }
      },
    });
  } catch (error) {
    if (!(error instanceof ModelFailure)) throw error;
    if (signal.aborted) return null;
    notice(context, 'warning', `The conversation could not be compacted. ${error.message}`, error.next);
    return null;
  }
  if (summary.trim() !== '') return summary.trim();
  notice(context, 'warning', 'The conversation could not be compacted: the model gave no summary.', 'Try again.');
  return null;
}

function digest(entries: readonly Entry[]): string {
  const said = entries.flatMap((entry) => (entry.kind === 'person' ? [`- ${entry.text.slice(0, 500)}`] : []));
  return ['The person asked, in this order:', ...said].join('\n');
}
