import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { SandboxView } from '#shared/api/sandbox';
import { RpcError } from '#shared/rpc/errors';
import { emptyState } from '#shared/session/state';
import { createFakeCore, type FakeCore, type FakeHandlers, noRules, sandboxView } from '../testing/fakeCore';
import { resetStores } from '../testing/resetStores';
import { followHost, useApp } from './app';
import { followSandbox, useSandbox } from './sandbox';
import { useSession } from './session';

let core: FakeCore;
let stop: () => void;

async function start(answers: Partial<FakeHandlers> = {}): Promise<void> {
  core = createFakeCore(answers);
  followHost();
  stop = followSandbox();
  core.link.start();
  await vi.waitFor(() => expect(core.link.state.status).toBe('open'));
  useApp.getState().openSession('s1');
}

const asked = () => core.calls.filter(({ method }) => method === 'sandbox.view').map(({ params }) => params);
const open: SandboxView = { ...sandboxView, network: { ...sandboxView.network, reach: 'open' } };

beforeEach(resetStores);
afterEach(() => {
  stop();
  core.link.dispose();
});

describe('sandbox store', () => {
  it('holds what counts in the open session, and nothing of another', async () => {
    await start();
    await vi.waitFor(() => expect(useSandbox.getState()).toMatchObject({ sessionId: 's1', view: sandboxView }));
    useApp.getState().openSession(null);
    expect(useSandbox.getState()).toMatchObject({ sessionId: null, view: null, problem: '' });
    expect(asked()).toEqual([{ sessionId: 's1' }]);
  });

  it.each<[string, () => void]>([
    ['settings or rules of the session', () => core.emit('permissions.changed', { sessionId: 's1', view: noRules })],
    ['the sandbox of the machine', () => core.emit('host.sandbox', { ...sandboxView.state, active: false })],
    [
      "the session's network",
      () => {
        useSession.setState({ sessionId: 's1', status: 'ready', state: emptyState() });
        useSession.setState({ state: { ...emptyState(), network: true } });
      },
    ],
  ])('is loaded again with a change of %s', async (_what, change) => {
    await start();
    await vi.waitFor(() => expect(useSandbox.getState().view).toEqual(sandboxView));
    core.answers = { 'sandbox.view': () => open };
    change();
    await vi.waitFor(() => expect(useSandbox.getState().view).toEqual(open));
  });

  it('is not loaded again with a change of another session', async () => {
    await start();
    await vi.waitFor(() => expect(useSandbox.getState().view).toEqual(sandboxView));
    core.emit('permissions.changed', { sessionId: 's2', view: noRules });
    core.emit('host.sandbox', sandboxView.state);
    await vi.waitFor(() => expect(asked()).toEqual([{ sessionId: 's1' }, { sessionId: 's1' }]));
  });

  it('keeps the answer to the latest question, however late an older one comes', async () => {
    let release: (view: SandboxView) => void = () => undefined;
    const late = new Promise<SandboxView>((resolve) => {
      release = resolve;
    });
    await start({ 'sandbox.view': () => late });
    await vi.waitFor(() => expect(asked()).toHaveLength(1));
    core.answers = { 'sandbox.view': () => open };
    await useSandbox.getState().reload();
    release(sandboxView);
    await late;
    await useSandbox.getState().reload();
    expect(useSandbox.getState().view).toEqual(open);
  });

  it('says why it could not be loaded, and what was known stays', async () => {
    await start();
    await vi.waitFor(() => expect(useSandbox.getState().view).toEqual(sandboxView));
    core.answers = {
      'sandbox.view': () => {
        throw new RpcError('unavailable', 'The settings are being read. Try again.');
      },
    };
    await useSandbox.getState().reload();
    expect(useSandbox.getState()).toMatchObject({
      view: sandboxView,
      problem: 'The settings are being read. Try again.',
    });
  });
});
