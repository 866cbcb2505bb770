import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { RpcError } from '#shared/rpc/errors';
import { createFakeCore, hello, noKey, preferences } from '../testing/fakeCore';
import type { LinkState } from './hostLink';

beforeEach(() => {
  vi.useFakeTimers();
  vi.setSystemTime(0);
});

afterEach(() => {
  vi.useRealTimers();
});

/** Lets the linked pair deliver what was sent. */
const settle = () => vi.advanceTimersByTimeAsync(0);

describe('HostLink', () => {
  it('is open after the greeting', async () => {
    const { link } = createFakeCore();
    link.start();
    expect(link.state).toEqual({ status: 'connecting' });
    await settle();
    expect(link.state).toEqual({ status: 'open', hello });
    await expect(link.call('settings.get', {})).resolves.toEqual({ preferences, key: noKey });
  });

  it('waits longer after each failure and says when it tries again', async () => {
    const core = createFakeCore();
    core.goAway('');
    const waits: number[] = [];
    core.link.onState((state) => {
      if (state.status === 'lost') waits.push((state.retryAt ?? 0) - Date.now());
    });
    core.link.start();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(waits.slice(0, 7)).toEqual([500, 1_000, 2_000, 4_000, 8_000, 15_000, 15_000]);
    expect(core.link.state).toMatchObject({ status: 'lost', reason: 'nobody answers' });
  });

  it('comes back by itself, begins the waits anew and keeps its listeners', async () => {
    const core = createFakeCore();
    const heard: string[] = [];
    core.link.on('host.executor', ({ status }) => heard.push(status));
    core.link.start();
    await settle();
    core.goAway('it stopped');
    await settle();
    expect(core.link.state).toEqual({ status: 'lost', reason: 'it stopped', retryAt: 500 });
    core.comeBack();
    await vi.advanceTimersByTimeAsync(500);
    expect(core.link.state.status).toBe('open');
    core.emit('host.executor', { status: 'restarting', detail: '' });
    await settle();
    expect(heard).toEqual(['restarting']);
    core.goAway('it stopped again');
    await settle();
    expect(core.link.state).toMatchObject({ status: 'lost', retryAt: Date.now() + 500 });
  });

  it('tries at once when asked', async () => {
    const core = createFakeCore();
    core.goAway('');
    core.link.start();
    await settle();
    core.comeBack();
    core.link.retryNow();
    await settle();
    expect(core.link.state.status).toBe('open');
  });

  it('does not try again when the versions differ', async () => {
    const message = 'This page is older than the program. Reload it.';
    const core = createFakeCore({
      hello: () => {
        throw new RpcError('refused', message);
      },
    });
    const states: LinkState['status'][] = [];
    core.link.onState((state) => states.push(state.status));
    core.link.start();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(states).toEqual(['connecting', 'lost']);
    expect(core.link.state).toEqual({ status: 'lost', reason: message, retryAt: null });
  });

  it('gives up on a core that accepts the connection and never greets', async () => {
    const core = createFakeCore({ hello: () => new Promise(() => undefined) });
    core.link.start();
    await vi.advanceTimersByTimeAsync(15_000);
    expect(core.link.state).toMatchObject({
      status: 'lost',
      reason: 'Gatehouse accepted the connection but does not answer',
    });
  });

  it('refuses calls without a connection instead of keeping them for later', async () => {
    const core = createFakeCore();
    core.goAway('');
    core.link.start();
    await settle();
    await expect(core.link.call('settings.get', {})).rejects.toMatchObject({ code: 'unavailable' });
    expect(core.calls).toEqual([]);
  });

  it('is silent after dispose', async () => {
    const core = createFakeCore();
    core.link.start();
    await settle();
    const states: LinkState[] = [];
    core.link.onState((state) => states.push(state));
    core.link.dispose();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(states).toEqual([]);
  });
});
