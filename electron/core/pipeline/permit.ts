// Step 5: only an `allow` passes, and it leaves as a grant.
import { type Decision, describeReason } from '#shared/permissions/decision';
import type { PermissionAsk } from '#shared/session/ask';
import type { View } from '#shared/tools/presentation';
import { assertNever } from '#shared/util/assertNever';
import type { PermissionOutcome } from '../permissions/asks';
import { classifierWaitMs, type RunningClassifier } from '../permissions/classifier';
import type { Evaluation, PermissionRequest, PermissionSituation } from '../permissions/engine';
import { explainForModel } from '../permissions/explainText';
import { type Grant, mintGrant } from '../permissions/grant';
import type { OwnPermission } from '../tools/tool';
import { permissionAsk } from './askView';
import { type CallToJudge, requestOf, situationOf } from './request';
import { denied, interrupted, type StepEnd } from './step';

export interface PermitOptions extends CallToJudge {
  readonly rawInput: PermissionAsk['input'];
  /** What validation found: a wish to ask, a better picture. */
  readonly validated: { readonly ask: string | null; readonly view: View | undefined };
  /** Launched in step 4. */
  readonly classifier: RunningClassifier | null;
  readonly signal: AbortSignal;
}

/** Decides, asking the person where rules and mode leave it open. */
export async function permit(options: PermitOptions): Promise<StepEnd<Grant>> {
  const { services, tool, input, place } = options;
  const { sessionId, callId } = place;
  const mode = () => services.sessions.state(sessionId).mode;
  const request = requestOf(options, ownOpinion(options, mode()));
  // A tool that is a question itself may come again and again: the person sees each of them.
  const repeats = tool.requiresUserInteraction()
    ? 1
    : services.engine.countCall(sessionId, { toolName: tool.name, input: options.rawInput });
  const situation = (): PermissionSituation => situationOf(options, repeats);

  const { evaluation: first, classifier } = await withClassifier(options, () =>
    services.engine.evaluate(request, situation()),
  );
  if (first.decision.behavior !== 'ask') return settle(options, { evaluation: first, request, waitedMs: 0 });

  const ask = permissionAsk({
    tool,
    input,
    rawInput: options.rawInput,
    place,
    mode: mode(),
    view: options.validated.view,
    evaluation: first,
    classifier,
    sandbox: services.sandboxState(sessionId),
  });
  const askedAt = services.now();
  const outcome = await services.asks.permission({
    sessionId,
    callId,
    ask,
    request,
    situation,
    signal: options.signal,
  });
  const waitedMs = services.now() - askedAt;
  if (outcome.kind === 'aborted') {
    return { outcome: 'stopped', note: 'stopped while waiting for you', end: interrupted(false), waitedMs };
  }
  if (outcome.kind === 'settled') return settle(options, { evaluation: outcome.evaluation, request, waitedMs });
  // Rules, links and mode may have changed while the person was thinking: a deny still counts.
  const last = await services.engine.evaluate(request, situation());
  if (outcome.kind === 'denied') recordDenial(options, last.pattern);
  else services.engine.recordAllow(sessionId);
  if (last.decision.behavior === 'deny') return settle(options, { evaluation: last, request, waitedMs });
  const evaluation = { ...last, decision: answeredDecision(last.decision, outcome) };
  return settle(options, { evaluation, request, waitedMs });
}

interface Judged {
  readonly evaluation: Evaluation;
  /** What the classifier makes of a call that a person must answer, as a phrase; empty when it took no part. */
  readonly classifier: string;
}

/**
 * What rules and mode leave open, the classifier may answer, if it comes in time and is sure. What a rule, a gate, a
 * hook or the tool itself puts before a person stays with the person.
 */
async function withClassifier(options: PermitOptions, evaluate: () => Promise<Evaluation>): Promise<Judged> {
  const { classifier, services, place } = options;
  const first = await evaluate();
  if (classifier === null) return { evaluation: first, classifier: '' };
  if (!isOpen(first.decision)) {
    classifier.cancel();
    return { evaluation: first, classifier: '' };
  }
  const opinion = await classifier.opinion(classifierWaitMs);
  classifier.cancel();
  // Rules and mode may have changed while it was awaited.
  const last = await evaluate();
  if (!isOpen(last.decision)) return { evaluation: last, classifier: '' };
  const { behavior, reason: words } = opinion;
  if (behavior === 'none') return { evaluation: last, classifier: words };
  const toPerson = services.engine.recordClassifier(place.sessionId, behavior === 'deny');
  if (toPerson) return { evaluation: last, classifier: `would ${behavior} it, but you decide for now: ${words}` };
  const reason = { type: 'classifier' as const, detail: `the classifier: ${words}` };
  return { evaluation: { ...last, decision: { ...last.decision, behavior, reason } }, classifier: '' };
}

