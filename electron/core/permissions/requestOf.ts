// A call of a tool's name and input as the engine sees it. Shared by all that decide calls which nobody makes now.
import type { AnyTool, CallPlace } from '../tools/tool';
import { callFactsOf, onlyReads, ownOpinionOf } from './caseWorld';
import type { PermissionRequest } from './permissionRequest';

/** A call whose tool is there, with input that has passed the tool's schema. */
export function requestOfTool(tool: AnyTool, input: unknown, place: CallPlace): PermissionRequest {
  return {
    toolName: tool.name,
    isMcp: tool.isMcp,
    isReadOnly: tool.isReadOnly(input),
    input: tool.observableInput(input, place),
    facts: tool.facts(input, place),
    own: tool.checkPermissions(input, place),
  };
}

/** A call of a tool that is not there, told from its name and the names of its fields. */
export function requestOfName(
  tool: string,
  input: Readonly<Record<string, unknown>>,
  place: CallPlace,
): PermissionRequest {
  return {
    toolName: tool,
    isMcp: tool.startsWith('mcp__'),
    isReadOnly: onlyReads(tool),
    input,
    facts: callFactsOf({ tool, input, cwd: place.cwd, home: place.home }),
    own: ownOpinionOf(tool),
  };
}
