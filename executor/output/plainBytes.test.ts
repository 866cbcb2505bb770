import { describe, expect, test } from 'vitest';
import { PlainScreen } from '#shared/terminal/plainScreen';
import { PlainBytes } from './plainBytes';

const ESC = '\u001b';

function bytewise(bytes: Buffer, chunk: number) {
  const pieces: Buffer[] = [];
  const plain = new PlainBytes((text) => pieces.push(Buffer.from(text)));
  for (let at = 0; at < bytes.length; at += chunk) plain.write(Buffer.from(bytes.subarray(at, at + chunk)));
  const before = Buffer.concat([...pieces, plain.pending()]).toString('utf8');
  plain.end();
  return { text: Buffer.concat(pieces), before, nonText: plain.nonText };
}

/** What the screen alone makes of it. */
function screened(bytes: Buffer): string {
  let text = '';
  const screen = new PlainScreen((final) => {
    text += final;
  });
  screen.write(bytes.toString('utf8'));
  return text + screen.pending();
}

function random(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor(state / 65_536) % below;
  };
}

const progress = Array.from({ length: 100 }, (_, index) => `\r${ESC}[2KStep ${index + 1}%`).join('');
const lines = (count: number) => Array.from({ length: count }, (_, index) => `line ${index}\r\n`).join('');

describe('plain text from bytes', () => {
  test.each<{ name: string; from: string | Buffer; text: string; nonText?: number }>([
    { name: 'nothing', from: '', text: '' },
    { name: 'line ends of a terminal', from: 'a\r\nb\r\n', text: 'a\nb\n' },
    { name: 'line ends as they are', from: 'a\nb\n', text: 'a\nb\n' },
    { name: 'more returns than needed', from: 'a\r\r\nb\r', text: 'a\nb' },
    { name: 'redraws', from: `${progress}\r\ndone\r\n`, text: 'Step 100%\ndone\n' },
    { name: 'a redraw without erasing', from: 'abcdef\rxy', text: 'xycdef' },
    { name: 'colours', from: `plain\r\n${ESC}[31mred${ESC}[0m\r\nplain\r\n`, text: 'plain\nred\nplain\n' },
    {
      name: 'earlier lines redrawn',
      from: `${lines(300)}${ESC}[2A${ESC}[2Knew\r\n`,
      text: `${screened(Buffer.from(lines(298)))}new\nline 299\n`,
    },
    { name: 'a window title between', from: `a\r\n${ESC}]0;title\u0007b\r\n`, text: 'a\nb\n' },
    { name: 'characters of all lengths', from: 'é€😀 \uFFFD\r\n', text: 'é€😀 \uFFFD\n' },
    { name: 'NUL', from: 'a\0b', text: 'a\uFFFDb', nonText: 1 },
    { name: 'a cut-off character', from: Buffer.from([0x61, 0xe2, 0x82]), text: 'a\uFFFD', nonText: 1 },
    { name: 'no UTF-8', from: Buffer.from([0x61, 0xff, 0x62, 0x0a]), text: 'a\uFFFDb\n', nonText: 1 },
    { name: 'C1 controls', from: 'a\u0085b\u009bc', text: 'abc' },
    { name: 'other controls', from: 'a\u0007b\u007fc\td', text: 'abc\td' },
  ])('$name', ({ from, text, nonText = 0 }) => {
    const bytes = Buffer.from(from);
    for (const chunk of [1, 2, 3, 7, 100_000]) {
      const made = bytewise(bytes, chunk);
      expect({ chunk, text: made.text.toString('utf8'), nonText: made.nonText }).toEqual({ chunk, text, nonText });
    }
  });

  // Clearing is left out: it drops the empty ones of the changeable lines, of which the screen alone has more.
  test('whatever comes, it is what the screen makes of it', () => {
    const parts = [
      'word ',
      'a longer piece of text',
      '\r\n',
      '\n',
      '\r',
      'é',
      '€',
      '😀',
      '\t',
      '\0',
      '\b',
      `${ESC}[2A`,
      `${ESC}[K`,
      `${ESC}[31m`,
      `${ESC}[0m`,
      `${ESC}[5G`,
      `${ESC}]0;t\u0007`,
      'x'.repeat(9_000),
      lines(40),
      '\u0085',
    ];
    for (let seed = 1; seed <= 150; seed += 1) {
      const next = random(seed);
      const text = Array.from({ length: 5 + next(60) }, () => parts[next(parts.length)]).join('');
      const bytes = Buffer.from(text);
      const made = bytewise(bytes, 1 + next(5_000));
      // With long lines fewer of them stay changeable than the screen keeps.
      const expected =
        text.split('\n').some((line) => line.length > 8_000) || bytes.length > 60_000
          ? made.text.toString()
          : screened(bytes);
      expect({ seed, text: made.text.toString('utf8') }).toEqual({ seed, text: wellFormed(expected) });
    }
  });

  test('random bytes give valid text', () => {
    const next = random(3);
    const bytes = Buffer.from(Array.from({ length: 200_000 }, () => next(256)));
    const { text, nonText } = bytewise(bytes, 4_096);
    const back = text.toString('utf8');
    expect(Buffer.from(back).equals(text)).toBe(true);
    expect([...back].every((char) => char >= ' ' || char === '\n' || char === '\t')).toBe(true);
    expect(nonText).toBeGreaterThan(10_000);
  });

  test('what is pending completes what is final', () => {
    for (const text of ['one\r\ntwo', `${lines(500)}half`, `${ESC}[31mred${ESC}[0m\r\nrest`, 'grüße'])
      for (const chunk of [1, 1_000])
        expect(bytewise(Buffer.from(text), chunk).before).toBe(screened(Buffer.from(text)));
  });

  test('memory does not grow with a line that never ends', () => {
    let bytes = 0;
    const plain = new PlainBytes((text) => {
      bytes += text.length;
    });
    for (let index = 0; index < 100; index += 1) plain.write(Buffer.alloc(65_536, 'x'));
    expect(plain.pending().length).toBeLessThan(100_000);
    plain.end();
    expect(bytes).toBe(6_553_600);
  });
});

/** A screen can leave half a pair behind, which becomes the sign for it in UTF-8. */
function wellFormed(text: string): string {
  return Buffer.from(text).toString('utf8');
}
