import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createFakeCore, type FakeCore, type FakeHandlers } from '../testing/fakeCore';
import { resetStores } from '../testing/resetStores';
import { useSession } from './session';
import { useToasts } from './toasts';

let core: FakeCore;

async function start(answers: Partial<FakeHandlers> = {}): Promise<void> {
  core = createFakeCore(answers);
  core.link.start();
  await vi.waitFor(() => expect(core.link.state.status).toBe('open'));
  useSession.setState({ sessionId: 's1', status: 'ready' });
}

beforeEach(resetStores);
afterEach(() => core.link.dispose());

describe('session actions', () => {
  it('send what they should for the open session', async () => {
    await start();
    const session = useSession.getState();
    await session.send('hi');
    await session.unqueue('m1');
    await session.stop();
    await session.stopTask('b1');
    await session.setMode('plan');
    await session.setModel({ id: 'x', label: 'X', scripted: false });
    await session.setNetwork(true);
    expect(core.calls).toEqual([
      { method: 'sessions.send', params: { sessionId: 's1', text: 'hi' } },
      { method: 'sessions.unqueue', params: { sessionId: 's1', messageId: 'm1' } },
      { method: 'sessions.stop', params: { sessionId: 's1' } },
      { method: 'tasks.stop', params: { sessionId: 's1', taskId: 'b1' } },
      { method: 'sessions.setMode', params: { sessionId: 's1', mode: 'plan' } },
      { method: 'sessions.setModel', params: { sessionId: 's1', model: { id: 'x', label: 'X', scripted: false } } },
      { method: 'sessions.setNetwork', params: { sessionId: 's1', network: true } },
    ]);
  });

  it('do nothing without a session', async () => {
    await start();
    useSession.setState({ sessionId: null });
    expect(await useSession.getState().send('hi')).toBe(false);
    expect(core.calls).toEqual([]);
  });

  it('a message that was not sent is reported, so that the text can be kept', async () => {
    await start();
    core.goAway('gone');
    await vi.waitFor(() => expect(core.link.state.status).toBe('lost'));
    expect(await useSession.getState().send('hi')).toBe(false);
    expect(useToasts.getState().toasts).toMatchObject([{ title: 'The message was not sent.' }]);
  });
});
