import { expect, it } from 'vitest';
import { TransportListeners } from './transportListeners';

it('delivers to all who listen, until they stop', () => {
  const ends = new TransportListeners();
  const seen: unknown[] = [];
  const stop = ends.onMessage((message) => seen.push(['a', message]));
  ends.onMessage((message) => seen.push(['b', message]));
  ends.deliver(1);
  stop();
  stop();
  ends.deliver(2);
  expect(seen).toEqual([
    ['a', 1],
    ['b', 1],
    ['b', 2],
  ]);
});

it('ends once and delivers nothing after', () => {
  const ends = new TransportListeners();
  const seen: unknown[] = [];
  ends.onMessage((message) => seen.push(message));
  ends.onClose((reason) => seen.push(reason));
  ends.onClose((reason) => seen.push(reason))();
  ends.close('gone');
  ends.close('again');
  ends.deliver(1);
  expect({ seen, closed: ends.closed }).toEqual({ seen: ['gone'], closed: true });
});

it('lets a listener stop another while a message is delivered', () => {
  const ends = new TransportListeners();
  const seen: string[] = [];
  let stop = (): void => undefined;
  ends.onMessage(() => stop());
  stop = ends.onMessage(() => seen.push('second'));
  ends.deliver(1);
  ends.deliver(2);
  expect(seen).toEqual(['second']);
});
