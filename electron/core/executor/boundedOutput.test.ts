import { describe, expect, test } from 'vitest';
import { BoundedOutput } from './boundedOutput';

const ESC = '\u001b';

function plain(text: string, maxChars = 100_000): string {
  const whole = new BoundedOutput();
  whole.append(text);
  const piecemeal = new BoundedOutput();
  for (const unit of text) piecemeal.append(unit);
  expect(piecemeal.plain(maxChars)).toBe(whole.plain(maxChars));
  expect(piecemeal.totalChars).toBe(text.length);
  return whole.plain(maxChars);
}

describe('what the model gets', () => {
  const progress = Array.from({ length: 100 }, (_, index) => `\r${ESC}[2KStep ${index + 1}%`).join('');
  test.each([
    { name: 'line ends', text: 'a\r\nb\r\n', becomes: 'a\nb\n' },
    { name: 'colours', text: `${ESC}[1;31mred${ESC}[0m ${ESC}[38;2;1;2;3mx${ESC}[m`, becomes: 'red x' },
    { name: 'redraws', text: `${progress}\r\ndone\r\n`, becomes: 'Step 100%\ndone\n' },
    { name: 'redraw without erasing', text: 'abcdef\rxy', becomes: 'xycdef' },
    { name: 'backspaces', text: 'abx\b\bc', becomes: 'acx' },
    { name: 'erase to the end', text: `abcdef\rab${ESC}[K`, becomes: 'ab' },
    { name: 'erase to the start', text: `abcdef${ESC}[2D${ESC}[1K`, becomes: '    ef' },
    { name: 'several lines redrawn', text: `one 1\ntwo 1\n${ESC}[2Aone 2\ntwo 2\n`, becomes: 'one 2\ntwo 2\n' },
    { name: 'lines below erased', text: `keep\na\nb\n${ESC}[2A${ESC}[Jnew\n`, becomes: 'keep\nnew\n' },
    { name: 'column set', text: `abc${ESC}[1Gx`, becomes: 'xbc' },
    { name: 'title', text: `${ESC}]0;a title\u0007text`, becomes: 'text' },
    { name: 'link', text: `${ESC}]8;;https://example.org${ESC}\\here${ESC}]8;;${ESC}\\`, becomes: 'here' },
    { name: 'device control', text: `${ESC}Pq#0;1${ESC}\\after`, becomes: 'after' },
    { name: 'character set', text: `${ESC}(Btext${ESC}=`, becomes: 'text' },
    { name: 'unfinished string', text: `${ESC}]0;half\nrest`, becomes: '\nrest' },
    { name: 'control characters', text: 'a\0b\u0007c\u007fd\u0085e\tf', becomes: 'a\uFFFDbcde\tf' },
    { name: 'clear screen', text: `before\n${ESC}[2J${ESC}[Hafter`, becomes: 'before\nafter' },
    { name: 'wide characters', text: 'é€😀\n', becomes: 'é€😀\n' },
    { name: 'half of a pair overwritten', text: '😀\bx', becomes: '\uFFFDx' },
    { name: 'empty', text: '', becomes: '' },
  ])('$name', ({ text, becomes }) => {
    expect(plain(text)).toBe(becomes);
  });

  test('random bytes give valid text without controls, and keep what is printable', () => {
    let seed = 7;
    const random = () => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
      return Math.floor(seed / 65_536) % 256;
    };
    const noise = Buffer.from(Array.from({ length: 20_000 }, random)).toString('utf8');
    const text = plain(`${noise}\nlegible\0 end`);
    expect(text).toContain('legible\uFFFD end');
    expect([...text].every((character) => character >= ' ' || character === '\n' || character === '\t')).toBe(true);
    expect(Buffer.from(text, 'utf8').toString('utf8')).toBe(text);
    expect(text.length).toBeGreaterThan(2_000);
  });

  test('says how much is left out, and keeps start and end', () => {
    const lines = Array.from({ length: 10_000 }, (_, index) => `line ${index + 1}\n`).join('');
    const text = plain(lines, 1_000);
    const [, count] = /\n\[… ([\d,]+) characters left out …\]\n/.exec(text) ?? [];
    const [start, end] = text.split(/\[….*…\]\n/);
    expect(start?.startsWith('line 1\n')).toBe(true);
    expect(end?.startsWith('line ')).toBe(true);
    expect(end?.endsWith('line 10000\n')).toBe(true);
    expect(Number(count?.replaceAll(',', ''))).toBe(lines.length - (start?.length ?? 0) - (end?.length ?? 0));
    expect(text.length).toBeLessThan(1_100);
  });

  test('cuts split no pair', () => {
    for (const max of [100, 101, 102, 103]) expect(plain('😀'.repeat(500), max)).not.toContain('\uFFFD');
  });
});

describe('bounds', () => {
  test('100 MB, with and without line ends', () => {
    const before = process.memoryUsage().heapUsed;
    for (const piece of ['x'.repeat(65_536), `${'y'.repeat(99)}\r\n`.repeat(650)]) {
      const output = new BoundedOutput();
      for (let sent = 0; sent < 100_000_000; sent += piece.length) output.append(piece);
      const { text, hiddenChars } = output.terminal();
      expect(text.length).toBeLessThanOrEqual(65_536);
      expect(text.length + hiddenChars).toBe(output.totalChars);
      expect(output.plain(20_000).length).toBeLessThan(20_100);
    }
    expect((process.memoryUsage().heapUsed - before) / 1_000_000).toBeLessThan(100);
  }, 60_000);

  test('small output is whole in the terminal view', () => {
    const output = new BoundedOutput();
    output.append(`${ESC}[31mred${ESC}[0m\r\n`);
    expect(output.terminal()).toEqual({ text: `${ESC}[31mred${ESC}[0m\r\n`, hiddenChars: 0 });
  });
});
