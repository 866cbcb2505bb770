// Connects the tools that speak for the session and for Gatehouse itself with the rest of the core.
import type { Asks } from '../permissions/asks';
import type { SessionService } from '../sessions/service';
import type { PlanMode } from './planMode';

export interface SelfOptions {
  readonly plans: PlanMode;
}

/** What those tools need. */
export function connectSelf(services: { readonly sessions: SessionService; readonly asks: Asks }): SelfOptions {
  const { sessions, asks } = services;
  return {
    plans: {
      mode: (sessionId) => sessions.state(sessionId).mode,
      async change(sessionId, mode) {
        sessions.append(sessionId, { type: 'mode.changed', mode });
        await asks.settle(sessionId);
      },
    },
  };
}
