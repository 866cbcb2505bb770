// Which session is open when the page starts: the one this tab had, else the folder the program was started with,
// else the one that was open last, else the newest.
import type { SessionSummary } from '#shared/api/sessions';
import { useApp } from './app';
import { useUi } from './ui';

/** Kept per tab, so that two tabs can show two sessions over a reload. */
const tabKey = 'gatehouse.session';

export type StartChoice =
  | { readonly kind: 'open'; readonly sessionId: string }
  | { readonly kind: 'create'; readonly folder: string }
  | { readonly kind: 'none' };

/** Decides what a fresh page opens. `sessions` are last changed first. */
export function chooseStart(facts: {
  readonly sessions: readonly SessionSummary[];
  readonly tabSession: string | null;
  readonly startFolder: string | null;
  readonly lastSession: string | null;
}): StartChoice {
  const { sessions, tabSession, startFolder, lastSession } = facts;
  const has = (id: string | null) => sessions.some((session) => session.sessionId === id);
  if (tabSession !== null && has(tabSession)) return { kind: 'open', sessionId: tabSession };
  if (startFolder !== null) {
    const there = sessions.find((session) => session.folder === startFolder);
    return there === undefined ? { kind: 'create', folder: startFolder } : { kind: 'open', sessionId: there.sessionId };
  }
  if (lastSession !== null && has(lastSession)) return { kind: 'open', sessionId: lastSession };
  // A loopback host on another port is another site to the browser, which then remembers nothing.
  const [newest] = sessions;
  return newest === undefined ? { kind: 'none' } : { kind: 'open', sessionId: newest.sessionId };
}

/** Opens the right session once the list is there, and remembers every later choice. */
export function followStart(): void {
  const stop = useApp.subscribe(({ sessions, hello, activeSessionId }) => {
    if (sessions === null || hello === null) return;
    stop();
    useApp.subscribe((now, before) => {
      if (now.activeSessionId !== before.activeSessionId) remember(now.activeSessionId);
    });
    if (activeSessionId !== null) {
      remember(activeSessionId);
      return;
    }
    const choice = chooseStart({
      sessions,
      tabSession: sessionStorage.getItem(tabKey),
      startFolder: hello.startFolder,
      lastSession: useUi.getState().lastSessionId,
    });
    if (choice.kind === 'open') useApp.getState().openSession(choice.sessionId);
    if (choice.kind === 'create') void useApp.getState().createSession(choice.folder);
  });
}

function remember(sessionId: string | null): void {
  useUi.setState({ lastSessionId: sessionId });
  if (sessionId === null) sessionStorage.removeItem(tabKey);
  else sessionStorage.setItem(tabKey, sessionId);
}
