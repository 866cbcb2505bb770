import { expect, it } from 'vitest';
import { type SessionEvent, SessionEventBody } from '#shared/session/events';
import { isOutcome, outcomeOf } from './outcomeEvents';

const decision = { behavior: 'allow', reason: { type: 'noPermissionNeeded' }, parts: [] } as const;

it('leaves out what happens on the way, and nothing that a turn comes to', () => {
  const types = SessionEventBody.options.map((option) => option.shape.type.value);
  const left = types.filter((type) => !isOutcome(type));
  expect(left.sort()).toEqual([
    'agent.changed',
    'call.created',
    'call.presented',
    'call.started',
    'call.stepEnded',
    'call.stepStarted',
    'context.added',
    'cwd.changed',
    'hook.ran',
    'task.changed',
    'todos.changed',
  ]);
});

it('tells how a call was decided and how it ended, without contents', () => {
  const content = [{ type: 'text' as const, text: 'x'.repeat(9_000) }];
  const view = { kind: 'text' as const, text: 'x'.repeat(9_000) };
  const parts = [{ text: 'npm test', kind: 'command' as const, behavior: 'allow' as const, reason: decision.reason }];
  const events: SessionEvent[] = [
    { seq: 1, at: 5, body: { type: 'call.decided', callId: 'm.0', decision: { ...decision, parts } } },
    { seq: 2, at: 6, body: { type: 'call.finished', callId: 'm.0', status: 'denied', content, view, note: 'no' } },
    { seq: 3, at: 7, body: { type: 'turn.finished', turnId: 't', outcome: 'done' } },
  ];
  expect(events.map(outcomeOf)).toEqual([
    { seq: 1, at: 5, body: { type: 'call.decided', callId: 'm.0', decision } },
    {
      seq: 2,
      at: 6,
      body: { type: 'call.finished', callId: 'm.0', status: 'denied', content: [], view: null, note: 'no' },
    },
    events[2],
  ]);
});
