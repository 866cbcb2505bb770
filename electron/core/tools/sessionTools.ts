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
  /** The last pool of each session, with what it depends on. */
  private readonly registries = new Map<
    string,
    { readonly decisive: readonly unknown[]; readonly registry: ToolRegistry }
  >();

  constructor(
    private readonly options: {
      readonly tools: readonly AnyTool[];
      /** Tools of the MCP servers that are connected for a session. */
      readonly mcpTools?: (sessionId: string) => readonly AnyTool[];
      readonly sessions: Pick<SessionService, 'state'>;
      readonly engine: Pick<PermissionEngine, 'inForce'>;
      /** What people and environment wish; read anew each time. Left out: the usual. */
      readonly wishes?: (sessionId: string) => ToolWishes;
    },
  ) {}

  /** Looks each time at all that decides about it, so that a rule or mode changed a moment ago counts. */
  registry(sessionId: string): ToolRegistry {
    const { tools, sessions, engine } = this.options;
    const rules = engine.inForce(sessionId);
    const mcpTools = this.options.mcpTools?.(sessionId) ?? [];
    const wishes = this.options.wishes?.(sessionId);
    const { mode } = sessions.state(sessionId);
    const enabled = [...tools, ...mcpTools].map((tool) => (tool.isEnabled() ? '1' : '0')).join('');
    const decisive = [rules, mode, wishesKey(wishes), enabled, ...mcpTools];
    const known = this.registries.get(sessionId);
    if (known !== undefined && isSame(known.decisive, decisive)) return known.registry;
    const names = namesIn(rules);
    const registry = createRegistry({
      tools,
      mcpTools,
      ...(wishes === undefined ? {} : { policy: wishes.policy }),
      context: {
        ...(wishes === undefined ? {} : { features: wishes.features, toolSet: wishes.toolSet }),
        mode,
        deniedNames: names.denied,
        allowedNames: names.allowed,
      },
    });
    this.registries.set(sessionId, { decisive, registry });
    return registry;
  }

  fileStates(sessionId: string): FileStates {
    const known = this.states.get(sessionId) ?? new FileStates();
    this.states.set(sessionId, known);
    return known;
  }
}

function wishesKey(wishes: ToolWishes | undefined): string {
  return wishes === undefined ? '' : JSON.stringify([[...wishes.features], wishes.toolSet, wishes.policy]);
}

function isSame(one: readonly unknown[], other: readonly unknown[]): boolean {
  return one.length === other.length && one.every((value, at) => value === other[at]);
}

interface RuleNames {
  /** Tools that a deny rule names as a whole. */
  readonly denied: readonly string[];
  /** Tools that an allow rule names, whole or in part. */
  readonly allowed: readonly string[];
}

function namesIn(rules: readonly RuleRef[]): RuleNames {
  const texts = (behavior: 'allow' | 'deny'): string[] =>
    rules.filter((rule) => rule.behavior === behavior).map((rule) => rule.text);
  const allowed = new Set(texts('allow').map((text) => text.split('(', 1)[0] ?? text));
  return { denied: texts('deny').flatMap(wholeToolName), allowed: [...allowed] };
}

/** A rule that names a tool as a whole: `T` or `T(*)`. */
function wholeToolName(text: string): string[] {
  const name = /^([^()]+?)(\(\*\))?$/.exec(text)?.[1];
  return name === undefined ? [] : [name];
}
