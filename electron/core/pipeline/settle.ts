// How step 5 ends: a decision becomes a grant or a refusal, recorded once, in words for the model and for people.
import { type Decision, describeReason } from '#shared/permissions/decision';
import { assertNever } from '#shared/util/assertNever';
import type { PermissionOutcome } from '../permissions/asks';
import type { Evaluation, PermissionRequest } from '../permissions/engine';
import { explainForModel } from '../permissions/explainText';
import { type Grant, mintGrant } from '../permissions/grant';
import { hearDenial } from './permissionHook';
import type { CallToJudge, Said } from './request';
import type { CheckedInput } from './rewrite';
import { denied, type StepEnd } from './step';
import { traced } from './traced';

/** What passes: the grant, and the input it was given for. */
export interface Permitted {
  readonly grant: Grant;
  readonly checked: CheckedInput;
}

/** All that decides about the call, as it stands after the hooks heard so far. */
export interface Subject {
  readonly checked: CheckedInput;
  readonly said: Said;
  readonly stopText: string | null;
}

/** How a decision came about, for the trace. */
export interface Course {
  readonly waitedMs: number;
  readonly asked: boolean;
  readonly hooks: { readonly output: unknown; readonly tookMs: number } | null;
}

export const noCourse: Course = { waitedMs: 0, asked: false, hooks: null };

/** The decision after a person's answer to its ask. */
export function answeredDecision(
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

/** The decision where an ask finds nobody. */
export function nobodyAnswers(decision: Decision): Decision {
  const detail = `nobody can be asked here, and this needs an answer: ${describeReason(decision.reason)}`;
  return { ...decision, behavior: 'deny', reason: { type: 'nobodyToAsk', detail } };
}

/** Records the final decision and turns it into a grant or an end. */
export async function settle(options: {
  readonly call: CallToJudge;
  readonly request: PermissionRequest;
  readonly subject: Subject;
  readonly evaluation: Evaluation;
  readonly course: Course;
  readonly signal: AbortSignal;
}): Promise<StepEnd<Permitted>> {
  const { call, request, subject, evaluation, course, signal } = options;
  const { services, tool, place } = call;
  const { decision } = evaluation;
  const { checked, said, stopText } = subject;
  services.sessions.append(place.sessionId, { type: 'call.decided', callId: place.callId, decision });
  const because = describeReason(decision.reason);
  const about = {
    waitedMs: course.waitedMs,
    input: { mode: services.sessions.state(place.sessionId).mode, said: traced({ ...said, original: undefined }) },
    output: traced({
      behavior: decision.behavior,
      because,
      askedPerson: course.asked,
      ...(course.hooks === null ? {} : { hooks: course.hooks }),
      ...(said.original === undefined ? {} : { input: checked.raw }),
    }),
  };
  if (decision.behavior === 'allow') {
    const realPaths = new Map(evaluation.paths.map((path) => [path.given, path.real]));
    const runs = evaluation.confinement?.runs;
    const grant = mintGrant({ decision, callId: place.callId, facts: request.facts, realPaths, runs });
    return { ...about, outcome: 'passed', note: `allowed by ${because}`, value: { grant, checked } };
  }
  const { reason } = decision;
  const isAuto = services.sessions.state(place.sessionId).mode === 'auto' && reason.type === 'classifier';
  const mayRetry = isAuto && (await hearDenial(call, because, signal));
  const end = denied({
    text: `${denialForModel(decision, tool.name)}${mayRetry ? ' A hook says that you may try this call again.' : ''}`,
    note: shortNote(reason, because),
    view: tool.renderRejected(checked.input, place, reason),
    reason,
    stopTurn: stopText !== null || (reason.type === 'user' && reason.words === undefined),
  });
  return {
    ...about,
    outcome: 'stopped',
    note: `denied by ${because}`,
    end: stopText === null ? end : { ...end, stopText },
  };
}

/** Where the reason stands in full beside it, the note is a word. */
function shortNote(reason: Decision['reason'], because: string): string {
  if (reason.type === 'denialLimit') return 'not asked again';
  return reason.type === 'classifier' ? 'denied by the classifier' : `denied by ${because}`;
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
