import { expect, it } from 'vitest';
import type { SessionEventBody } from './events';
import { reduce } from './reduce';
import { activityOf, emptyState, type SessionState } from './state';

const after = (state: SessionState, ...bodies: readonly SessionEventBody[]): SessionState =>
  bodies.reduce((now, body) => reduce(now, { seq: now.seq + 1, at: now.seq + 1, body }), state);

const created: SessionEventBody = {
  type: 'call.created',
  callId: 'c1',
  messageId: 'm1',
  name: 'Bash',
  input: {},
  presentation: { title: 'Bash', summary: 'curl', activity: '', icon: 'terminal' },
};
const asked = (askId: string, callId = 'c1'): SessionEventBody => ({
  type: 'network.asked',
  ask: { askId, callId, host: `${askId}.example`, port: 443, command: 'curl', agent: null, patterns: [] },
});

it('a call keeps which hosts were asked about, what was said, and that through its end', () => {
  const outcome = { by: 'person', allowed: true, lasts: 'once' } as const;
  const state = after(
    emptyState(),
    created,
    { type: 'call.started', callId: 'c1' },
    asked('a'),
    asked('b'),
    asked('c', 'unknown'),
    { type: 'network.answered', askId: 'b', callId: 'c1', outcome },
    { type: 'call.finished', callId: 'c1', status: 'succeeded', content: [], view: null, note: '' },
  );
  expect(state.calls.c1?.hosts).toEqual([
    { askId: 'a', host: 'a.example', port: 443, askedAt: 3, answered: null },
    { askId: 'b', host: 'b.example', port: 443, askedAt: 4, answered: { at: 6, outcome } },
  ]);
  expect(Object.keys(state.calls)).toEqual(['c1']);
  expect(state.networkAsks.map(({ ask, askedAt }) => [ask.askId, askedAt])).toEqual([
    ['a', 3],
    ['c', 5],
  ]);
});

it('a state stays as it was while hosts are asked about and answered', () => {
  const running = after(emptyState(), created, { type: 'call.started', callId: 'c1' });
  const asking = after(running, asked('a'));
  const kept = structuredClone(asking);
  const outcome = { by: 'person', allowed: false } as const;
  const answered = after(asking, { type: 'network.answered', askId: 'a', callId: 'c1', outcome });
  expect(running.calls.c1?.hosts).toBeUndefined();
  expect(asking).toEqual(kept);
  expect(asking.calls).not.toBe(running.calls);
  expect(answered.calls.c1?.hosts?.[0]?.answered?.outcome).toEqual(outcome);
});

it('a session waits for the person while a host is asked about', () => {
  const waiting = after(emptyState(), created, asked('a'));
  const done = after(waiting, {
    type: 'network.answered',
    askId: 'a',
    callId: 'c1',
    outcome: { by: 'abort', allowed: false },
  });
  expect([activityOf(waiting), activityOf(done)]).toEqual(['waiting', 'idle']);
});
