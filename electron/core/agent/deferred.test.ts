import { expect, test } from 'vitest';
import type { HookEvent, HookOutcome } from '../hooks/hooks';
import { ModelFailure } from '../model/client';
import { ask, type Bench, bench, deny, echoTool, message } from '../testing/bench';
import { deferredCall } from './deferred';
import { blocked, fakeHooks } from './testing/fakeHooks';
import { pairingFaults } from './testing/pairingFaults';

const call = (text: string) => ({ call: 'Echo', input: { text } });

const opinion = (behavior: 'allow' | 'defer'): Partial<HookOutcome> => ({
  opinion: { behavior, reason: 'not by day', hook: 'guard.sh' },
});

/** Defers calls until it is told what to do instead. */
function deferring() {
  const state: { says: Partial<HookOutcome> } = { says: opinion('defer') };
  const answer = () => state.says;
  const hooks = fakeHooks({ PreToolUse: answer, PostToolBatch: {} });
  return { state, hooks };
}

function deferringBench(plays: Parameters<typeof bench>[0] = {}) {
  const ran: string[] = [];
  const run = (text: string) => {
    ran.push(text);
    return Promise.resolve(text);
  };
  const { state, hooks } = deferring();
  const services = { deferCall: () => true };
  const b = bench({ hooks, services, canAsk: false, tools: [echoTool({ run })], ...plays });
  return { ...b, ran, state, hooks };
}

async function turn(b: Bench, begin: () => unknown) {
  const done = b.until((body) => body.type === 'turn.finished');
  begin();
  const ended = await done;
  return ended.type === 'turn.finished' ? ended.outcome : '';
}

const batches = (fired: readonly HookEvent[]) => fired.filter(({ name }) => name === 'PostToolBatch').length;

test('a deferred call ends the turn unrun, and is run before the model is asked when the session goes on', async () => {
  const b = deferringBench({ plays: [message({ text: 'I echo.' }, call('a')), message({ text: 'Echoed.' })] });
  expect(await turn(b, () => b.agent.send(b.sessionId, 'go'))).toBe('deferred');
  expect([b.ran, b.requests.length, b.calls()[0]?.status, batches(b.hooks.fired)]).toEqual([[], 1, 'interrupted', 0]);
  expect(deferredCall(b.sessions, b.sessionId)).toMatchObject({ toolUseId: 'u1', name: 'Echo', input: { text: 'a' } });

  b.state.says = opinion('allow');
  expect(await turn(b, () => expect(b.agent.takeUp(b.sessionId)).toBe(true))).toBe('done');
  expect([b.ran, b.requests.length, b.calls()[0]?.status, batches(b.hooks.fired)]).toEqual([['a'], 2, 'succeeded', 1]);
  expect(b.calls()[0]?.steps.map(({ step }) => step)).toHaveLength(7);
  const messages = b.requests[1]?.messages ?? [];
  expect(pairingFaults(messages)).toEqual([]);
  expect(messages.at(-1)?.content).toEqual([
    { type: 'tool_result', tool_use_id: 'u1', content: [{ type: 'text', text: 'a' }] },
  ]);
  expect([deferredCall(b.sessions, b.sessionId), b.agent.takeUp(b.sessionId)]).toEqual([null, false]);
});

test('it may be deferred again and again, and a later denial is the result that the model gets', async () => {
  const b = deferringBench({ plays: [message(call('a'))] });
  await turn(b, () => b.agent.send(b.sessionId, 'go'));
  expect(await turn(b, () => b.agent.takeUp(b.sessionId))).toBe('deferred');
  expect([b.ran, b.requests.length]).toEqual([[], 1]);
  b.state.says = blocked('ask at night');
  b.setDecision(() => deny);
  expect(await turn(b, () => b.agent.takeUp(b.sessionId))).toBe('done');
  expect([b.ran, b.calls()[0]?.status]).toEqual([[], 'denied']);
  expect(JSON.stringify(b.requests[1]?.messages.at(-1))).toContain('Permission denied');
});

test('a message that comes with it follows the result', async () => {
  const b = deferringBench({ plays: [message(call('a'))] });
  await turn(b, () => b.agent.send(b.sessionId, 'go'));
  b.state.says = opinion('allow');
  expect(await turn(b, () => b.agent.send(b.sessionId, 'and be quick'))).toBe('done');
  expect(b.ran).toEqual(['a']);
  expect(b.requests[1]?.messages.at(-1)?.content).toEqual([
    { type: 'tool_result', tool_use_id: 'u0', content: [{ type: 'text', text: 'a' }] },
    { type: 'text', text: 'and be quick' },
  ]);
});

test('where a message has several calls, a deferral is no answer: nobody can be asked, so they do not run', async () => {
  const b = deferringBench({ plays: [message(call('a'), call('b'))] });
  b.setDecision(() => ask);
  expect(await turn(b, () => b.agent.send(b.sessionId, 'go'))).toBe('done');
  expect([b.ran, b.requests.length]).toEqual([[], 2]);
  expect(b.calls().map(({ status }) => status)).toEqual(['denied', 'denied']);
});

test('where the message broke off behind the call, it is not deferred, and the turn does not hang', async () => {
  const broken = async function* () {
    await Promise.resolve();
    const block = { type: 'tool_use' as const, id: 'u0', name: 'Echo', input: { text: 'a' } };
    yield { type: 'block' as const, index: 0, block, cutOff: false };
    throw new ModelFailure('The connection went.', { next: '', retryable: true });
  };
  const b = deferringBench({ plays: [broken] });
  b.setDecision(() => ask);
  expect(await turn(b, () => b.agent.send(b.sessionId, 'go'))).toBe('done');
  expect([b.ran, b.calls()[0]?.status]).toEqual([[], 'denied']);
});

test('a call that is no longer in front of the model is not taken up', async () => {
  const b = deferringBench({ plays: [message(call('a'))] });
  await turn(b, () => b.agent.send(b.sessionId, 'go'));
  const { seq } = b.sessions.state(b.sessionId);
  b.sessions.append(b.sessionId, {
    type: 'conversation.compacted',
    throughSeq: seq,
    summary: 'It wanted to echo.',
    trigger: 'manual',
    tokensBefore: 1,
  });
  expect(b.agent.takeUp(b.sessionId)).toBe(false);
});
