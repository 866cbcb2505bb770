import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { CommandOutput, type CommandOutputOptions } from './commandOutput';

let folder: string;
let told: string;
let calls: string[];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gatehouse-command-'));
  told = '';
  calls = [];
});
afterEach(() => rm(folder, { recursive: true, force: true }));

function open(more: Partial<CommandOutputOptions> = {}): CommandOutput {
  return new CommandOutput({
    file: { file: join(folder, 'out.txt'), maxBytes: 1_000_000, keepAboveChars: 10 },
    emit: ({ text }) => {
      told += text;
    },
    onFull: () => calls.push('full'),
    onFlood: () => calls.push('flood'),
    ...more,
  });
}

test('of little there is nothing to tell but the text', () => {
  const output = open();
  output.add(Buffer.from('short\r\n'));
  expect(output.end()).toBeUndefined();
  expect([told, output.totalChars, calls, existsSync(join(folder, 'out.txt'))]).toEqual(['short\r\n', 7, [], false]);
});

test('the eye sees colours, the file has plain text', () => {
  const output = open();
  output.add(Buffer.from('\u001b[32mgreen\u001b[0m line\r\n'));
  expect(output.end()).toEqual({ written: { file: join(folder, 'out.txt'), bytes: 11 } });
  expect(told).toBe('\u001b[32mgreen\u001b[0m line\r\n');
  expect(readFileSync(join(folder, 'out.txt'), 'utf8')).toBe('green line\n');
});

test('a flood is told once, and not while it may be an image', () => {
  const output = open();
  for (let index = 0; index < 20; index += 1) output.add(Buffer.alloc(50_000, 'x'));
  output.dispose();
  expect(calls).toEqual(['flood']);
  const image = open({ file: undefined });
  image.add(Buffer.from('\u0089PNG\r\r\n\u001a\r\n', 'latin1'));
  for (let index = 0; index < 20; index += 1) image.add(Buffer.alloc(50_000, 'x'));
  image.dispose();
  expect(calls).toEqual(['flood']);
});

test('what is far too much is told, also of a command without a file', () => {
  const output = open({ file: undefined, longestBytes: 1_000 });
  output.add(Buffer.alloc(1_000, 'x'));
  expect(calls).toEqual([]);
  output.add(Buffer.alloc(1, 'x'));
  expect(calls).toEqual(['full']);
  expect(output.end()).toBeUndefined();
});

test('a background task whose file is full is told', () => {
  const output = open({ file: { file: join(folder, 'out.txt'), maxBytes: 10, keepAboveChars: 10 } });
  output.detach();
  output.add(Buffer.from('one line\r\nanother\r\n'.repeat(100)));
  expect(calls).toContain('full');
  expect(output.end()).toMatchObject({ written: { bytes: 10 } });
  expect(readFileSync(join(folder, 'out.txt'), 'utf8')).toBe('one line\na');
});
