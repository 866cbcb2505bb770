// How long handlers may take.
import type { HookEventName } from '#shared/session/hookRun';
import { eventRules } from './eventRules';
import type { HandlerAction } from './handler';

const seconds: Readonly<Record<HandlerAction['type'], number>> = {
  command: 600,
  http: 600,
  mcp_tool: 600,
  prompt: 30,
  agent: 60,
};

/** A session's end does not wait: all its hooks share this, unless one of them asks for more, up to a minute. */
const endSeconds = 1.5;
const endAtMost = 60;

/** What all handlers of an event share, in milliseconds; null: each has its own time. */
export function budgetOf(event: HookEventName, actions: readonly HandlerAction[]): number | null {
  if (event !== 'SessionEnd') return null;
  const longest = Math.max(endSeconds, ...actions.map((action) => action.timeout ?? 0));
  return Math.min(longest, endAtMost) * 1000;
}

/** Milliseconds that a handler may take. */
export function timeoutOf(event: HookEventName, action: HandlerAction, budgetMs: number | null): number {
  const own = (action.timeout ?? eventRules[event].defaultSeconds ?? seconds[action.type]) * 1000;
  return budgetMs === null ? own : Math.min(action.timeout === undefined ? budgetMs : own, budgetMs);
}
