import type { SessionStore } from '../../stores/session';

/** While something works in the session nothing is restored under its hands: why, in words; empty when it can be. */
export function whyNotRestore({ state, sessionId }: Pick<SessionStore, 'state' | 'sessionId'>): string {
  if (sessionId === null) return '';
  if (state.turn !== null) return 'The session is at work. Stop it or wait until it is done, then restore.';
  const agents = Object.values(state.agents).some(({ status }) => status === 'running');
  return agents ? 'A sub-agent is still at work. Stop it or wait until it is done, then restore.' : '';
}
