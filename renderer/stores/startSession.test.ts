// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createFakeCore, type FakeCore, hello, summary } from '../testing/fakeCore';
import { resetStores } from '../testing/resetStores';
import { followHost, useApp } from './app';
import { chooseStart, followStart } from './startSession';
import { useUi } from './ui';

const sessions = [
  summary({ sessionId: 'new', folder: '/a' }),
  summary({ sessionId: 'old', folder: '/a' }),
  summary({ sessionId: 'b', folder: '/b' }),
];
const none = { sessions, tabSession: null, startFolder: null, lastSession: null };

describe('the session that a fresh page opens', () => {
  it.each([
    ['no session at all', { ...none, sessions: [] }, { kind: 'none' }],
    ['nothing remembered: the newest', none, { kind: 'open', sessionId: 'new' }],
    [
      'the one of the tab',
      { ...none, tabSession: 'b', startFolder: '/a', lastSession: 'old' },
      { kind: 'open', sessionId: 'b' },
    ],
    [
      'a tab whose session is gone',
      { ...none, tabSession: 'gone', lastSession: 'old' },
      { kind: 'open', sessionId: 'old' },
    ],
    [
      'a folder from the command line with sessions',
      { ...none, startFolder: '/a', lastSession: 'b' },
      { kind: 'open', sessionId: 'new' },
    ],
    ['a folder from the command line without', { ...none, startFolder: '/c' }, { kind: 'create', folder: '/c' }],
    ['the last one', { ...none, lastSession: 'b' }, { kind: 'open', sessionId: 'b' }],
    ['the last one is gone: the newest', { ...none, lastSession: 'gone' }, { kind: 'open', sessionId: 'new' }],
  ] as const)('%s', (_name, facts, expected) => {
    expect(chooseStart(facts)).toEqual(expected);
  });
});

describe('a fresh page', () => {
  let core: FakeCore;

  beforeEach(() => {
    sessionStorage.clear();
    localStorage.clear();
    resetStores();
  });

  afterEach(() => core.link.dispose());

  function start(startFolder: string | null): void {
    core = createFakeCore({ hello: () => ({ ...hello, startFolder }), 'sessions.list': () => ({ sessions }) });
    followHost();
    followStart();
    core.link.start();
  }

  it('opens a session and remembers every later choice for the tab and for the next start', async () => {
    start('/b');
    await vi.waitFor(() => expect(useApp.getState().activeSessionId).toBe('b'));
    expect(sessionStorage.getItem('gatehouse.session')).toBe('b');
    useApp.getState().openSession('old');
    expect(sessionStorage.getItem('gatehouse.session')).toBe('old');
    expect(useUi.getState().lastSessionId).toBe('old');
    useApp.getState().openSession(null);
    expect(sessionStorage.getItem('gatehouse.session')).toBeNull();
  });

  it('goes back to the session of the tab, whatever another tab opened last', async () => {
    sessionStorage.setItem('gatehouse.session', 'old');
    useUi.setState({ lastSessionId: 'b' });
    start(null);
    await vi.waitFor(() => expect(useApp.getState().activeSessionId).toBe('old'));
  });

  it('begins one in the folder of the command line, once', async () => {
    start('/c');
    await vi.waitFor(() => expect(useApp.getState().activeSessionId).toBe('new'));
    core.emit('sessions.changed', { sessions });
    await vi.waitFor(() => expect(useApp.getState().sessions).toEqual(sessions));
    expect(core.calls.filter(({ method }) => method === 'sessions.create')).toHaveLength(1);
  });
});
