// One turn: model → calls → results → model, until the model asks for nothing more.

import { compact, dropOldest, isFull } from './compaction';
import { takeUpDeferred } from './deferred';
import { type MessageEnd, runMessage } from './message';
import { modeNote, modeSource } from './modeNote';
import { addContext, endedBy, fire } from './sessionHooks';
import { notice, type TurnContext } from './turnContext';

/** Messages of one turn after which people are asked whether to go on; keeps a runaway loop finite. */
const maxMessages = 200;
/** Times in a row that a server's own loop may pause before people are asked. */
const maxPauses = 10;
/** Output tokens for a message that reached the usual limit in the middle of a call. */
const largerMaxTokens = 32_000;

export interface TurnOptions extends TurnContext {
  /** Times in a row that Stop hooks may make the model go on. */
  readonly stopBlockCap: number;
  /** Messages of the model after which the turn pauses; left out: the usual number. */
  readonly maxMessages?: number;
}

/** deferred: a hook put a call off; it is taken up again with the session's next turn. */
export type TurnOutcome = 'done' | 'stopped' | 'failed' | 'deferred';

/** What may be done only so often in one turn. */
interface Spent {
  larger: boolean;
  /** Output tokens that messages ask for; null: the usual limit. */
  maxTokens: number | null;
  shortened: boolean;
  compacted: boolean;
  nudged: boolean;
  pauses: number;
  stopBlocks: number;
}

/** Runs one turn. Whatever happens, every call that was announced has ended when this resolves. */
export async function runTurn(options: TurnOptions): Promise<TurnOutcome> {
  const spent: Spent = {
    larger: false,
    maxTokens: null,
    shortened: false,
    compacted: false,
    nudged: false,
    pauses: 0,
    stopBlocks: 0,
  };
  let afterResults = false;
  const takenUp = await takeUpDeferred(options);
  if (takenUp !== null) {
    const end = await afterMessage(options, { message: takenUp, spent, afterResults });
    if (end !== null) return end;
    afterResults = true;
  }
  const most = Math.min(options.maxMessages ?? maxMessages, maxMessages);
  for (let count = 0; count < most; count += 1) {
    const { services, sessionId } = options;
    tellMode(options);
    // Read anew for each message: a search, a rule or a server may have changed it.
    const loading = services.registry(sessionId).loading(services.sessions.conversation(sessionId).found());
    if (!spent.compacted && (await isFull(options, loading.definitions({ by: 'client' })))) {
      // What could not be compacted once will not be a message later; the API's own limit is still there.
      const outcome = await compact(options, { trigger: 'auto' });
      spent.compacted = outcome !== 'compacted';
      if (options.signal.aborted || outcome === 'ended') return 'stopped';
    }
    const message = await runMessage(options, {
      loading,
      ...(spent.maxTokens === null ? {} : { maxTokens: spent.maxTokens }),
      askAgainFor: askAgainFor(spent),
    });
    const end = await afterMessage(options, { message, spent, afterResults });
    if (end !== null) return end;
    afterResults = message.calls.length > 0;
  }
  const next = 'Send a message to let it go on.';
  notice(options, 'warning', `The turn was paused after ${most} messages of the model.`, next);
  return 'stopped';
}

function tellMode({ services, sessionId }: TurnOptions): void {
  const { sessions, agent } = services;
  const { entries } = sessions.conversation(sessionId).shown();
  const note = modeNote({ entries, mode: sessions.state(sessionId).mode, isAgent: agent !== undefined });
  if (note !== null) sessions.append(sessionId, { type: 'context.added', from: modeSource, text: note });
}

function askAgainFor(spent: Spent): ReadonlySet<string> {
  const reasons = new Set<string>();
  if (!spent.larger) reasons.add('max_tokens');
  if (!spent.shortened) reasons.add('model_context_window_exceeded');
  return reasons;
}

interface After {
  readonly message: MessageEnd;
  readonly spent: Spent;
  /** The message before asked for calls, so that this one answers to their results. */
  readonly afterResults: boolean;
}

/** How the turn ends, or null when it goes on with another message. */
async function afterMessage(options: TurnOptions, after: After): Promise<TurnOutcome | null> {
  const { message, spent } = after;
  const { signal } = options;
  if (message.failure !== null) return await afterFailure(options, after);
  if (signal.aborted) return 'stopped';
  if (message.stop?.deferred === true) {
    notice(
      options,
      'info',
      message.stop.text ?? '',
      `Take it up again with gatehouse run --resume ${options.sessionId}.`,
    );
    return 'deferred';
  }
  const batch = message.calls.length > 0 ? await afterBatch(options, message) : null;
  if (signal.aborted) return 'stopped';
  if (message.stop !== null) {
    const text = message.stop.text ?? 'You denied a call, so the turn stopped here.';
    notice(options, 'info', text, 'Write what to do instead.');
    return 'stopped';
  }
  if (batch !== null) {
    notice(options, 'warning', `${batch.hook} ended the turn: ${batch.reason}`, 'Send a message to go on.');
    return 'stopped';
  }
  if (message.askAgain) return await beforeAskingAgain(options, after);
  if (message.stopReason === 'refusal') {
    notice(options, 'warning', 'The model declined to answer this.', 'Rephrase the request or start a new session.');
    return 'failed';
  }
  if (message.calls.length > 0) {
    spent.pauses = 0;
    return null;
  }
  if (message.stopReason === 'pause_turn') {
    spent.pauses += 1;
    if (spent.pauses <= maxPauses) return null;
    const times = `${maxPauses} times in a row`;
    notice(options, 'warning', `The server paused its own work ${times}.`, 'Send a message to let it go on.');
    return 'stopped';
  }
  if (message.text === '' && message.stopReason === 'end_turn' && after.afterResults && !spent.nudged) {
    spent.nudged = true;
    addNote(options, 'Your answer to these results was empty. Go on with the task, or say in words that it is done.');
    return null;
  }
  explainStop(options, message.stopReason);
  return await mayStop(options, after);
}

