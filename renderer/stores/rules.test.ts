import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { RuleRef } from '#shared/permissions/decision';
import { RpcError } from '#shared/rpc/errors';
import { createFakeCore, type FakeCore, type FakeHandlers, noRules } from '../testing/fakeCore';
import { resetStores } from '../testing/resetStores';
import { followHost, useApp } from './app';
import { followRules, useRules } from './rules';
import { useToasts } from './toasts';

const rule: RuleRef = { text: 'Bash(ls:*)', behavior: 'allow', source: 'localSettings' };

let core: FakeCore;
let stop: () => void;

async function start(answers: Partial<FakeHandlers> = {}): Promise<void> {
  core = createFakeCore(answers);
  followHost();
  stop = followRules();
  core.link.start();
  await vi.waitFor(() => expect(core.link.state.status).toBe('open'));
  useApp.getState().openSession('s1');
}

beforeEach(resetStores);
afterEach(() => {
  stop();
  core.link.dispose();
});

describe('rules store', () => {
  it('loads the rules of the open session and follows changes of that one alone', async () => {
    await start();
    await vi.waitFor(() => expect(useRules.getState()).toMatchObject({ sessionId: 's1', view: noRules, problem: '' }));
    core.emit('permissions.changed', { sessionId: 'other', view: { ...noRules, folders: ['/other'] } });
    core.emit('permissions.changed', { sessionId: 's1', view: { ...noRules, rules: [rule] } });
    await vi.waitFor(() => expect(useRules.getState().view).toEqual({ ...noRules, rules: [rule] }));
    useApp.getState().openSession(null);
    expect(useRules.getState()).toMatchObject({ sessionId: null, view: null });
  });

  it('says why they could not be loaded', async () => {
    await start({
      'permissions.rules': () => {
        throw new RpcError('unavailable', 'The settings are being read. Try again.');
      },
    });
    await vi.waitFor(() => expect(useRules.getState().problem).toBe('The settings are being read. Try again.'));
  });

  it('reports a rule that could not be taken back', async () => {
    await start({
      'permissions.removeRule': () => {
        throw new RpcError('conflict', 'The file has changed.');
      },
    });
    expect(await useRules.getState().removeRule(rule)).toBe(false);
    expect(useToasts.getState().toasts).toMatchObject([
      { title: 'The rule was not removed.', text: 'The file has changed.' },
    ]);
  });
});
