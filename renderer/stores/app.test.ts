import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { RpcError } from '#shared/rpc/errors';
import {
  createFakeCore,
  type FakeCore,
  type FakeHandlers,
  hello,
  noKey,
  preferences,
  rehearsal,
  summary,
} from '../testing/fakeCore';
import { resetStores } from '../testing/resetStores';
import { followHost, useApp, waitingCount } from './app';
import { useToasts } from './toasts';

let core: FakeCore;

async function start(answers: Partial<FakeHandlers> = {}): Promise<void> {
  core = createFakeCore(answers);
  followHost();
  core.link.start();
  await vi.waitFor(() =>
    expect(useApp.getState()).toMatchObject({ connection: { status: 'open' }, models: [rehearsal] }),
  );
}

beforeEach(resetStores);
afterEach(() => core.link.dispose());

describe('app store', () => {
  it('holds all that the page starts with', async () => {
    const sessions = [summary({ sessionId: 'a' })];
    await start({ 'sessions.list': () => ({ sessions }) });
    expect(useApp.getState()).toMatchObject({
      hello,
      sandbox: hello.sandbox,
      executor: hello.executor,
      preferences,
      key: noKey,
      models: [rehearsal],
      sessions,
      page: 'chat',
      activeSessionId: null,
    });
  });

  it('follows what the core announces', async () => {
    await start();
    const sessions = [summary({ sessionId: 'b', activity: 'waiting' })];
    core.emit('sessions.changed', { sessions });
    core.emit('host.executor', { status: 'down', detail: 'ended five times' });
    core.emit('settings.changed', { preferences: { ...preferences, theme: 'dark' }, key: noKey });
    await vi.waitFor(() =>
      expect(useApp.getState()).toMatchObject({
        sessions,
        executor: { status: 'down', detail: 'ended five times' },
        preferences: { theme: 'dark' },
      }),
    );
    expect(waitingCount(useApp.getState().sessions)).toBe(1);
  });

  it('keeps the reason while it tries to connect again, and what it knows', async () => {
    await start({ 'sessions.list': () => ({ sessions: [summary({ sessionId: 'a' })] }) });
    core.goAway('it stopped');
    await vi.waitFor(() => expect(useApp.getState().connection.status).toBe('lost'));
    expect(useApp.getState().connection).toMatchObject({ reason: 'it stopped', trying: false });
    const seen: unknown[] = [];
    useApp.subscribe(({ connection }) => seen.push(connection));
    useApp.getState().retryConnection();
    expect(seen).toEqual([{ status: 'lost', reason: 'it stopped', retryAt: null, trying: true }]);
    expect(useApp.getState().sessions).toEqual([summary({ sessionId: 'a' })]);
  });

  it('opens the session that it made', async () => {
    await start({ 'sessions.create': ({ folder }) => ({ sessionId: `in ${folder}` }) });
    useApp.getState().go('settings');
    expect(await useApp.getState().createSession('/srv/app')).toBeNull();
    expect(useApp.getState()).toMatchObject({ activeSessionId: 'in /srv/app', page: 'chat' });
  });

  it('gives the cause when a folder cannot be used', async () => {
    await start({
      'sessions.create': () => {
        throw new RpcError('refused', 'The folder cannot be read. Choose another.');
      },
    });
    expect(await useApp.getState().createSession('/root')).toBe('The folder cannot be read. Choose another.');
    expect(useApp.getState().activeSessionId).toBeNull();
  });

  it('shows fact and cause when an action fails', async () => {
    await start({
      'sessions.delete': () => {
        throw new RpcError('conflict', 'It is still at work. Stop it first.');
      },
    });
    expect(await useApp.getState().deleteSession('a')).toBe(false);
    expect(useToasts.getState().toasts).toMatchObject([
      { level: 'error', title: 'The session was not deleted.', text: 'It is still at work. Stop it first.' },
    ]);
  });

  it('starts a compaction, or says why it did not', async () => {
    let busy = false;
    await start({
      'sessions.compact': () => {
        if (busy) throw new RpcError('conflict', 'The session is running. Stop it or wait.');
        return {};
      },
    });
    expect(await useApp.getState().compactSession('a')).toBe(true);
    busy = true;
    expect(await useApp.getState().compactSession('a')).toBe(false);
    expect(useToasts.getState().toasts).toMatchObject([
      { title: 'The conversation was not compacted.', text: 'The session is running. Stop it or wait.' },
    ]);
  });

  it('leaves a session that was deleted elsewhere, not one that is new', async () => {
    await start({ 'sessions.list': () => ({ sessions: [summary({ sessionId: 'a' })] }) });
    await vi.waitFor(() => expect(useApp.getState().sessions).toHaveLength(1));
    useApp.getState().openSession('new');
    core.emit('sessions.changed', { sessions: [summary({ sessionId: 'a', title: 'x' })] });
    await vi.waitFor(() => expect(useApp.getState().sessions?.[0]?.title).toBe('x'));
    expect(useApp.getState().activeSessionId).toBe('new');
    useApp.getState().openSession('a');
    core.emit('sessions.changed', { sessions: [] });
    await vi.waitFor(() => expect(useApp.getState().activeSessionId).toBeNull());
  });

  it('loads the models again when key or address change', async () => {
    await start({ 'settings.setApiKey': () => ({ key: { ...noKey, source: 'stored', hint: 'abcd' } }) });
    const loads = () => core.calls.filter(({ method }) => method === 'models.list').length;
    expect(loads()).toBe(1);
    expect(await useApp.getState().setApiKey('sk-12345678', true)).toBeNull();
    expect(loads()).toBe(2);
    await useApp.getState().setPreferences({ baseUrl: 'http://127.0.0.1:1' });
    expect(loads()).toBe(3);
    await useApp.getState().setPreferences({ theme: 'light' });
    expect(loads()).toBe(3);
  });
});
