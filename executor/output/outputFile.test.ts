import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { OutputFile, type OutputFileOptions } from './outputFile';

let folder: string;
let file: string;
let full: number;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gatehouse-output-'));
  file = join(folder, 'out.txt');
  full = 0;
});
afterEach(async () => {
  vi.useRealTimers();
  await rm(folder, { recursive: true, force: true });
});

function open(how: Partial<OutputFileOptions> = {}): OutputFile {
  return new OutputFile({
    file,
    maxBytes: 1_000_000,
    keepAboveChars: 10,
    pending: () => Buffer.alloc(0),
    onFull: () => {
      full += 1;
    },
    ...how,
  });
}

describe('a foreground command', () => {
  test('that printed little leaves nothing', () => {
    const output = open();
    output.add(Buffer.from('short'));
    expect(output.end(5)).toEqual({});
    expect(existsSync(file)).toBe(false);
  });

  test('leaves nothing either when the file was made before the limit was known to be kept', () => {
    const output = open({ keepAboveChars: 10_000_000 });
    output.add(Buffer.alloc(300_000, 'x'));
    expect(existsSync(file)).toBe(true);
    expect(output.end(300_000)).toEqual({});
    expect(existsSync(file)).toBe(false);
  });

  test('that printed more leaves all of it, for its owner only', () => {
    const output = open();
    const pieces = Array.from({ length: 300 }, (_, index) => `${index} `.repeat(500));
    for (const piece of pieces) output.add(Buffer.from(piece));
    const text = pieces.join('');
    expect(output.end(text.length)).toEqual({ written: { file, bytes: text.length } });
    expect(readFileSync(file, 'utf8')).toBe(text);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  test('is cut at the limit, between characters, and the rest is counted', () => {
    const output = open({ maxBytes: 10 });
    output.add(Buffer.from('1234567'));
    output.add(Buffer.from('€€€'));
    output.add(Buffer.from('x'));
    // Nothing comes after a gap.
    expect(output.end(11)).toEqual({ written: { file, bytes: 10 }, droppedBytes: 7 });
    expect(readFileSync(file, 'utf8')).toBe('1234567€');
    expect(full).toBe(0);
  });

  test.each([
    ['a file that is there already', () => writeFileSync(file, 'mine'), /EEXIST/, 'mine'],
    ['a folder that is gone', () => execFileSync('rm', ['-r', folder]), /does not exist.*ENOENT/, undefined],
  ])('%s is not written over and told', (_, prepare, words, content) => {
    prepare();
    const output = open();
    output.add(Buffer.from('x'.repeat(100)));
    expect(output.end(100)).toEqual({ writeProblem: expect.stringMatching(words) });
    expect(existsSync(file) ? readFileSync(file, 'utf8') : undefined).toBe(content);
  });

  test.skipIf(process.platform !== 'linux' || process.getuid?.() !== 0)(
    'a full disk is told, and gets its room back',
    async () => {
      const disk = join(folder, 'disk');
      await mkdir(disk);
      execFileSync('/usr/bin/mount', ['-t', 'tmpfs', '-o', 'size=128k', 'tmpfs', disk]);
      try {
        const output = open({ file: join(disk, 'out.txt') });
        for (let index = 0; index < 10; index += 1) output.add(Buffer.alloc(100_000, 'x'));
        expect(output.end(1_000_000)).toEqual({ writeProblem: expect.stringContaining('the disk is full (ENOSPC)') });
        expect(existsSync(join(disk, 'out.txt'))).toBe(false);
      } finally {
        execFileSync('/usr/bin/umount', [disk]);
      }
    },
  );
});

describe('a background task', () => {
  test('has its file at once, kept up to date with what may still change', () => {
    vi.useFakeTimers();
    let pending = '';
    const output = open({ pending: () => Buffer.from(pending) });
    output.add(Buffer.from('one\n'));
    pending = 'two';
    output.detach();
    expect(readFileSync(file, 'utf8')).toBe('one\ntwo');
    pending = '';
    output.add(Buffer.from('2\n'));
    output.changed();
    expect(readFileSync(file, 'utf8')).toBe('one\ntwo');
    vi.advanceTimersByTime(300);
    expect(readFileSync(file, 'utf8')).toBe('one\n2\n');
    expect(output.end(6)).toEqual({ written: { file, bytes: 6 } });
    expect(readFileSync(file, 'utf8')).toBe('one\n2\n');
  });

  test('has one also when it prints nothing', () => {
    const output = open();
    output.detach();
    expect(output.end(0)).toEqual({ written: { file, bytes: 0 } });
    expect(readFileSync(file, 'utf8')).toBe('');
  });

  test('is reported when its file is full, also when that was before', () => {
    const later = open({ maxBytes: 10 });
    later.add(Buffer.from('x'.repeat(20)));
    expect(full).toBe(0);
    later.detach();
    expect(full).toBe(1);
    later.add(Buffer.from('x'));
    expect(full).toBe(1);
    expect(later.end(21)).toEqual({ written: { file, bytes: 10 }, droppedBytes: 11 });
  });

  test('keeps what was written when the rest cannot be', () => {
    const output = open();
    output.detach();
    output.add(Buffer.from('x'.repeat(300_000)));
    expect(output.end(300_000)).toEqual({ written: { file, bytes: 300_000 } });
  });
});
