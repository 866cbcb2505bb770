// All that waits for a person in a session: calls, and hosts that running commands want to reach.
import type { Ask } from '#shared/session/ask';
import type { NetworkAsk } from '#shared/session/networkAsk';
import { type SessionState, waitingCalls } from '#shared/session/state';

export type WaitingAsk =
  | { readonly about: 'call'; readonly askId: string; readonly askedAt: number; readonly ask: Ask }
  | { readonly about: 'host'; readonly askId: string; readonly askedAt: number; readonly ask: NetworkAsk };

/** Oldest first. */
export function waitingAsks(state: SessionState): readonly WaitingAsk[] {
  const calls = waitingCalls(state).map(
    ({ ask, askedAt }): WaitingAsk => ({ about: 'call', askId: ask.askId, askedAt, ask }),
  );
  const hosts = state.networkAsks.map(
    ({ ask, askedAt }): WaitingAsk => ({ about: 'host', askId: ask.askId, askedAt, ask }),
  );
  return [...calls, ...hosts].sort((a, b) => a.askedAt - b.askedAt);
}
