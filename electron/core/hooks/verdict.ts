// What one run of a handler comes to: exit code and output in, effects out. The table of exit codes is here.
import { ruleSources } from '#shared/permissions/sources';
import type { HookRun } from '#shared/session/hookRun';
import { type EventRules, eventRules } from './eventRules';
import { blocksOnFailure, type Handler, labelOf } from './handler';
import type { HookEvent, HookOpinion, HookOutcome } from './hooks';
import { type Reply, readPrinted, silent } from './reply';

/** How a handler ended. `exitCode` null: ended by a signal. `cut`: it printed more than was kept. */
export type Ended =
  | {
      readonly kind: 'exited';
      readonly exitCode: number | null;
      readonly signal: string | null;
      readonly stdout: string;
      readonly stderr: string;
      readonly cut: boolean;
    }
  /** A model's judgement. `impossible`: what it asks for cannot be reached by going on. */
  | { readonly kind: 'judged'; readonly ok: boolean; readonly reason: string; readonly impossible: boolean }
  /** It could not start, or its server, model or tool gave no usable answer. */
  | { readonly kind: 'failed'; readonly problem: string }
  | { readonly kind: 'timeout'; readonly seconds: number }
  | { readonly kind: 'cancelled' };

/** What one handler wants, in the words of the outcome that all of them come to. */
export interface Vote extends Pick<HookOutcome, 'permissionUpdates' | 'interrupt' | 'context' | 'messages' | 'retry'> {
  readonly block: string | null;
  readonly stop: string | null;
  readonly opinion: Pick<HookOpinion, 'behavior' | 'reason'> | null;
  readonly updatedInput: { readonly value: unknown } | null;
  readonly updatedOutput: { readonly value: unknown } | null;
}

export interface Verdict {
  readonly outcome: HookRun['outcome'];
  /** For the trace: what it changed, in words. */
  readonly effect: string;
  readonly vote: Vote;
}

/** No opinion. */
export const noVote: Vote = {
  block: null,
  stop: null,
  opinion: null,
  updatedInput: null,
  permissionUpdates: [],
  interrupt: false,
  context: [],
  messages: [],
  updatedOutput: null,
  retry: false,
};

/** A handler for people: what runs and whose settings say so. */
export function nameOf(handler: Handler): string {
  return `“${labelOf(handler.action)}” (${ruleSources[handler.source].label} settings)`;
}

function firstLine(text: string): string {
  return text.trim().split('\n', 1)[0]?.trim().slice(0, 300) ?? '';
}

const withoutReason = 'The hook gave no reason.';

/** Judges the run of a handler for the event that it ran for. Pure. */
export function judge(options: {
  readonly event: HookEvent;
  readonly handler: Handler;
  readonly ended: Ended;
}): Verdict {
  const { event, handler, ended } = options;
  const rules = rulesFor(event);
  const name = nameOf(handler);
  switch (ended.kind) {
    case 'cancelled':
      return { outcome: 'cancelled', effect: 'stopped before it had ended', vote: noVote };
    case 'timeout':
      return failure({
        ...options,
        rules,
        problem: `it took longer than ${ended.seconds} s and was ended`,
        late: true,
      });
    case 'failed':
      return failure({ ...options, rules, problem: ended.problem, late: false });
    case 'judged':
      return judged(options.event, handler, ended);
    case 'exited':
      break;
  }
  const { exitCode, stderr } = ended;
  const printed = readPrinted(event.name, ended.stdout, { cut: ended.cut });
  const failed = (problem: string): Verdict => failure({ ...options, rules, problem, late: false });

  if (exitCode === 2 && rules.exitTwo !== 'ignore') {
    const reply = printed.kind === 'json' ? printed.reply : silent;
    const said = reply.block ?? (reply.opinion?.behavior === 'deny' ? reply.opinion.reason : '');
    const reason = said || stderr.trim() || withoutReason;
    const messages = reply.systemMessage === '' ? [] : [`${name}: ${reply.systemMessage}`];
    return {
      outcome: 'blocked',
      effect: effectOfBlock(rules.exitTwo, reason),
      vote: blocking({ event, rules, name, reason, messages }),
    };
  }
  if (printed.kind === 'broken') return failed(printed.problem);
  const failing = exitCode !== 0 && exitCode !== 2;
  if (printed.kind === 'json') {
    if (failing && blocksOnFailure(handler.action)) return failed(describeExit(ended));
    // An exit code that says no, or an end by a signal, beside JSON that says yes is no yes.
    const isNo = exitCode === 2 || exitCode === null;
    const contradicts = isNo && printed.reply.opinion?.behavior === 'allow';
    return fromReply(contradicts ? { ...silent, systemMessage: printed.reply.systemMessage } : printed.reply, name);
  }
  if (failing) return failed(describeExit(ended));
  if (!rules.plainIsContext || printed.text === '' || exitCode === 2)
    return { outcome: 'success', effect: 'no opinion', vote: noVote };
  return { outcome: 'success', effect: 'added context', vote: { ...noVote, context: [printed.text] } };
}

/** A change of the policy cannot be held up. */
function rulesFor(event: HookEvent): EventRules {
  const rules = eventRules[event.name];
  const isPolicy = event.name === 'ConfigChange' && event.source === 'policy_settings';
  return isPolicy ? { ...rules, exitTwo: 'ignore', decisionBlocks: false } : rules;
}

