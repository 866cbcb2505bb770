// THE sequence of one call: seven steps, each once, in order; exactly one result, whatever happens.
import type { SessionEventBody } from '#shared/session/events';
import type { JsonValue } from '#shared/util/json';
import { errorClass } from '../results/errorClass';
import { type AnyTool, type CallPlace, ToolFailure } from '../tools/tool';
import { Abandoned } from './abortable';
import { execute } from './execute';
import { lookup } from './lookup';
import { overlapOf } from './overlap';
import { parseInput } from './parseInput';
import { permit } from './permit';
import { postHook, wantsEnd } from './postHook';
import { preHook } from './preHook';
import { present, presentUnknown } from './present';
import type { CheckedInput } from './rewrite';
import type { PipelineServices } from './services';
import { type CallEnd, CallTrace, failed, interrupted } from './step';
import { traced } from './traced';
import { validate } from './validate';

/** A call as the model asked for it. */
export interface CallRequest {
  readonly sessionId: string;
  readonly callId: string;
  readonly messageId: string;
  /** As the provider gave it; providers may reuse them. */
  readonly toolUseId: string;
  readonly name: string;
  readonly input: JsonValue;
  readonly cutOff: boolean;
  /** A person makes the call: no search has to come first. */
  readonly byHand?: true;
}

/** What a call means for its turn. */
export interface CallAfter {
  /** The turn ends after this message's calls. */
  readonly stopTurn: boolean;
  /** Why, for the person, when a hook ends it; absent when they denied the call themselves. */
  readonly stopText?: string;
  /** A hook put the call off. */
  readonly deferred?: true;
}

/** Whether a call may overlap others: judged from its input; anything doubtful is not (spec 2.2). */
export function isConcurrencySafe(services: PipelineServices, request: CallRequest): boolean {
  if (request.cutOff) return false;
  try {
    const found = services.registry(request.sessionId).find(request.name);
    if (!found.found) return false;
    const parsed = found.tool.inputSchema().safeParse(request.input);
    return parsed.success && maySafely(services, found.tool, parsed.data);
  } catch (error) {
    services.log.error('a concurrency check threw', error);
    return false;
  }
}

/** Announces a call, so that its card is there before it runs. */
export function announceCall(services: PipelineServices, request: CallRequest): void {
  const { callId, messageId, name, input } = request;
  const presentation = presentUnknown(name);
  services.sessions.append(request.sessionId, { type: 'call.created', callId, messageId, name, input, presentation });
}

/** Runs an announced call to its end. Never rejects for anything a model, tool, hook or person does. */
export async function runToolCall(
  services: PipelineServices,
  request: CallRequest,
  signal: AbortSignal,
): Promise<CallAfter> {
  // A signal of its own, so that many calls at once do not all hang on the turn's.
  const own = AbortSignal.any([signal]);
  const end = await runSteps(services, request, own).catch((error: unknown): CallEnd => {
    if (error instanceof Abandoned) return interrupted(false);
    if (error instanceof ToolFailure) return lostBefore(error);
    services.log.error('a pipeline step threw', error);
    const text = `The call failed because of a fault in Gatehouse (${errorClass(error)}). The log has details.`;
    return failed({ failure: 'internal', text, note: errorClass(error) });
  });
  finish(services, request, end);
  return {
    stopTurn: end.stopTurn === true,
    ...(end.stopText === undefined ? {} : { stopText: end.stopText }),
    ...(end.deferred === undefined ? {} : { deferred: end.deferred }),
  };
}

/** A look at files before execution that failed, because the executor was lost meanwhile. */
function lostBefore({ kind, message }: ToolFailure): CallEnd {
  if (kind === 'aborted') return interrupted(false);
  return failed({ failure: kind, text: `${message} The call itself had not begun.`, note: 'not begun' });
}

/** The one result of the call. An end that cannot be recorded as it is, is recorded without what may be at fault. */
function finish(services: PipelineServices, { sessionId, callId }: CallRequest, end: CallEnd): void {
  try {
    services.sessions.append(sessionId, {
      type: 'call.finished',
      callId,
      status: end.status,
      ...(end.failure === undefined ? {} : { failure: end.failure }),
      content: [...end.content],
      view: end.view,
      note: end.note,
      ...(end.persisted === undefined ? {} : { persisted: end.persisted }),
      ...(end.deferred === undefined ? {} : { deferred: end.deferred }),
    });
  } catch (error) {
    services.log.error('the end of a call could not be recorded', error);
    const text = `The call ended (${end.status}), but its result could not be recorded because of a fault in Gatehouse (${errorClass(error)}).`;
    services.sessions.append(sessionId, {
      type: 'call.finished',
      callId,
      status: end.status === 'succeeded' ? 'failed' : end.status,
      content: [{ type: 'text', text }],
      view: null,
      note: errorClass(error),
    });
  }
}

