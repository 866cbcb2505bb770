// The hooks of step 5: PermissionRequest answers in place of a person, PermissionDenied hears of a refusal.
import type { HookOutcome, PermissionUpdate } from '../hooks/hooks';
import type { HookAnswer } from '../permissions/decide';
import { Abandoned } from './abortable';
import { fire, listens, saidBy, tracedOutcome } from './hookEffects';
import { type CallToJudge, hookedCall } from './request';
import type { Recorded } from './step';

/** How long an ask waits for hooks before it is shown, in milliseconds. */
export const permissionHookMs = 60_000;

/** What hooks answered. */
export interface PermissionAnswer {
  /** Null: no answer. */
  readonly answer: HookAnswer | null;
  readonly updatedInput: HookOutcome['updatedInput'];
  /** The turn ends, with the words for the person. */
  readonly stopText: string | null;
  readonly output: Recorded['output'];
  readonly tookMs: number;
}

const noAnswer: PermissionAnswer = { answer: null, updatedInput: null, stopText: null, output: undefined, tookMs: 0 };

/**
 * Asks PermissionRequest hooks and makes the changes that come with an allow. Where a person could be shown the ask, hooks
 * get a bounded time; what comes later is dropped.
 */
export async function askHooks(options: {
  readonly call: CallToJudge;
  readonly suggestions: readonly string[];
  readonly canAsk: boolean;
  readonly signal: AbortSignal;
}): Promise<PermissionAnswer> {
  const { call, suggestions, canAsk, signal } = options;
  if (!listens(call, 'PermissionRequest')) return noAnswer;
  const startedAt = call.services.now();
  const late = new AbortController();
  const timer = canAsk ? setTimeout(() => late.abort(), permissionHookMs) : undefined;
  const event = { name: 'PermissionRequest' as const, call: hookedCall(call), suggestions };
  let outcome: HookOutcome;
  try {
    outcome = await fire(call, event, AbortSignal.any([signal, late.signal]));
  } catch (error) {
    if (!(error instanceof Abandoned) || signal.aborted) throw error;
    return { ...noAnswer, tookMs: call.services.now() - startedAt, output: { ran: 'too long; you are asked' } };
  } finally {
    clearTimeout(timer);
  }
  const answer = answerOf(outcome);
  if (answer?.behavior === 'allow' && !signal.aborted)
    await applyUpdates(call, outcome.permissionUpdates, answer.detail);
  return {
    answer,
    updatedInput: answer?.behavior === 'allow' ? outcome.updatedInput : null,
    stopText: endOfTurn(outcome),
    output: tracedOutcome(outcome),
    tookMs: call.services.now() - startedAt,
  };
}

function answerOf({ block, stop, opinion }: HookOutcome): HookAnswer | null {
  const refusal = block ?? stop ?? (opinion?.behavior === 'deny' ? opinion : null);
  if (refusal !== null) return { behavior: 'deny', detail: saidBy(refusal) };
  return opinion?.behavior === 'allow' ? { behavior: 'allow', detail: saidBy(opinion) } : null;
}

function endOfTurn({ stop, interrupt, opinion }: HookOutcome): string | null {
  if (stop !== null) return `The turn was ended by ${saidBy(stop)}`;
  if (!interrupt || opinion?.behavior !== 'deny') return null;
  return `The turn was ended by ${saidBy(opinion)}`;
}

/** Rules and folders through the engine, the mode through its lock. What cannot be changed is told to the person. */
async function applyUpdates(call: CallToJudge, updates: readonly PermissionUpdate[], by: string): Promise<void> {
  const { services, place } = call;
  const { sessionId, callId } = place;
  const refused = (what: string, problem: string): void => {
    services.sessions.append(sessionId, {
      type: 'notice',
      level: 'warning',
      text: `A change asked for by ${by} was not made (${what}). ${problem}`,
      next: 'Mend the hook, or make the change yourself.',
    });
  };
  for (const update of updates) {
    if (update.type === 'setMode') {
      const { available, reason } = services.engine.modeAvailable(update.mode, sessionId);
      if (!available) refused(`mode ${update.mode}`, reason);
      else if (services.sessions.state(sessionId).mode !== update.mode)
        services.sessions.append(sessionId, { type: 'mode.changed', mode: update.mode });
      continue;
    }
    for (const { what, problem, added } of await services.engine.applyUpdates(sessionId, [update])) {
      if (problem !== null) refused(what, problem);
      if (added === null) continue;
      const { rules, source, file } = added;
      services.sessions.append(sessionId, {
        type: 'rule.saved',
        callId,
        rules: [...rules],
        source,
        ...(file === null ? {} : { file }),
      });
    }
  }
}

/** Tells PermissionDenied hooks of a refusal by the classifier. True when one says that the model may try again. */
export async function hearDenial(call: CallToJudge, reason: string, signal: AbortSignal): Promise<boolean> {
  if (!listens(call, 'PermissionDenied')) return false;
  const outcome = await fire(call, { name: 'PermissionDenied', call: hookedCall(call), reason }, signal);
  return outcome.retry;
}
