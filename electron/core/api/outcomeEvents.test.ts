import { expect, it } from 'vitest';
import { SessionEventBody } from '#shared/session/events';
import { saysOutcome } from './outcomeEvents';

it('leaves out what happens on the way, and nothing that a turn comes to', () => {
  const types = SessionEventBody.options.map((option) => option.shape.type.value);
  const left = types.filter((type) => !saysOutcome({ type } as SessionEventBody));
  expect(left.sort()).toEqual([
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
