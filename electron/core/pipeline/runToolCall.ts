// THE sequence of one call: seven steps, each once, in order; exactly one result, whatever happens.
import type { JsonValue } from '#shared/util/json';
import { errorClass } from '../results/errorClass';
import type { AnyTool, CallPlace } from '../tools/tool';
import { execute } from './execute';
import { postHook, preHook } from './hookSteps';
import { lookup } from './lookup';
import { parseInput } from './parseInput';
import { permit } from './permit';
import { present, presentUnknown } from './present';
import type { PipelineServices } from './services';
import { type CallEnd, CallTrace, failed, interrupted } from './step';
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
}

/** Whether a call may overlap others: judged from its input; anything doubtful is not (spec 2.2). */
export function isConcurrencySafe(services: PipelineServices, request: CallRequest): boolean {
  if (request.cutOff) return false;
  try {
    const found = services.registry(request.sessionId).find(request.name);
    if (!found.found) return false;
    const parsed = found.tool.inputSchema().safeParse(request.input);
    return parsed.success && found.tool.isConcurrencySafe(parsed.data);
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

/** Runs an announced call to its end. Never rejects for anything a model, tool or person does. */
export async function runToolCall(
  services: PipelineServices,
  request: CallRequest,
  signal: AbortSignal,
): Promise<{ readonly stopTurn: boolean }> {
  const { sessionId, callId } = request;
  const end = await runSteps(services, request, signal).catch((error: unknown): CallEnd => {
    services.log.error('a pipeline step threw', error);
    const text = `The call failed because of a fault in Gatehouse (${errorClass(error)}). The log has details.`;
    return failed({ failure: 'internal', text, note: errorClass(error) });
  });
  services.sessions.append(sessionId, {
    type: 'call.finished',
    callId,
    status: end.status,
    ...(end.failure === undefined ? {} : { failure: end.failure }),
    content: [...end.content],
    view: end.view,
    note: end.note,
  });
  return { stopTurn: end.stopTurn === true };
}

async function runSteps(services: PipelineServices, request: CallRequest, signal: AbortSignal): Promise<CallEnd> {
  const { sessionId, callId } = request;
  const trace = new CallTrace(callId, (body) => services.sessions.append(sessionId, body), services.now);
  if (signal.aborted) return interrupted(false);

  // 1 lookup
  const found = await trace.step('lookup', { name: request.name }, () =>
    lookup(services.registry(sessionId), request.name),
  );
  if (found.outcome === 'stopped') return found.end;
  const { tool, notice } = found.value;

  // 2 input
  const parsed = await trace.step('input', undefined, () =>
    parseInput({ tool, input: request.input, cutOff: request.cutOff }),
  );
  if (parsed.outcome === 'stopped') return parsed.end;
  const input = parsed.value;
  const place = placeOf(services, request);
  presentCall(services, { tool, input, place });

  // 3 validation
  const context = { ...place, fileStates: services.fileStates(sessionId), inspect: services.inspector() };
  const validated = await trace.step('validation', undefined, () => validate({ tool, input, context }));
  if (validated.outcome === 'stopped') return validated.end;
  if (validated.value.view !== undefined) presentCall(services, { tool, input, place, view: validated.value.view });

  // 4 pre-hook, in parallel with the classifier
  const call = { services, tool, input, place };
  const hooked = await trace.step('preHook', undefined, () => preHook(call, signal));
  if (hooked.outcome === 'stopped') return hooked.end;
  const { classifier } = hooked.value;
  if (signal.aborted) return interrupted(false);

  // 5 permission
  const permitted = await trace.step('permission', undefined, () =>
    permit({ ...call, rawInput: request.input, validated: validated.value, classifier, signal }),
  );
  if (permitted.outcome === 'stopped') return permitted.end;
  if (signal.aborted) return interrupted(false);

  // 6 execution and result processing
  const grant = permitted.value;
  const executed = await trace.step('execution', undefined, () =>
    execute({ services, tool, input, place, grant, signal, notice }),
  );
  const end = executed.outcome === 'stopped' ? executed.end : executed.value;
  if (end.status === 'interrupted') return end;

  // 7 post-hook, after success as after failure
  await trace.step('postHook', undefined, postHook);
  return end;
}

function placeOf(services: PipelineServices, request: CallRequest): CallPlace {
  const { sessionId, callId, toolUseId } = request;
  const { folder, cwd } = services.sessions.state(sessionId);
  return { sessionId, callId, toolUseId, folder, cwd, home: services.home };
}

function presentCall(
  services: PipelineServices,
  about: {
    readonly tool: AnyTool;
    readonly input: unknown;
    readonly place: CallPlace;
    readonly view?: Parameters<typeof present>[0]['view'];
  },
): void {
  const { sessionId, callId } = about.place;
  services.sessions.append(sessionId, { type: 'call.presented', callId, presentation: present(about) });
}