function describeExit({ exitCode, signal, stderr }: Extract<Ended, { kind: 'exited' }>): string {
  const how = exitCode === null ? `it was ended by ${signal ?? 'a signal'}` : `exit code ${exitCode}`;
  const said = firstLine(stderr);
  const hint = exitCode === 127 ? ' (the program was not found)' : exitCode === 126 ? ' (it may not be executed)' : '';
  return `${how}${hint}${said === '' ? '' : `: ${said}`}`;
}

function effectOfBlock(exitTwo: EventRules['exitTwo'], reason: string): string {
  const what = { block: 'blocked', context: 'told the model', message: 'told you', ignore: 'no effect' }[exitTwo];
  return `${what}: ${reason}`;
}

function blocking(options: {
  readonly event: HookEvent;
  readonly rules: EventRules;
  readonly name: string;
  readonly reason: string;
  readonly messages: readonly string[];
}): Vote {
  const { event, rules, name, reason, messages } = options;
  switch (rules.exitTwo) {
    case 'block': {
      const opinion = event.name === 'PreToolUse' ? { behavior: 'deny' as const, reason } : null;
      return { ...noVote, block: reason, opinion, messages };
    }
    case 'context':
      return { ...noVote, context: [reason], messages };
    case 'message':
      return { ...noVote, messages: [...messages, `${name}: ${reason}`] };
    case 'ignore':
      return { ...noVote, messages };
  }
}

function failure(options: {
  readonly event: HookEvent;
  readonly handler: Handler;
  readonly rules: EventRules;
  readonly problem: string;
  readonly late: boolean;
}): Verdict {
  const { event, handler, rules, problem, late } = options;
  const name = nameOf(handler);
  const isRequest = event.name === 'PermissionRequest';
  if (blocksOnFailure(handler.action) && rules.failureBlocks && (isRequest || rules.exitTwo !== 'ignore')) {
    const reason = `The hook ${name} failed, and its failing blocks: ${problem}.`;
    const vote: Vote = isRequest
      ? { ...noVote, opinion: { behavior: 'deny', reason } }
      : blocking({ event, rules, name, reason, messages: [] });
    return {
      outcome: late ? 'timeout' : 'blocked',
      effect: effectOfBlock(isRequest ? 'block' : rules.exitTwo, reason),
      vote,
    };
  }
  const text = `The hook ${name} failed on ${event.name}: ${problem}. It had no effect.`;
  return { outcome: late ? 'timeout' : 'error', effect: `failed: ${problem}`, vote: { ...noVote, messages: [text] } };
}

function fromReply(reply: Reply, name: string): Verdict {
  const { stop, block, opinion, updatedInput, additionalContext, updatedOutput, permissionUpdates } = reply;
  const denies = opinion?.behavior === 'deny';
  const needsReason = opinion !== null && opinion.behavior !== 'allow' && opinion.reason === '';
  const vote: Vote = {
    block: block === null ? null : block || withoutReason,
    stop: stop === null ? null : stop || withoutReason,
    opinion: needsReason ? { ...opinion, reason: withoutReason } : opinion,
    updatedInput: denies ? null : updatedInput,
    permissionUpdates: [...permissionUpdates],
    interrupt: reply.interrupt,
    context: additionalContext === '' ? [] : [additionalContext],
    messages: reply.systemMessage === '' ? [] : [`${name}: ${reply.systemMessage}`],
    updatedOutput,
    retry: reply.retry,
  };
  const verb = { allow: 'allowed', ask: 'asks', deny: 'denied', defer: 'deferred' };
  const effects = [
    stop === null ? '' : `stopped the turn: ${vote.stop}`,
    block === null ? '' : `blocked: ${vote.block}`,
    opinion === null ? '' : `${verb[opinion.behavior]}${opinion.reason === '' ? '' : `: ${opinion.reason}`}`,
    vote.updatedInput === null ? '' : 'changed the input',
    permissionUpdates.length === 0 ? '' : 'changed permissions',
    updatedOutput === null ? '' : 'changed the result',
    additionalContext === '' ? '' : 'added context',
    reply.retry ? 'lets the model try again' : '',
  ].filter((effect) => effect !== '');
  const blocked = stop !== null || block !== null || denies;
  return { outcome: blocked ? 'blocked' : 'success', effect: effects.join('; ') || 'no opinion', vote };
}

function judged(event: HookEvent, handler: Handler, ended: Extract<Ended, { kind: 'judged' }>): Verdict {
  if (ended.ok) return { outcome: 'success', effect: 'found nothing against it', vote: noVote };
  const reason = ended.reason || withoutReason;
  const blocked = (vote: Partial<Vote>, effect: string): Verdict => ({
    outcome: 'blocked',
    effect: `${effect}: ${reason}`,
    vote: { ...noVote, ...vote },
  });
  switch (event.name) {
    case 'PreToolUse':
      return blocked({ block: reason, opinion: { behavior: 'deny', reason } }, 'denied');
    case 'PermissionRequest':
      return blocked({ opinion: { behavior: 'deny', reason } }, 'denied');
    case 'PostToolUse':
    case 'PostToolUseFailure':
    case 'PostToolBatch': {
      const goesOn = handler.action.type === 'prompt' && handler.action.continueOnBlock === true;
      return goesOn ? blocked({ block: reason }, 'blocked') : blocked({ stop: reason }, 'stopped the turn');
    }
    default:
      if (!ended.impossible) return blocked({ block: reason }, 'blocked');
      return {
        outcome: 'success',
        effect: `cannot be reached: ${reason}`,
        vote: { ...noVote, messages: [`${nameOf(handler)}: ${reason}`] },
      };
  }
}
