// Step 5: only an `allow` passes, and it leaves as a grant.
import { type Decision, type DecisionReason, describeReason } from '#shared/permissions/decision';
import type { PermissionAsk } from '#shared/session/ask';
import type { View } from '#shared/tools/presentation';
import { assertNever } from '#shared/util/assertNever';
import type { PermissionOutcome } from '../permissions/asks';
import type { Evaluation, PermissionRequest, PermissionSituation } from '../permissions/engine';
import { type Grant, mintGrant } from '../permissions/grant';
import type { AnyTool, CallPlace, OwnPermission } from '../tools/tool';
import { permissionAsk } from './askView';
import type { PipelineServices } from './services';
import { denied, interrupted, type StepEnd } from './step';

export interface PermitOptions {
  readonly services: PipelineServices;
  readonly tool: AnyTool;
  readonly input: unknown;
  readonly rawInput: PermissionAsk['input'];
  readonly place: CallPlace;
  /** What validation found: a wish to ask, a better picture. */
  readonly validated: { readonly ask: string | null; readonly view: View | undefined };
  readonly signal: AbortSignal;
}

/** Decides, asking the person where rules and mode leave it open. */
export async function permit(options: PermitOptions): Promise<StepEnd<Grant>> {
  const { services, tool, input, place } = options;
  const mode = () => services.sessions.state(place.sessionId).mode;
  const request: PermissionRequest = {
    toolName: tool.name,
    isMcp: tool.isMcp,
    isReadOnly: tool.isReadOnly(input),
    input: tool.observableInput(input, place),
    facts: tool.facts(input, place),
    own: ownOpinion(options, mode()),
  };
  const situation = (): PermissionSituation => ({
    sessionId: place.sessionId,
    folder: place.folder,
    cwd: place.cwd,
    mode: mode(),
  });

  const first = await services.engine.evaluate(request, situation());
  if (first.decision.behavior !== 'ask') return settle(options, { evaluation: first, request, waitedMs: 0 });

  const ask = permissionAsk({
    tool,
    input,
    rawInput: options.rawInput,
    place,
    mode: mode(),
    view: options.validated.view,
    evaluation: first,
    sandbox: services.sandboxState(place.sessionId),
  });
  const askedAt = services.now();
  const { sessionId, callId } = place;
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
  if (last.decision.behavior === 'deny') return settle(options, { evaluation: last, request, waitedMs });
  const evaluation = { ...last, decision: answeredDecision(last.decision, outcome) };
  return settle(options, { evaluation, request, waitedMs });
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
      text: denialForModel(reason, because),
      note: `denied by ${because}`,
      view: tool.renderRejected(input, place, reason),
      reason,
      stopTurn: reason.type === 'user' && reason.words === undefined,
    }),
  };
}

function denialForModel(reason: DecisionReason, because: string): string {
  const scope = 'This concerns this call, not the tool as a whole.';
  if (reason.type !== 'user')
    return `Permission denied by ${because}. ${scope} Do not try to get round it; try another way or ask the person.`;
  if (reason.words === undefined) return `The person denied this call. ${scope} Wait for what they want instead.`;
  return `The person denied this call and says: ${reason.words}\n${scope}`;
}
