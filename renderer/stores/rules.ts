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
  async removeRule(rule) {
    const { sessionId } = get();
    if (sessionId === null) return false;
    try {
      await host().call('permissions.removeRule', { sessionId, rule });
      return true;
    } catch (error) {
      reportFailure('The rule was not removed.', error);
      return false;
    }
  },
}));

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
