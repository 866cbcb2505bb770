// A call as the permission engine sees it.
import type { PermissionRequest, PermissionSituation } from '../permissions/engine';
import type { AnyTool, CallPlace, OwnPermission } from '../tools/tool';
import type { PipelineServices } from './services';

/** The parts of a call that decide about it. */
export interface CallToJudge {
  readonly services: PipelineServices;
  readonly tool: AnyTool;
  readonly input: unknown;
  readonly place: CallPlace;
}

export function requestOf({ tool, input, place }: CallToJudge, own: OwnPermission): PermissionRequest {
  return {
    toolName: tool.name,
    isMcp: tool.isMcp,
    isReadOnly: tool.isReadOnly(input),
    input: tool.observableInput(input, place),
    facts: tool.facts(input, place),
    own,
  };
}

/** Read anew each time: the mode may change while a person thinks. */
export function situationOf({ services, place }: CallToJudge, repeats: number): PermissionSituation {
  const { sessionId, folder, cwd } = place;
  return { sessionId, folder, cwd, mode: services.sessions.state(sessionId).mode, repeats };
}