async function runSteps(services: PipelineServices, request: CallRequest, signal: AbortSignal): Promise<CallEnd> {
  const { sessionId, callId } = request;
  const append = (body: SessionEventBody): void => void services.sessions.append(sessionId, body);
  const trace = new CallTrace({ callId, append, now: services.now, signal });
  if (signal.aborted) return interrupted(false);

  // 1 lookup
  const found = await trace.step('lookup', { name: request.name.slice(0, 200) }, () =>
    lookup(services.registry(sessionId), {
      name: request.name,
      searched: request.byHand === true ? null : services.sessions.conversation(sessionId).found(),
    }),
  );
  if (found.outcome === 'stopped') return found.end;
  const { tool, notice } = found.value;
  const end = await runFound({ services, request, signal, trace, tool });
  return notice === null ? end : { ...end, content: [...end.content, { type: 'text', text: notice }] };
}

async function runFound(options: {
  readonly services: PipelineServices;
  readonly request: CallRequest;
  readonly signal: AbortSignal;
  readonly trace: CallTrace;
  readonly tool: AnyTool;
}): Promise<CallEnd> {
  const { services, request, signal, trace, tool } = options;

  // 2 input
  const parsed = await trace.step('input', traced(request.input), () =>
    parseInput({ tool, input: request.input, cutOff: request.cutOff }),
  );
  if (parsed.outcome === 'stopped') return parsed.end;
  const place = placeOf(services, request);
  presentCall(services, { tool, input: parsed.value, place });

  // 3 validation
  const context = { ...place, fileStates: services.fileStates(request.sessionId), inspect: services.inspector() };
  const validated = await trace.step('validation', undefined, () => validate({ tool, input: parsed.value, context }));
  if (validated.outcome === 'stopped') return validated.end;
  const asked = { input: parsed.value, raw: request.input, validated: validated.value };
  if (validated.value.view !== undefined) presentChecked(services, { tool, checked: asked, place });

  // 4 pre-hook, in parallel with the classifier; a hook's input passes steps 2 and 3 again
  const judged = { services, tool, place };
  const hooked = await trace.step('preHook', undefined, () =>
    preHook({ call: { ...judged, input: asked.input }, checked: asked, context, signal }),
  );
  if (hooked.outcome === 'stopped') return hooked.end;
  const { checked, said, classifier, stopText } = hooked.value;
  if (checked !== asked) presentChecked(services, { tool, checked, place });
  if (signal.aborted) return interrupted(false);

  // 5 permission
  const permitted = await trace.step('permission', undefined, () =>
    permit({ call: judged, rawInput: request.input, checked, said, classifier, stopText, context, signal }),
  );
  if (permitted.outcome === 'stopped') return permitted.end;
  const { grant, checked: granted } = permitted.value;
  if (granted !== checked) presentChecked(services, { tool, checked: granted, place });
  if (signal.aborted) return interrupted(false);

  // 6 execution and result processing
  const { input } = granted;
  const leave = await enter(options, { before: asked.input, input });
  const executed = await trace
    .record('execution', granted === asked ? undefined : traced(input), () =>
      execute({ services, tool, input, place, grant, signal }),
    )
    .finally(leave);
  const call = { ...judged, input };
  if (executed.end.status === 'interrupted' && !wantsEnd(call, executed)) return executed.end;

  // 7 post-hook, after success as after failure
  return (await trace.record('postHook', undefined, () => postHook({ call, executed, signal }))).end;
}

/** Where the call was let overlap others, and a hook has changed its input, it must still be one that may. */
async function enter(
  { services, request, signal, tool }: Parameters<typeof runFound>[0],
  { before, input }: { readonly before: unknown; readonly input: unknown },
): Promise<() => void> {
  if (!maySafely(services, tool, before)) return () => undefined;
  const alone = input !== before && !maySafely(services, tool, input);
  return await overlapOf(services.sessions).enter({ messageId: request.messageId, alone, signal });
}

function maySafely(services: PipelineServices, tool: AnyTool, input: unknown): boolean {
  try {
    return tool.isConcurrencySafe(input);
  } catch (error) {
    services.log.error('a concurrency check threw', error);
    return false;
  }
}

function placeOf(services: PipelineServices, request: CallRequest): CallPlace {
  const { sessionId, callId, toolUseId } = request;
  const { folder, cwd } = services.sessions.state(sessionId);
  return { sessionId, callId, toolUseId, folder, cwd, home: services.home };
}

function presentChecked(
  services: PipelineServices,
  about: { readonly tool: AnyTool; readonly checked: CheckedInput; readonly place: CallPlace },
): void {
  const { tool, checked, place } = about;
  presentCall(services, { tool, input: checked.input, place, view: checked.validated.view });
}

function presentCall(services: PipelineServices, about: Parameters<typeof present>[0]): void {
  const { sessionId, callId } = about.place;
  services.sessions.append(sessionId, { type: 'call.presented', callId, presentation: present(about) });
}
