// Step 5: only an `allow` passes, and it leaves as a grant.
import type { Decision } from '#shared/permissions/decision';
import type { SandboxState } from '#shared/session/ask';
import { classifierWaitMs, type RunningClassifier } from '../permissions/classifier';
import type { Evaluation, PermissionRequest, PermissionSituation } from '../permissions/engine';
import type { OwnPermission, ValidationContext } from '../tools/tool';
import { permissionAsk } from './askView';
import { askHooks } from './permissionHook';
import { type CallToJudge, requestOf, type Said, situationOf } from './request';
import { type CheckedInput, rewrite } from './rewrite';
import { answeredDecision, type Course, nobodyAnswers, noCourse, type Permitted, type Subject, settle } from './settle';
import { type CallEnd, interrupted, type StepEnd } from './step';

export interface PermitOptions {
  readonly call: Omit<CallToJudge, 'input'>;
  /** What the model asked for, for counting repeats. */
  readonly rawInput: CheckedInput['raw'];
  readonly checked: CheckedInput;
  /** What PreToolUse hooks said, and the model's input where they changed it. */
  readonly said: Said;
  /** Launched in step 4. */
  readonly classifier: RunningClassifier | null;
  /** A hook ends the turn whatever is decided; in words for the person. */
  readonly stopText: string | null;
  readonly context: ValidationContext;
  readonly signal: AbortSignal;
}

/** Decides; hooks and then the person answer what rules and mode leave open. */
export async function permit(options: PermitOptions): Promise<StepEnd<Permitted>> {
  const { call, signal } = options;
  const { services, tool, place } = call;
  const { sessionId } = place;
  // A tool that is a question itself may come again and again: the person sees each of them.
  const repeats = tool.requiresUserInteraction()
    ? 1
    : services.engine.countCall(sessionId, { toolName: tool.name, input: options.rawInput });
  let subject: Subject = { checked: options.checked, said: options.said, stopText: options.stopText };
  const situation = (): PermissionSituation => situationOf(judged(options, subject), repeats);
  const evaluate = () => services.engine.evaluate(requestFor(options, subject), situation());

  let { evaluation, classifier } = await withClassifier(options, evaluate);
  let course = noCourse;
  if (evaluation.decision.behavior !== 'allow' && wouldAsk(evaluation.decision)) {
    const canAsk = evaluation.decision.behavior === 'ask' && services.canAsk(sessionId);
    const suggestions = evaluation.suggestions.flatMap((suggestion) => suggestion.rules);
    const heard = await askHooks({ call: judged(options, subject), suggestions, canAsk, signal });
    if (heard.output !== undefined) course = { ...course, hooks: { output: heard.output, tookMs: heard.tookMs } };
    if (heard.answer !== null) {
      const answered = await withAnswer(options, subject, heard);
      if ('end' in answered) return { outcome: 'stopped', note: answered.end.note, end: answered.end };
      subject = answered;
      evaluation = await evaluate();
      classifier = '';
    }
  }
  if (signal.aborted) return stoppedByPerson(course);
  if (evaluation.decision.behavior !== 'ask')
    return await settle({
      call: judged(options, subject),
      request: requestFor(options, subject),
      subject,
      signal,
      evaluation,
      course,
    });
  if (!services.canAsk(sessionId)) {
    const decision = nobodyAnswers(evaluation.decision);
    return await settle({
      call: judged(options, subject),
      request: requestFor(options, subject),
      subject,
      signal,
      evaluation: { ...evaluation, decision },
      course,
    });
  }
  return await askPerson({ options, subject, situation, asking: { evaluation, classifier }, course });
}

/** Shows the ask and waits for its end. */
async function askPerson(about: {
  readonly options: PermitOptions;
  readonly subject: Subject;
  readonly situation: () => PermissionSituation;
  readonly asking: Judged;
  readonly course: Course;
}): Promise<StepEnd<Permitted>> {
  const { options, subject, situation, asking } = about;
  const { call, signal } = options;
  const { services, tool, place } = call;
  const { sessionId, callId } = place;
  const { checked } = subject;
  const request = requestFor(options, subject);
  const ask = permissionAsk({
    tool,
    input: checked.input,
    rawInput: checked.raw,
    place,
    mode: situation().mode,
    isAvailable: (mode) => services.engine.modeAvailable(mode, sessionId).available,
    view: checked.validated.view,
    evaluation: asking.evaluation,
    classifier: asking.classifier,
    sandbox: shownSandbox(services.sandboxState(sessionId), asking.evaluation),
    agent: services.agent?.agentType ?? null,
  });
  const askedAt = services.now();
  const outcome = await services.asks.permission({ sessionId, callId, ask, request, situation, signal });
  const course = { ...about.course, asked: true, waitedMs: services.now() - askedAt };
  if (outcome.kind === 'aborted') return stoppedByPerson(course);
  if (outcome.kind === 'settled')
    return await settle({
      call: judged(options, subject),
      request: requestFor(options, subject),
      subject,
      signal,
      evaluation: outcome.evaluation,
      course,
    });
  // Rules, links and mode may have changed while the person was thinking: a deny still counts.
  const last = await services.engine.evaluate(request, situation());
  if (outcome.kind === 'denied') recordDenial(call, last.pattern);
  else services.engine.recordAllow(sessionId);
  const decision = last.decision.behavior === 'deny' ? last.decision : answeredDecision(last.decision, outcome);
  return await settle({
    call: judged(options, subject),
    request: requestFor(options, subject),
    subject,
    signal,
    evaluation: { ...last, decision },
    course,
  });
}

