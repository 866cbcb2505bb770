// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createFakeCore, type FakeCore, preferences } from '../testing/fakeCore';
import { resetStores } from '../testing/resetStores';
import { followHost, useApp } from './app';
import { followNotifications, notificationPermission } from './notifications';
import { useToasts } from './toasts';
import { useUi } from './ui';

interface Shown {
  readonly title: string;
  readonly body: string | undefined;
  onclick: (() => void) | null;
}

let core: FakeCore;
let shown: Shown[];

/** A system that shows notifications, as the person has allowed it. */
function system(permission: 'granted' | 'denied' | 'default'): void {
  class SystemNotification implements Shown {
    static readonly permission = permission;
    readonly body: string | undefined;
    onclick: (() => void) | null = null;
    constructor(
      readonly title: string,
      options: { readonly body?: string } = {},
    ) {
      this.body = options.body;
      shown.push(this);
    }
    close(): void {}
  }
  vi.stubGlobal('Notification', SystemNotification);
}

const inFront = (focused: boolean) => vi.spyOn(document, 'hasFocus').mockReturnValue(focused);

beforeEach(async () => {
  shown = [];
  resetStores();
  core = createFakeCore({});
  followHost();
  followNotifications();
  core.link.start();
  await vi.waitFor(() => expect(useApp.getState().connection.status).toBe('open'));
});

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  core.link.dispose();
});

const notify = async () => {
  core.emit('session.notification', { sessionId: 'b', title: 'Tides', message: 'The tests pass.' });
  await vi.waitFor(() => expect(shown.length + useToasts.getState().toasts.length).toBe(1));
};

it('uses the system where the window is not in front, and leads to the session', async () => {
  system('granted');
  inFront(false);
  vi.spyOn(window, 'focus').mockReturnValue();
  await notify();
  expect(shown.map(({ title, body }) => [title, body])).toEqual([['Tides', 'The tests pass.']]);
  shown[0]?.onclick?.();
  expect(useApp.getState().activeSessionId).toBe('b');
});

it.each([
  ['the window is in front', 'granted', true],
  ['the person has not allowed it', 'denied', false],
  ['nobody has been asked', 'default', false],
] as const)('shows it in the page where %s', async (_name, permission, focused) => {
  system(permission);
  inFront(focused);
  await notify();
  const { toasts } = useToasts.getState();
  expect(toasts).toMatchObject([{ level: 'info', title: 'Tides', text: 'The tests pass.' }]);
  toasts[0]?.action?.run();
  expect(useApp.getState().activeSessionId).toBe('b');
});

describe('attention', () => {
  const tell = (kind: 'waiting' | 'ended' | 'failed') =>
    core.emit('session.attention', { sessionId: 'b', kind, title: 'Tides', message: 'Bash wants to run a command.' });
  const settled = () => new Promise((resolve) => setTimeout(resolve, 0));

  it('leads a person to the ask that waits, and answers nothing', async () => {
    system('granted');
    inFront(false);
    const front = vi.spyOn(window, 'focus').mockReturnValue();
    tell('waiting');
    await vi.waitFor(() => expect(shown).toHaveLength(1));
    const before = useUi.getState().askWantedAt;
    shown[0]?.onclick?.();
    expect([useApp.getState().activeSessionId, front.mock.calls.length]).toEqual(['b', 1]);
    expect(useUi.getState().askWantedAt).toBeGreaterThan(before);
    expect(core.calls.map(({ method }) => method)).not.toContain('sessions.answer');
  });

  it.each([
    ['the window is in front', 'granted', true, {}],
    ['nobody has allowed it', 'default', false, {}],
    ['the person does not want to hear of it', 'granted', false, { failed: false }],
  ] as const)('is silent where %s', async (_name, permission, focused, notify) => {
    system(permission);
    inFront(focused);
    useApp.setState({ preferences: { ...preferences, notify: { ...preferences.notify, ...notify } } });
    tell('failed');
    await settled();
    expect([shown, useToasts.getState().toasts]).toEqual([[], []]);
  });
});

it('knows browsers without notifications', () => {
  expect(notificationPermission()).toBe('unavailable');
});