/** The message was thrown away because the same request can bring a better one. */
async function beforeAskingAgain(options: TurnOptions, { message, spent }: After): Promise<TurnOutcome | null> {
  if (message.stopReason === 'max_tokens') {
    spent.larger = true;
    spent.maxTokens = largerMaxTokens;
    return null;
  }
  spent.shortened = true;
  const room = await makeRoom(options);
  if (room !== 'none') return room === 'made' ? null : 'stopped';
  explainStop(options, message.stopReason);
  return 'done';
}

async function afterFailure(options: TurnOptions, { message, spent }: After): Promise<TurnOutcome | null> {
  const { failure } = message;
  if (failure === null) return null;
  if (options.signal.aborted) return 'stopped';
  const refused = failure.kind === 'invalid_request' || failure.kind === 'context_exceeded';
  if (refused && spent.maxTokens !== null) {
    // A model may write less than what was asked for; the call is then cut off as before, and told so.
    spent.maxTokens = null;
    return null;
  }
  if (failure.kind === 'context_exceeded' && !spent.shortened) {
    spent.shortened = true;
    const room = await makeRoom(options);
    if (room !== 'none') return room === 'made' ? null : 'stopped';
  }
  notice(options, 'error', failure.message, failure.next);
  await fire(options, { name: 'StopFailure', error: stopError(failure.kind), errorDetails: failure.message });
  return 'failed';
}

/** After the API refused the conversation's length. */
async function makeRoom(options: TurnOptions): Promise<'made' | 'none' | 'ended'> {
  const outcome = await compact(options, { trigger: 'auto', urgent: true });
  if (outcome === 'ended' || options.signal.aborted) return 'ended';
  return outcome === 'compacted' || (await dropOldest(options)) ? 'made' : 'none';
}

/** The documented words; a conversation that is too long is an invalid request to them. */
function stopError(kind: string): string {
  return kind === 'context_exceeded' ? 'invalid_request' : kind;
}

async function afterBatch(options: TurnOptions, message: MessageEnd) {
  const { sessions } = options.services;
  const state = sessions.state(options.sessionId);
  const calls = message.calls.map(({ callId, toolUseId, name, input }) => {
    const call = state.calls[callId];
    const result = call !== undefined && 'modelText' in call ? call.modelText : '';
    return { toolName: name, toolInput: input, toolUseId, result, isError: call?.status !== 'succeeded' };
  });
  const outcome = await fire(options, { name: 'PostToolBatch', calls });
  addContext(options, 'PostToolBatch', outcome.context);
  await addMemory(options, message);
  return endedBy(outcome);
}

/** What memory says of the files that these calls have worked on. */
async function addMemory(options: TurnOptions, message: MessageEnd): Promise<void> {
  const { services, sessionId, memoryNear } = options;
  if (memoryNear === undefined) return;
  const { calls } = services.sessions.state(sessionId);
  const paths = message.calls.flatMap(({ callId }) => {
    const call = calls[callId];
    return call?.status === 'succeeded' && call.presentation.path !== undefined ? [call.presentation.path] : [];
  });
  for (const { file, text } of await memoryNear(paths))
    services.sessions.append(sessionId, { type: 'context.added', from: `memory file ${file}`, text });
}

/** Lets Stop hooks send the model on: a block's reason and added context become a text of the next user message. */
async function mayStop(options: TurnOptions, { message, spent }: After): Promise<TurnOutcome | null> {
  const outcome = await fire(options, {
    name: 'Stop',
    stopHookActive: spent.stopBlocks > 0,
    lastAssistantMessage: message.text,
  });
  if (options.signal.aborted) return 'stopped';
  if (outcome.stop !== null) {
    notice(options, 'info', `${outcome.stop.hook} ended the turn: ${outcome.stop.reason}`);
    return 'done';
  }
  if (outcome.block === null && outcome.context.length === 0) return 'done';
  if (spent.stopBlocks >= options.stopBlockCap) {
    const times = `${options.stopBlockCap} times in a row`;
    notice(options, 'warning', `Stop hooks made the model go on ${times}, so the turn ended here.`, 'See Hooks.');
    return 'done';
  }
  spent.stopBlocks += 1;
  addContext(options, 'Stop', [...(outcome.block === null ? [] : [outcome.block.reason]), ...outcome.context]);
  return null;
}

/** A text for the model that comes from the runtime itself. */
function addNote({ services, sessionId }: TurnContext, text: string): void {
  services.sessions.append(sessionId, { type: 'context.added', from: 'Gatehouse', text });
}

function explainStop(options: TurnContext, stopReason: string): void {
  if (stopReason === 'max_tokens') {
    notice(
      options,
      'warning',
      'The answer reached the longest length the model may write.',
      'Send "continue" for the rest.',
    );
  } else if (stopReason === 'model_context_window_exceeded') {
    notice(
      options,
      'warning',
      'The conversation has outgrown what the model can read.',
      'Compact the conversation or start a new session.',
    );
  }
}
