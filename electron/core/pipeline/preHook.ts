// Step 4: PreToolUse hooks, and in parallel the speculative classifier. What hooks say goes into the one decision.
import { type HookOutcome, noHookOutcome } from '../hooks/hooks';
import type { RunningClassifier } from '../permissions/classifier';
import type { HookOpinion } from '../permissions/decide';
import type { ValidationContext } from '../tools/tool';
import { launchClassifier } from './classify';
import { fire, listens, saidBy, tracedOutcome } from './hookEffects';
import { type CallToJudge, hookedCall, type Said } from './request';
import { type CheckedInput, type Rewritten, rewrite } from './rewrite';
import type { CallEnd, StepEnd } from './step';
import { traced } from './traced';

/** What step 4 hands on to the permission step. */
export interface Hooked {
  /** What would be called now: the model's input or a hook's, checked. */
  readonly checked: CheckedInput;
  readonly said: Said;
  /** The model's opinion under way; null where none was asked for. */
  readonly classifier: RunningClassifier | null;
  /** A hook ends the turn; the call is denied. In words for the person. */
  readonly stopText: string | null;
}

export interface PreHookOptions {
  readonly call: CallToJudge;
  readonly checked: CheckedInput;
  readonly context: ValidationContext;
  readonly signal: AbortSignal;
}

/** Fails only as the contract of hooks does: an unexpected fault of theirs lets nothing run. */
export async function preHook(options: PreHookOptions): Promise<StepEnd<Hooked>> {
  const { call, checked, signal } = options;
  const classifying = launchClassifier(call, signal);
  const outcome = await preToolUse(call, signal).catch(async (error: unknown) => {
    (await classifying)?.cancel();
    throw error;
  });
  const classifier = await classifying;
  if (outcome.ran === 0 && outcome.block === null && outcome.stop === null) {
    const value = { checked, said: {}, classifier, stopText: null };
    return classifier === null
      ? { outcome: 'skipped', note: 'no hooks', value }
      : { outcome: 'passed', note: 'no hooks; the classifier was asked', value };
  }
  return await heard(options, outcome, classifier);
}

async function preToolUse(call: CallToJudge, signal: AbortSignal): Promise<HookOutcome> {
  if (!listens(call, 'PreToolUse')) return noHookOutcome;
  return await fire(call, { name: 'PreToolUse', call: hookedCall(call) }, signal);
}

async function heard(
  { call, checked, context, signal }: PreHookOptions,
  outcome: HookOutcome,
  classifier: RunningClassifier | null,
): Promise<StepEnd<Hooked>> {
  const hooks = `${outcome.ran} hook${outcome.ran === 1 ? '' : 's'}`;
  const about = { input: traced(call.tool.observableInput(call.input, call.place)), output: tracedOutcome(outcome) };
  const refusal = refusalOf(outcome);
  if (refusal !== null) {
    classifier?.cancel();
    const { stop } = outcome;
    const stopText = stop === null ? null : `The turn was ended by ${saidBy(stop)}`;
    const said = { hook: { behavior: 'deny' as const, detail: refusal } };
    return {
      ...about,
      outcome: 'touched',
      note: `denied by ${refusal}`,
      value: { checked, said, classifier: null, stopText },
    };
  }
  const update = outcome.updatedInput;
  const rewritten: Rewritten =
    update === null ? { ok: true, changed: false, checked } : await rewrite({ call, before: checked, update, context });
  if (!rewritten.ok) {
    classifier?.cancel();
    return { ...about, outcome: 'stopped', note: rewritten.end.note, end: rewritten.end };
  }
  const opinion = opinionOf(call, outcome);
  if (opinion?.behavior === 'defer') {
    const { hook, reason } = opinion;
    const { sessionId, callId } = call.place;
    if ((await call.services.deferCall?.({ sessionId, callId, hook, reason })) === true) {
      classifier?.cancel();
      return { ...about, outcome: 'stopped', note: `deferred by ${saidBy(opinion)}`, end: deferredBy(saidBy(opinion)) };
    }
  }
  const hook = opinion === null ? undefined : inDecision(opinion);
  const said: Said = {
    ...(rewritten.changed ? { original: { input: checked.input } } : {}),
    ...(hook === undefined ? {} : { hook }),
  };
  const changes = [
    rewritten.changed && update !== null ? `the hook ${update.hook} changed the input` : '',
    hook === undefined ? '' : `${{ allow: 'allowed', ask: 'asks', deny: 'denied' }[hook.behavior]} by ${hook.detail}`,
    outcome.context.length === 0 ? '' : 'text added for the model',
  ].filter((text) => text !== '');
  return {
    ...about,
    outcome: changes.length === 0 ? 'passed' : 'touched',
    note: changes.length === 0 ? `${hooks}, no opinion` : changes.join('; '),
    value: {
      checked: rewritten.checked,
      said,
      classifier: rewritten.changed ? await again(call, rewritten.checked, classifier, signal) : classifier,
      stopText: null,
    },
  };
}

/** What was thought of the model's input says nothing about a hook's. */
async function again(
  call: CallToJudge,
  checked: CheckedInput,
  before: RunningClassifier | null,
  signal: AbortSignal,
): Promise<RunningClassifier | null> {
  before?.cancel();
  return await launchClassifier({ ...call, input: checked.input }, signal);
}

/** A block beats the end of the turn, which beats an opinion: each of them refuses the call. */
function refusalOf({ block, stop, opinion }: HookOutcome): string | null {
  if (block !== null) return saidBy(block);
  if (stop !== null) return saidBy(stop);
  return opinion?.behavior === 'deny' ? saidBy(opinion) : null;
}

/**
 * An allow for a tool that is a question to the person counts only with the input that the hook gives for it: a bare one
 * would answer nothing.
 */
function opinionOf({ tool }: CallToJudge, { opinion, updatedInput }: HookOutcome): HookOutcome['opinion'] {
  if (opinion?.behavior === 'allow' && tool.requiresUserInteraction() && updatedInput === null) return null;
  return opinion;
}

/** A deferral that nobody takes over is a question to the person. */
function inDecision(opinion: NonNullable<HookOutcome['opinion']>): HookOpinion {
  return opinion.behavior === 'defer'
    ? { behavior: 'ask', detail: `${saidBy(opinion)} (deferred, so you are asked)` }
    : { behavior: opinion.behavior, detail: saidBy(opinion) };
}

function deferredBy(who: string): CallEnd {
  const text = `Deferred by ${who}. Nothing was run; the call is decided when the run is taken up again.`;
  return {
    status: 'interrupted',
    content: [{ type: 'text', text }],
    view: { kind: 'text', text },
    note: 'deferred by a hook',
    stopTurn: true,
    deferred: true,
    stopText: `A call was deferred by ${who}, so the turn stopped here.`,
  };
}
