import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ViewerStream } from './viewerStream';

interface Piece {
  readonly from: number;
  readonly text: string;
}

let pieces: Piece[];
let time: number;
let stream: ViewerStream;

beforeEach(() => {
  vi.useFakeTimers();
  pieces = [];
  time = 0;
  stream = new ViewerStream({ emit: (piece) => pieces.push(piece), now: () => time });
});
afterEach(() => {
  stream.dispose();
  vi.useRealTimers();
});

const told = () => pieces.map((piece) => piece.text).join('');

function pass(ms: number): void {
  time += ms;
  vi.advanceTimersByTime(ms);
}

test('tells everything that is little, in order and without gaps', () => {
  for (const text of ['one\r\n', 'grü', 'ße\n', '😀'])
    for (const byte of Buffer.from(text)) stream.add(Buffer.from([byte]));
  stream.end();
  expect(told()).toBe('one\r\ngrüße\r\n😀');
  let end = 0;
  for (const { from, text } of pieces) {
    expect(from).toBe(end);
    end += text.length;
  }
  expect([stream.totalChars, stream.skipped]).toEqual([end, false]);
});

test('puts a return before each line feed that has none', () => {
  for (const text of ['a\n\nb\r', '\nc\r\n', '\n']) stream.add(Buffer.from(text));
  stream.end();
  expect(told()).toBe('a\r\n\r\nb\r\nc\r\n\r\n');
});

test('an unfinished character is told at the end', () => {
  stream.add(Buffer.from([0x61, 0xe2, 0x82]));
  stream.end();
  expect(told()).toBe('a\uFFFD');
});

test('of a flood it tells the start, now and then the newest, and the end', () => {
  const block = (index: number) => Buffer.alloc(100_000, String(index % 10));
  for (let index = 0; index < 100; index += 1) {
    stream.add(block(index));
    for (const { text } of pieces.slice(-2)) stream.acknowledge(text.length);
    pass(10);
  }
  stream.end();
  expect(stream.totalChars).toBe(10_000_000);
  expect(stream.skipped).toBe(true);
  const all = pieces.reduce((sum, piece) => sum + piece.text.length, 0);
  expect(all).toBeGreaterThan(500_000);
  expect(all).toBeLessThan(2_500_000);
  let end = 0;
  for (const { from, text } of pieces) {
    expect(from).toBeGreaterThanOrEqual(end);
    // What is told stands where it says.
    expect(text[0]).toBe(String(Math.floor(from / 100_000) % 10));
    expect(text.at(-1)).toBe(String(Math.floor((from + text.length - 1) / 100_000) % 10));
    end = from + text.length;
  }
  expect(end).toBe(10_000_000);
});

test('a core that takes nothing gets no more than the start and the end', () => {
  for (let index = 0; index < 100; index += 1) {
    stream.add(Buffer.alloc(50_000, 'x'));
    pass(1_000);
  }
  const before = pieces.reduce((sum, piece) => sum + piece.text.length, 0);
  expect(before).toBeLessThanOrEqual(500_000);
  stream.end();
  expect(pieces.reduce((sum, piece) => sum + piece.text.length, 0)).toBe(before + 65_536);
});

test('goes on without a gap when little had to wait', () => {
  for (let index = 0; index < 10; index += 1) stream.add(Buffer.alloc(50_000, 'x'));
  stream.add(Buffer.from('waits a little'));
  for (const { text } of pieces) stream.acknowledge(text.length);
  pass(1_000);
  stream.end();
  expect(stream.skipped).toBe(false);
  expect(told()).toBe(`${'x'.repeat(500_000)}waits a little`);
});
