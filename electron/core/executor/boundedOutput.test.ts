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

describe('a stream with gaps', () => {
  test('is shown with what is missing, until the executor tells the whole', () => {
    const output = new BoundedOutput();
    output.append('first\r\n');
    output.append('rest of a line\r\nlast\r\n', 100_000);
    expect(output.totalChars).toBe(100_022);
    expect(output.terminal()).toEqual({ text: 'first\r\nlast\r\n', hiddenChars: 100_009 });
    expect(output.plain(1_000)).toMatch(/^first\n+\[… [\d,]+ characters left out …\]\nlast\n$/);
    output.finish({ plain: { head: 'first\n', tail: 'before last\nlast\n', totalChars: 95_000 } });
    expect(output.plain(1_000)).toBe('first\n[… 94,977 characters left out …]\nbefore last\nlast\n');
    expect(output.plainSince(94_995, 100)).toEqual({ text: 'last\n', skippedChars: 0, nextChar: 95_000 });
    expect(output.plainSince(0, 10)).toEqual({
      text: 'last\nlast\n'.slice(-10),
      skippedChars: 94_990,
      nextChar: 95_000,
    });
  });

  test('plain text can be followed from an offset', () => {
    const output = new BoundedOutput();
    let told = 0;
    const stop = output.onChange(() => {
      told += 1;
    });
    output.append('one\r\ntwo');
    expect(output.plainSince(0, 100)).toEqual({ text: 'one\ntwo', skippedChars: 0, nextChar: 7 });
    output.append('\r\nthree 😀');
    expect(output.plainSince(7, 100)).toEqual({ text: '\nthree 😀', skippedChars: 0, nextChar: 16 });
    expect(output.plainSince(7, 1)).toEqual({ text: '', skippedChars: 9, nextChar: 16 });
    expect(output.plainSince(16, 100)).toEqual({ text: '', skippedChars: 0, nextChar: 16 });
    expect(output.plainSince(99, 100)).toEqual({ text: '', skippedChars: 0, nextChar: 99 });
    output.finish(undefined);
    stop();
    output.append('x');
    expect(told).toBe(3);
    for (let index = 0; index < 30_000; index += 1) output.append(`line ${index}\r\n`);
    const { text, skippedChars, nextChar } = output.plainSince(16, 10_000);
    expect(text.endsWith('line 29999\n')).toBe(true);
    expect(skippedChars + text.length).toBe(nextChar - 16);
  });

  test.each<[Parameters<BoundedOutput['finish']>[0], Partial<BoundedOutput['outcome']>]>([
    [undefined, {}],
    [{ written: { file: '/f', bytes: 9 } }, { written: { file: '/f', bytes: 9 } }],
    [
      { written: { file: '/f', bytes: 9 }, droppedBytes: 1 },
      {
        written: { file: '/f', bytes: 9 },
        notices: ['The file holds the first 9 bytes of the output; 1 byte more were printed and not written.'],
      },
    ],
    [
      { writeProblem: '/f cannot be written: the disk is full (ENOSPC).' },
      {
        notices: [
          'The whole output could not be kept in a file: /f cannot be written: the disk is full (ENOSPC). Only its head and tail are here.',
        ],
      },
    ],
    [{ nonTextBytes: 1_204 }, { notices: ['The output held 1,204 bytes that are not text; each is shown as \uFFFD.'] }],
    [
      { nonTextBytes: 7, image: { mediaType: 'image/png', base64: 'AA' } },
      { image: { mediaType: 'image/png', base64: 'AA' } },
    ],
    [{ full: true }, { full: true, notices: ['It was stopped because its output had reached the limit.'] }],
  ])('%j is told', (told, outcome) => {
    const output = new BoundedOutput();
    output.finish(told);
    expect(output.outcome).toEqual({ written: null, image: null, notices: [], full: false, ...outcome });
  });
});
