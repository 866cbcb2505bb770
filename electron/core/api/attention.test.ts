import { expect, it } from 'vitest';
import type { SessionEventBody } from '#shared/session/events';
import { attentionOf } from './attention';

const queued = [{ messageId: 'm', text: 'next' }];
const finished = (outcome: 'done' | 'failed' | 'stopped' | 'interrupted' | 'deferred') =>
  ({ type: 'turn.finished', turnId: 't', outcome }) as const;

it.each<readonly [name: string, body: SessionEventBody, queue: typeof queued, kind: string | null]>([
  ['the end of a turn', finished('done'), [], 'ended'],
  ['a turn before the next one', finished('done'), queued, null],
  ['a failed turn', finished('failed'), queued, 'failed'],
  ['a turn that the person stopped', finished('stopped'), [], null],
  ['a call that ended', { type: 'call.started', callId: 'c' }, [], null],
])('%s', (_name, body, queue, kind) => {
  const told = attentionOf({ seq: 1, at: 1, body }, { title: 'Tides', queue });
  expect(told === null ? null : [told.kind, told.title]).toEqual(kind === null ? null : [kind, 'Tides']);
});
