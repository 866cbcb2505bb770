// What confines the commands of the active session.
import { create } from 'zustand';
import type { SandboxView } from '#shared/api/sandbox';
import { host } from '../host/client';
import { useApp } from './app';
import { useSession } from './session';
import { messageOf } from './toasts';

interface SandboxStore {
  readonly sessionId: string | null;
  /** null until it has come. */
  readonly view: SandboxView | null;
  /** Why it could not be loaded; empty when all is well. */
  readonly problem: string;
  /** Loads the active session's sandbox again. */
  reload(): Promise<void>;
}

export const useSandbox = create<SandboxStore>()((set, get) => {
  // Only the answer to the latest question counts: settings may change while one is under way.
  let asked = 0;
  return {
    sessionId: null,
    view: null,
    problem: '',
    async reload() {
      const { sessionId } = get();
      if (sessionId === null) return;
      asked += 1;
      const question = asked;
      const current = () => question === asked && get().sessionId === sessionId;
      try {
        const view = await host().call('sandbox.view', { sessionId });
        if (current()) set({ view, problem: '' });
      } catch (error) {
        if (current()) set({ problem: messageOf(error) });
      }
    },
  };
});

/** Keeps the store on the active session. Call once after `createHost`, before `start`. Returns the way to stop. */
export function followSandbox(): () => void {
  const link = host();
  const reload = (): void => {
    if (link.state.status === 'open') void useSandbox.getState().reload();
  };
  const stops = [
    link.onState((state) => {
      if (state.status === 'open') reload();
    }),
    link.on('host.sandbox', reload),
    // Told whenever the settings files changed, or what a session allows.
    link.on('permissions.changed', ({ sessionId }) => {
      if (sessionId === useSandbox.getState().sessionId) reload();
    }),
    useApp.subscribe(({ activeSessionId }) => {
      if (activeSessionId === useSandbox.getState().sessionId) return;
      useSandbox.setState({ sessionId: activeSessionId, view: null, problem: '' });
      reload();
    }),
    useSession.subscribe((now, before) => {
      const same = now.sessionId !== null && now.sessionId === before.sessionId && before.status === 'ready';
      if (same && now.state.network !== before.state.network) reload();
    }),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}
