// A call as the permission engine and hooks see it.
import type { HookedCall, HookPlace } from '../hooks/hooks';
import type { HookAnswer, HookOpinion } from '../permissions/decide';
import type { PermissionRequest, PermissionSituation } from '../permissions/engine';
import type { AnyTool, CallPlace, OwnPermission } from '../tools/tool';
import type { PipelineServices } from './services';

/** The parts of a call that decide about it. */
export interface CallToJudge {
  readonly services: PipelineServices;
  readonly tool: AnyTool;
  /** What would be called. */
  readonly input: unknown;
  readonly place: CallPlace;
}

/** What was said of a call, and what it was before a hook changed it. */
export interface Said {
  /** The model's own input, valid; left out when it is what would be called. */
  readonly original?: { readonly input: unknown };
  readonly hook?: HookOpinion;
  readonly answer?: HookAnswer;
}

export function requestOf(call: CallToJudge, own: OwnPermission, said: Said = {}): PermissionRequest {
  const { tool, place } = call;
  const { original, hook, answer } = said;
  const seen = (input: unknown) => ({
    isReadOnly: tool.isReadOnly(input),
    input: tool.observableInput(input, place),
    facts: tool.facts(input, place),
  });
  return {
    toolName: tool.ruleName ?? tool.name,
    isMcp: tool.isMcp,
    ...seen(call.input),
    own,
    ...(original === undefined ? {} : { original: seen(original.input) }),
    ...(hook === undefined ? {} : { hook }),
    ...(answer === undefined ? {} : { answer }),
  };
}

/** Read anew each time: the mode may change while a person thinks. */
export function situationOf({ services, place }: CallToJudge, repeats: number): PermissionSituation {
  const { sessionId, folder, cwd } = place;
  return { sessionId, folder, cwd, mode: services.sessions.state(sessionId).mode, repeats };
}

/** A call as hooks are told of it: observable input, never the call input itself. */
export function hookedCall({ tool, input, place }: CallToJudge): HookedCall {
  return {
    toolName: tool.name,
    toolInput: tool.observableInput(input, place),
    toolUseId: place.toolUseId ?? place.callId,
    ...(tool.mcpInfo === null ? {} : { mcpServer: tool.mcpInfo.serverName }),
  };
}

export function hookPlace({ services, place }: CallToJudge): HookPlace {
  const { sessionId, callId, folder, cwd } = place;
  const { agent } = services;
  const { mode } = services.sessions.state(sessionId);
  return { sessionId, callId, folder, cwd, mode, ...(agent === undefined ? {} : { agent }) };
}
