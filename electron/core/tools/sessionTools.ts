// The tools of each session: its pool under the present rules and mode, and what was read of which file.
import type { RuleRef } from '#shared/permissions/decision';
import type { ToolSet } from '#shared/tools/features';
import type { PermissionEngine } from '../permissions/engine';
import type { SessionService } from '../sessions/service';
import type { Features } from './features';
import { FileStates } from './fileStates';
import type { LoadingPolicy } from './loadingPolicy';
import { createRegistry, type ToolRegistry } from './registry';
import type { AnyTool } from './tool';

/** Which tools there shall be, and when they are loaded. */
export interface ToolWishes {
  readonly features: Features;
  readonly toolSet: ToolSet;
  readonly policy: LoadingPolicy;
}

export class SessionTools {
  private readonly states = new Map<string, FileStates>();

  constructor(
    private readonly options: {
      readonly tools: readonly AnyTool[];
      /** Tools of the MCP servers that are connected for a session. */
      readonly mcpTools?: (sessionId: string) => readonly AnyTool[];
      readonly sessions: SessionService;
      readonly engine: PermissionEngine;
      /** What people and environment wish; read anew each time. Left out: the usual. */
      readonly wishes?: (sessionId: string) => ToolWishes;
    },
  ) {}

  /** Assembled anew each time, so that a rule or mode changed a moment ago counts. */
  registry(sessionId: string): ToolRegistry {
    const { tools, mcpTools, sessions, engine } = this.options;
    const names = namesIn(engine.inForce(sessionId));
    const wishes = this.options.wishes?.(sessionId);
    return createRegistry({
      tools,
      mcpTools: mcpTools?.(sessionId) ?? [],
      ...(wishes === undefined ? {} : { policy: wishes.policy }),
      context: {
        ...(wishes === undefined ? {} : { features: wishes.features, toolSet: wishes.toolSet }),
        mode: sessions.state(sessionId).mode,
        deniedNames: names.denied,
        allowedNames: names.allowed,
      },
    });
  }

  fileStates(sessionId: string): FileStates {
    const known = this.states.get(sessionId) ?? new FileStates();
    this.states.set(sessionId, known);
    return known;
  }
}

interface RuleNames {
  /** Tools that a deny rule names as a whole. */
  readonly denied: readonly string[];
  /** Tools that an allow rule names, whole or in part. */
  readonly allowed: readonly string[];
}

/** By list of rules: a list stays the same until a rule changes, and a pool is assembled several times a call. */
const namesOf = new WeakMap<readonly RuleRef[], RuleNames>();

function namesIn(rules: readonly RuleRef[]): RuleNames {
  const known = namesOf.get(rules);
  if (known !== undefined) return known;
  const texts = (behavior: 'allow' | 'deny'): string[] =>
    rules.filter((rule) => rule.behavior === behavior).map((rule) => rule.text);
  const allowed = new Set(texts('allow').map((text) => text.split('(', 1)[0] ?? text));
  const names = { denied: texts('deny').flatMap(wholeToolName), allowed: [...allowed] };
  namesOf.set(rules, names);
  return names;
}

/** A rule that names a tool as a whole: `T` or `T(*)`. */
function wholeToolName(text: string): string[] {
  const name = /^([^()]+?)(\(\*\))?$/.exec(text)?.[1];
  return name === undefined ? [] : [name];
}
