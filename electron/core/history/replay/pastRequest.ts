// A past call as the engine sees it, as far as tools are known here.
import { knownTools } from '#shared/permissions/deadRules';
import type { PermissionRequest } from '../../permissions/permissionRequest';
import { requestOfName, requestOfTool } from '../../permissions/requestOf';
import { builtInTools } from '../../tools/builtInTools';
import type { AnyTool, CallPlace } from '../../tools/tool';
import type { IndexedCall } from '../pastCalls';

export interface PastRequest {
  readonly request: PermissionRequest;
  /** `tool`: no tool of this name is known here. `input`: the tool would not have taken this input. */
  readonly doubt: 'tool' | 'input' | null;
}

export type RequestReader = (call: Pick<IndexedCall, 'tool' | 'input' | 'cwd' | 'project'>) => PastRequest;

/** The input without fields that the tool does not know; other versions of a tool have more of them. */
function fitted(tool: AnyTool, input: Readonly<Record<string, unknown>>): unknown {
  const schema = tool.inputSchema();
  const parsed = schema.safeParse(input);
  if (parsed.success) return parsed.data;
  const strange = new Set(
    parsed.error.issues.flatMap((issue) =>
      issue.code === 'unrecognized_keys' && issue.path.length === 0 ? issue.keys : [],
    ),
  );
  if (strange.size === 0) return null;
  const again = schema.safeParse(Object.fromEntries(Object.entries(input).filter(([key]) => !strange.has(key))));
  return again.success ? again.data : null;
}

/** Makes the reader. Tools that need a whole core are known by the names of their fields. */
export function createRequestReader(home: string): RequestReader {
  const tools = new Map<string, AnyTool>();
  // Of a command the engine judges by its parts whether it only reads, not by what the tool says of it.
  for (const tool of builtInTools({ isReadOnlyCommand: () => false }))
    for (const name of [tool.name, ...tool.aliases]) tools.set(name, tool);
  return ({ tool, input, cwd, project }) => {
    const place: CallPlace = { sessionId: 'replay', callId: '', folder: project, cwd, home };
    const named = (doubt: PastRequest['doubt']): PastRequest => ({
      request: requestOfName(tool, input, place),
      doubt,
    });
    const built = tools.get(tool);
    if (built === undefined) return named(tool.startsWith('mcp__') || knownTools.has(tool) ? null : 'tool');
    try {
      const data = fitted(built, input);
      return data === null ? named('input') : { request: requestOfTool(built, data, place), doubt: null };
    } catch {
      // Inputs of the past may be anything. What no tool understands is not decided.
      return named('input');
    }
  };
}