function isOpen({ behavior, reason }: Decision): boolean {
  return behavior === 'ask' && reason.type === 'noRule';
}

/** Counts the denial; with the one that is too many, the person is told what follows. */
function recordDenial({ services, place }: PermitOptions, pattern: string): void {
  const block = services.engine.recordDenial(place.sessionId, pattern);
  if (block === null) return;
  services.sessions.append(place.sessionId, {
    type: 'notice',
    level: 'warning',
    text: `You denied ${block.pattern} ${block.count} times within five minutes, so it is denied without asking for a while.`,
    next: 'To be asked again at once, lift this at the top of the page.',
  });
}

/** What the tool itself says, with validation's wish to ask and, where nobody is asked, no questions. */
function ownOpinion(options: PermitOptions, mode: PermissionSituation['mode']): OwnPermission {
  const { tool, input, place, validated } = options;
  if (mode === 'dontAsk' && tool.requiresUserInteraction()) {
    return { behavior: 'deny', detail: 'nobody is asked in this mode' };
  }
  const own = tool.checkPermissions(input, place);
  if (validated.ask === null || own.behavior === 'deny') return own;
  return { behavior: 'ask', detail: validated.ask };
}

function answeredDecision(
  decision: Decision,
  outcome: Exclude<PermissionOutcome, { kind: 'aborted' | 'settled' }>,
): Decision {
  switch (outcome.kind) {
    case 'denied': {
      const words = outcome.words === '' ? {} : { words: outcome.words };
      return { ...decision, behavior: 'deny', reason: { type: 'user', answer: 'deny', ...words } };
    }
    case 'once':
      return { ...decision, behavior: 'allow', reason: { type: 'user', answer: 'once' } };
    case 'always':
      return { ...decision, behavior: 'allow', reason: { type: 'user', answer: 'always' } };
    default:
      return assertNever(outcome, 'outcome of an ask');
  }
}

/** Records the final decision and turns it into a grant or an end. */
function settle(
  options: PermitOptions,
  found: { readonly evaluation: Evaluation; readonly request: PermissionRequest; readonly waitedMs: number },
): StepEnd<Grant> {
  const { services, tool, input, place } = options;
  const { evaluation, waitedMs } = found;
  const { decision } = evaluation;
  services.sessions.append(place.sessionId, { type: 'call.decided', callId: place.callId, decision });
  const because = describeReason(decision.reason);
  if (decision.behavior === 'allow') {
    const realPaths = new Map(evaluation.paths.map((path) => [path.given, path.real]));
    const grant = mintGrant({ decision, callId: place.callId, facts: found.request.facts, realPaths });
    return { outcome: 'passed', note: `allowed by ${because}`, value: grant, waitedMs };
  }
  const { reason } = decision;
  return {
    outcome: 'stopped',
    note: `denied by ${because}`,
    waitedMs,
    end: denied({
      text: denialForModel(decision, tool.name),
      // The reason says it in full already.
      note: reason.type === 'denialLimit' ? 'not asked again' : `denied by ${because}`,
      view: tool.renderRejected(input, place, reason),
      reason,
      stopTurn: reason.type === 'user' && reason.words === undefined,
    }),
  };
}

function denialForModel(decision: Decision, toolName: string): string {
  const { reason } = decision;
  const scope = 'This concerns this call, not the tool as a whole.';
  if (reason.type === 'user' && reason.words === undefined)
    return `The person denied this call. ${scope} Wait for what they want instead.`;
  if (reason.type === 'user') return `The person denied this call and says: ${reason.words ?? ''}\n${scope}`;
  const explained = `Permission denied. ${explainForModel(decision, toolName)}`;
  if (reason.type === 'denialLimit')
    return `${explained} Do not repeat it: try another way, or tell the person what you need and why.`;
  // With a rule the explanation has said so already.
  return reason.type === 'rule'
    ? explained
    : `${explained} Try another way or ask the person; do not try to get round it.`;
}
