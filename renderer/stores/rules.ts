// Rules, settings files and warnings in force for the active session.
import { create } from 'zustand';
import type { RulesView } from '#shared/api/permissions';
import type { RuleRef } from '#shared/permissions/decision';
import { host } from '../host/client';
import { useApp } from './app';
import { messageOf, reportFailure } from './toasts';

interface RulesStore {
  readonly sessionId: string | null;
  /** null until it has come. */
  readonly view: RulesView | null;
  /** Why the rules could not be loaded; empty when all is well. */
  readonly problem: string;
  /** Loads the active session's rules again. */
  reload(): Promise<void>;
  /** Takes back a rule that was saved from an ask. */
  removeRule(rule: RuleRef): Promise<boolean>;
  /** Trusts the session's folder, or takes that back. */
  setTrust(trusted: boolean): Promise<boolean>;
  /** Lets a pattern ask again that was denied too often. */
  liftDenial(pattern: string): Promise<boolean>;
}

export const useRules = create<RulesStore>()((set, get) => ({
  sessionId: null,
  view: null,
  problem: '',
  async reload() {
    const { sessionId } = get();
    if (sessionId === null) return;
    try {
      const view = await host().call('permissions.rules', { sessionId });
      if (get().sessionId === sessionId) set({ view, problem: '' });
    } catch (error) {
      if (get().sessionId === sessionId) set({ problem: messageOf(error) });
    }
  },
  removeRule: (rule) =>
    act('The rule was not removed.', (sessionId) => host().call('permissions.removeRule', { sessionId, rule })),
  setTrust: (trusted) =>
    act('The trust was not changed.', (sessionId) => host().call('permissions.trust', { sessionId, trusted })),
  liftDenial: (pattern) =>
    act('It is still denied without asking.', (sessionId) =>
      host().call('permissions.liftDenial', { sessionId, pattern }),
    ),
}));

/** Runs an action on the active session; a failure becomes a toast. */
async function act(failure: string, action: (sessionId: string) => Promise<unknown>): Promise<boolean> {
  const { sessionId } = useRules.getState();
  if (sessionId === null) return false;
  try {
    await action(sessionId);
    return true;
  } catch (error) {
    reportFailure(failure, error);
    return false;
  }
}

/** Keeps the store on the active session. Call once after `createHost`, before `start`. Returns the way to stop. */
export function followRules(): () => void {
  const link = host();
  const stops = [
    link.on('permissions.changed', ({ sessionId, view }) => {
      if (sessionId === useRules.getState().sessionId) useRules.setState({ view, problem: '' });
    }),
    link.onState((state) => {
      if (state.status === 'open') void useRules.getState().reload();
    }),
    useApp.subscribe(({ activeSessionId }) => {
      if (activeSessionId === useRules.getState().sessionId) return;
      useRules.setState({ sessionId: activeSessionId, view: null, problem: '' });
      if (link.state.status === 'open') void useRules.getState().reload();
    }),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}
