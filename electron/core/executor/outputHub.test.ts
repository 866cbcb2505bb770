import { expect, test } from 'vitest';
import { OutputHub, type OutputPiece } from './outputHub';

function watch(hub: OutputHub, callId: string) {
  const pieces: OutputPiece[] = [];
  const attachment = hub.attach(callId, (piece) => pieces.push(piece));
  if (attachment === undefined) throw new Error('no stream');
  return { pieces, attachment };
}

test('a viewer gets the tail, then every piece with its offset', () => {
  const hub = new OutputHub();
  const stream = hub.open('call');
  stream.append('before ');
  const { pieces, attachment } = watch(hub, 'call');
  expect(attachment).toMatchObject({ from: 0, tail: 'before ', ended: false });
  stream.append('one');
  stream.append('two');
  expect(pieces).toEqual([
    { from: 7, text: 'one' },
    { from: 10, text: 'two' },
  ]);
  attachment.detach();
  stream.append('three');
  expect(pieces.length).toBe(2);
});

test('a late viewer gets a bounded tail that splits no pair', () => {
  const hub = new OutputHub();
  const stream = hub.open('call');
  for (let index = 0; index < 30; index += 1) stream.append(`x${'😀'.repeat(10_000)}`);
  const { attachment } = watch(hub, 'call');
  expect(attachment.from + attachment.tail.length).toBe(30 * 20_001);
  expect(attachment.tail.length).toBeLessThanOrEqual(65_536);
  expect(attachment.tail).not.toMatch(/^[\uDC00-\uDFFF]/);
});

test('a slow viewer is held, then goes on without a gap when little was missed', () => {
  const hub = new OutputHub();
  const stream = hub.open('call');
  const { pieces, attachment } = watch(hub, 'call');
  stream.append('a'.repeat(60_000));
  stream.append('b'.repeat(60_000));
  stream.append('c'.repeat(1_000));
  expect(pieces.map(({ text }) => text.length)).toEqual([60_000, 60_000]);
  attachment.acknowledge(114_000);
  expect(pieces.length).toBe(2);
  attachment.acknowledge(120_000);
  expect(pieces[2]).toEqual({ from: 120_000, text: 'c'.repeat(1_000) });
});

test('a viewer that is far behind is skipped ahead, and others are not slowed', () => {
  const hub = new OutputHub();
  const stream = hub.open('call');
  const slow = watch(hub, 'call');
  const quick = watch(hub, 'call');
  for (let index = 0; index < 50; index += 1) {
    stream.append(String(index % 10).repeat(50_000));
    quick.attachment.acknowledge((index + 1) * 50_000);
  }
  stream.end();
  expect(quick.pieces.length).toBe(50);
  const sent = slow.pieces.reduce((sum, { text }) => sum + text.length, 0);
  expect(sent).toBe(150_000);
  slow.attachment.acknowledge(sent);
  expect(slow.pieces.at(-1)).toEqual({ from: 2_500_000 - 65_536, text: '8'.repeat(15_536) + '9'.repeat(50_000) });
});

test('ended streams stay for a while, unknown ones do not exist', () => {
  const hub = new OutputHub();
  expect(hub.attach('none', () => undefined)).toBeUndefined();
  for (let index = 0; index < 40; index += 1) {
    const stream = hub.open(`call ${index}`);
    stream.append('x');
    stream.end();
  }
  expect(hub.attach('call 0', () => undefined)).toBeUndefined();
  expect(hub.attach('call 39', () => undefined)).toMatchObject({ tail: 'x', ended: true });
});

test('a gap in the stream is a gap for viewers, old and new', () => {
  const hub = new OutputHub();
  const stream = hub.open('call');
  const early = watch(hub, 'call');
  stream.append('start', 0);
  stream.append('later', 1_000);
  stream.append('end', 1_005);
  expect(early.pieces).toEqual([
    { from: 0, text: 'start' },
    { from: 1_000, text: 'later' },
    { from: 1_005, text: 'end' },
  ]);
  expect(watch(hub, 'call').attachment).toMatchObject({ from: 1_000, tail: 'laterend' });
});
