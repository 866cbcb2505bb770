// The tools of each session: its pool under the present rules and mode, and what was read of which file.
import type { PermissionEngine } from '../permissions/engine';
import type { SessionService } from '../sessions/service';
import { FileStates } from './fileStates';
import { createRegistry, type ToolRegistry } from './registry';
import type { AnyTool } from './tool';

export class SessionTools {
  private readonly states = new Map<string, FileStates>();

  constructor(
    private readonly options: {
      readonly tools: readonly AnyTool[];
      /** Tools of the MCP servers that are connected for a session. */
      readonly mcpTools?: (sessionId: string) => readonly AnyTool[];
      readonly sessions: SessionService;
      readonly engine: PermissionEngine;
    },
  ) {}

  /** Assembled anew each time, so that a rule or mode changed a moment ago counts. */
  registry(sessionId: string): ToolRegistry {
    const { tools, mcpTools, sessions, engine } = this.options;
    const { rules } = engine.view(sessionId);
    const bare = (behavior: 'allow' | 'deny'): string[] =>
      rules.filter((rule) => rule.behavior === behavior).map((rule) => rule.text);
    return createRegistry({
      tools,
      mcpTools: mcpTools?.(sessionId) ?? [],
      context: {
        mode: sessions.state(sessionId).mode,
        deniedNames: bare('deny').flatMap(wholeToolName),
        allowedNames: bare('allow').map((text) => text.split('(', 1)[0] ?? text),
      },
    });
  }

  fileStates(sessionId: string): FileStates {
    const known = this.states.get(sessionId) ?? new FileStates();
    this.states.set(sessionId, known);
    return known;
  }
}

/** A rule that names a tool as a whole: `T` or `T(*)`. */
function wholeToolName(text: string): string[] {
  const name = /^([^()]+?)(\(\*\))?$/.exec(text)?.[1];
  return name === undefined ? [] : [name];
}
