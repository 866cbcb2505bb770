import { expect, test } from 'vitest';
import { HeadTailBytes } from './headTailBytes';

function parts(text: string, chunk: number) {
  const kept = new HeadTailBytes();
  const characters = [...text];
  for (let at = 0; at < characters.length; at += chunk) {
    kept.add(Buffer.from(characters.slice(at, at + chunk).join('')));
  }
  return kept.parts();
}

test.each([
  { name: 'nothing', text: '' },
  { name: 'a little', text: 'grüße 😀' },
  { name: 'exactly one half', text: 'x'.repeat(32_768) },
  { name: 'a little more', text: `${'x'.repeat(32_768)}yz` },
  { name: 'both halves', text: `${'x'.repeat(32_768)}${'y'.repeat(32_768)}` },
  { name: 'more than both', text: Array.from({ length: 60_000 }, (_, index) => `${index} `).join('') },
  { name: 'wide characters', text: Array.from({ length: 50_000 }, (_, index) => `${index % 10}😀`).join('') },
  { name: 'much', text: '0123456789'.repeat(100_000) },
])('$name', ({ text }) => {
  for (const chunk of [1_000, 50_000, 10_000_000]) {
    const { head, tail, totalChars } = parts(text, chunk);
    expect(totalChars).toBe(text.length);
    expect(text.startsWith(head)).toBe(true);
    expect(text.endsWith(tail)).toBe(true);
    expect(head.length + tail.length).toBeLessThanOrEqual(text.length);
    // Half a pair more or less.
    const wanted = Math.min(text.length, 65_536);
    expect(wanted - head.length - tail.length).toBeGreaterThanOrEqual(0);
    expect(wanted - head.length - tail.length).toBeLessThanOrEqual(text.length > 65_536 ? 2 : 0);
    expect(Buffer.from(head + tail).toString()).toBe(head + tail);
  }
});
