import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Coalescer } from './coalesce';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test('small pieces wait and go together', () => {
  const pieces: string[] = [];
  const coalescer = new Coalescer((text) => pieces.push(text));
  coalescer.add('a');
  coalescer.add('b');
  expect(pieces).toEqual([]);
  vi.advanceTimersByTime(5);
  expect(pieces).toEqual(['ab']);
  coalescer.add('c');
  coalescer.flush();
  vi.advanceTimersByTime(50);
  expect(pieces).toEqual(['ab', 'c']);
});

test('large text goes at once, in pieces that split no pair', () => {
  const pieces: string[] = [];
  const coalescer = new Coalescer((text) => pieces.push(text));
  const text = `${'x'.repeat(65_535)}😀${'y'.repeat(65_536)}`;
  coalescer.add(text);
  expect(pieces.map((piece) => piece.length)).toEqual([65_535, 65_536, 2]);
  expect(pieces.join('')).toBe(text);
  expect(pieces[1]?.startsWith('😀')).toBe(true);
});
