import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { logFile } from './logFile';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-log-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

it('writes to both, and keeps one older file when it grows', () => {
  const file = join(folder, 'logs', 'desktop.log');
  const seen: string[] = [];
  const write = logFile(file, (line) => seen.push(line));
  write('one\n');
  expect(readFileSync(file, 'utf8')).toBe('one\n');
  writeFileSync(file, 'x'.repeat(5 * 1024 * 1024 + 1));
  write('two\n');
  expect(readFileSync(file, 'utf8')).toBe('two\n');
  expect(statSync(`${file}.old`).size).toBe(5 * 1024 * 1024 + 1);
  expect(seen).toEqual(['one\n', 'two\n']);
});

it('goes on where it cannot write', () => {
  writeFileSync(join(folder, 'logs'), '');
  const seen: string[] = [];
  logFile(join(folder, 'logs', 'desktop.log'), (line) => seen.push(line))('one\n');
  expect(seen).toEqual(['one\n', expect.stringMatching(/^The log cannot be written: /)]);
});