/** What the call would run in: outside, where it would leave the session's sandbox. */
function shownSandbox(state: SandboxState, { confinement }: Evaluation): SandboxState {
  const outside = confinement?.outside ?? null;
  if (!state.active || outside === null) return state;
  return { ...state, active: false, outside: outside.kind, reason: outside.detail };
}

function stoppedByPerson(course: Course): StepEnd<Permitted> {
  const note = course.asked ? 'stopped while waiting for you' : 'stopped by you';
  return { outcome: 'stopped', note, end: interrupted(false), waitedMs: course.waitedMs };
}

function judged({ call }: PermitOptions, { checked }: Subject): CallToJudge {
  return { ...call, input: checked.input };
}

function requestFor(options: PermitOptions, subject: Subject): PermissionRequest {
  return requestOf(judged(options, subject), ownOpinion(options, subject), subject.said);
}

/** What a person would be asked, or would be if anybody were: where hooks may answer. */
function wouldAsk({ behavior, reason }: Decision): boolean {
  if (behavior === 'ask') return true;
  return reason.type === 'nobodyToAsk' || (reason.type === 'mode' && reason.mode === 'dontAsk');
}

/** The call with a hook's answer, and with the input that the hook wants for it. */
async function withAnswer(
  options: PermitOptions,
  subject: Subject,
  heard: Awaited<ReturnType<typeof askHooks>>,
): Promise<Subject | { readonly end: CallEnd }> {
  const { answer, updatedInput: update, stopText } = heard;
  const { tool } = options.call;
  // A server that wants each call confirmed means by a person.
  const isTaken = answer !== null && !(answer.behavior === 'allow' && tool.isMcp && tool.requiresUserInteraction());
  const said = isTaken ? { ...subject.said, answer } : subject.said;
  const after = { ...subject, said, stopText: subject.stopText ?? stopText };
  if (update === null) return after;
  const call = judged(options, subject);
  const rewritten = await rewrite({ call, before: subject.checked, update, context: options.context });
  if (!rewritten.ok) return { end: rewritten.end };
  if (!rewritten.changed) return after;
  const original = subject.said.original ?? { input: subject.checked.input };
  return { ...after, checked: rewritten.checked, said: { ...said, original } };
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
  const { classifier, call } = options;
  const { services, place } = call;
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
function recordDenial({ services, place }: PermitOptions['call'], pattern: string): void {
  const block = services.engine.recordDenial(place.sessionId, pattern);
  if (block === null) return;
  services.sessions.append(place.sessionId, {
    type: 'notice',
    level: 'warning',
    text: `You denied ${block.pattern} ${block.count} times within five minutes, so it is denied without asking for a while.`,
    next: 'To be asked again at once, lift this at the top of the page.',
  });
}

/**
 * What the tool itself says of both inputs, the stricter counting, with validation's wish to ask and, where nobody is
 * asked, no questions.
 */
function ownOpinion(options: PermitOptions, subject: Subject): OwnPermission {
  const { services, tool, place } = options.call;
  const { checked, said } = subject;
  if (tool.requiresUserInteraction()) {
    if (services.sessions.state(place.sessionId).mode === 'dontAsk')
      return { behavior: 'deny', detail: 'nobody is asked in this mode' };
    if (!services.canAsk(place.sessionId)) return { behavior: 'deny', detail: 'nobody can be asked here' };
  }
  const own = tool.checkPermissions(checked.input, place);
  const before = said.original === undefined ? own : tool.checkPermissions(said.original.input, place);
  const stricter = (['deny', 'ask'] as const)
    .flatMap((behavior) => [own, before].filter((one) => one.behavior === behavior))
    .at(0);
  if (checked.validated.ask === null || stricter?.behavior === 'deny') return stricter ?? own;
  return { behavior: 'ask', detail: checked.validated.ask };
}
