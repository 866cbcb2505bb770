// Step 7: PostToolUse after success, PostToolUseFailure after failure. The tool has run: hooks may add to its result or
// replace what the model gets, but whatever goes wrong here, the result itself stays.
import type { ResultBlock } from '#shared/session/events';
import { textOf } from '#shared/session/reduce';
import type { HookEvent, HookOutcome } from '../hooks/hooks';
import { errorClass } from '../results/errorClass';
import { Abandoned } from './abortable';
import { type Executed, process, rendered } from './execute';
import { fire, listens, saidBy, tracedOutcome } from './hookEffects';
import { type CallToJudge, hookedCall } from './request';
import type { CallEnd, Recorded } from './step';

/** How long hooks get to hear of a call that the person has stopped, in milliseconds. */
const interruptedHookMs = 1_500;

export interface PostHookOptions {
  readonly call: CallToJudge;
  readonly executed: Executed;
  readonly signal: AbortSignal;
}

/** The end of the call after its hooks. */
export interface PostHooked extends Recorded {
  readonly end: CallEnd;
}

/** Whether anybody wants to hear how the call ended. */
export function wantsEnd(call: CallToJudge, { end }: Executed): boolean {
  return listens(call, end.status === 'succeeded' ? 'PostToolUse' : 'PostToolUseFailure');
}

/** Never rejects. */
export async function postHook(options: PostHookOptions): Promise<PostHooked> {
  const { call, executed } = options;
  const { end } = executed;
  if (!wantsEnd(call, executed)) return { outcome: 'skipped', note: 'no hooks', end };
  // A stopped call's hooks are told all the same, for a moment: its signal would end them before they began.
  const late = end.status === 'interrupted' ? new AbortController() : null;
  const timer = late === null ? undefined : setTimeout(() => late.abort(), interruptedHookMs);
  try {
    const outcome = await fire(call, eventOf(call, executed), late === null ? options.signal : late.signal);
    return await heard(options, outcome);
  } catch (error) {
    const stopped = error instanceof Abandoned;
    if (!stopped) call.services.log.error('hooks after a call failed', error);
    const note = stopped ? 'hooks were stopped' : `hooks failed: ${errorClass(error)}`;
    return { outcome: 'passed', note: `${note}; the result stays`, end };
  } finally {
    clearTimeout(timer);
  }
}

function eventOf(call: CallToJudge, { end, given, durationMs }: Executed): HookEvent {
  const about = { call: hookedCall(call), durationMs: Math.round(durationMs) };
  if (end.status === 'succeeded') return { name: 'PostToolUse', ...about, toolResponse: given?.output ?? null };
  const isInterrupt = end.status === 'interrupted';
  return { name: 'PostToolUseFailure', ...about, error: textOf(end.content), isInterrupt };
}

async function heard(options: PostHookOptions, outcome: HookOutcome): Promise<PostHooked> {
  const { executed } = options;
  const notes: string[] = [];
  let { end } = executed;
  if (outcome.updatedOutput !== null && end.status === 'succeeded') {
    const { hook } = outcome.updatedOutput;
    const replaced = await replace(options, outcome.updatedOutput);
    if (replaced === null) notes.push(`the hook ${hook} gave an output that does not fit; the tool’s own stays`);
    else notes.push(`the hook ${hook} replaced the output`);
    end = replaced ?? end;
  }
  if (outcome.block !== null) {
    const text = `After the call ${saidBy(outcome.block)}`;
    end = { ...end, content: [...end.content, { type: 'text', text }] };
    notes.push(saidBy(outcome.block));
  }
  if (outcome.stop !== null) {
    end = { ...end, stopTurn: true, stopText: `The turn was ended by ${saidBy(outcome.stop)}` };
    notes.push(`the turn ends by ${saidBy(outcome.stop)}`);
  }
  if (outcome.context.length > 0) notes.push('text added for the model');
  const hooks = `${outcome.ran} hook${outcome.ran === 1 ? '' : 's'}`;
  return {
    outcome: outcome.ran === 0 ? 'skipped' : notes.length === 0 ? 'passed' : 'touched',
    note: notes.length === 0 ? hooks : notes.join('; '),
    output: tracedOutcome(outcome),
    end,
  };
}

/**
 * The end with another output, or null when it does not fit the tool. Without a schema nobody can tell what the tool's own
 * code makes of it, so there only text fits, and it stands as it is.
 */
async function replace(
  { call, executed, signal }: PostHookOptions,
  updated: NonNullable<HookOutcome['updatedOutput']>,
): Promise<CallEnd | null> {
  const { tool, input, place, services } = call;
  const schema = tool.outputSchema();
  const asText = (text: string): readonly ResultBlock[] => [{ type: 'text', text }];
  try {
    if (schema === null) {
      if (typeof updated.value !== 'string') return unfit(call, updated.hook);
      const shown = await process({ services, tool, place, signal }, asText(updated.value), null);
      return { ...withoutFile(executed.end), ...shown };
    }
    const parsed = schema.safeParse(updated.value);
    if (!parsed.success) return unfit(call, updated.hook);
    const shown = await process({ services, tool, place, signal }, tool.mapResult(parsed.data, input), null);
    return { ...withoutFile(executed.end), ...shown, ...rendered(call, parsed.data) };
  } catch (error) {
    services.log.error('an output given by a hook could not be put into words', error);
    return unfit(call, updated.hook);
  }
}

/** The file of the tool's own output is not the file of what replaces it. */
function withoutFile({ persisted: _, ...end }: CallEnd): CallEnd {
  return end;
}

function unfit({ services, tool, place }: CallToJudge, hook: string): null {
  services.sessions.append(place.sessionId, {
    type: 'notice',
    level: 'warning',
    text: `The hook ${hook} gave an output that ${tool.name} cannot have, so the tool’s own result was kept.`,
    next: 'Let the hook give an output of the same shape as it was told, or text.',
  });
  return null;
}
