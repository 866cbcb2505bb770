import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { DatabaseRefused, openDatabase } from './database';
import { migrations } from './migrations';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-db-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const open = () => openDatabase({ folder, nativeBinding: undefined });
const refusal = (at = folder): string => {
  try {
    openDatabase({ folder: at, nativeBinding: undefined }).close();
    return 'opened';
  } catch (error) {
    if (error instanceof DatabaseRefused) return error.message;
    throw error;
  }
};

test('a new folder gets a database of the present version, and it opens again', () => {
  open().close();
  const { database, close } = open();
  expect(database.pragma('user_version', { simple: true })).toBe(migrations.length);
  expect(database.pragma('journal_mode', { simple: true })).toBe('wal');
  close();
});

test('a database of a newer version is refused and left as it is', () => {
  const file = join(folder, 'gatehouse.db');
  const newer = new Database(file);
  newer.pragma(`user_version = ${migrations.length + 1}`);
  newer.exec('create table future (x)');
  newer.close();
  const before = readFileSync(file);
  expect(refusal()).toContain('written by a newer Gatehouse');
  expect(readFileSync(file)).toEqual(before);
});

test('a file that is no database is refused and left as it is', () => {
  const file = join(folder, 'gatehouse.db');
  writeFileSync(file, 'not a database at all, but long enough to be looked at. '.repeat(20));
  const before = readFileSync(file);
  expect(refusal()).toContain('is damaged or not a Gatehouse database');
  expect(readFileSync(file)).toEqual(before);
});

test('a second program on the same folder is refused until the first has closed', () => {
  const first = open();
  expect(refusal()).toContain('Another Gatehouse is already using');
  first.close();
  expect(refusal()).toBe('opened');
});

test('a data folder that cannot be made says so and what to do', () => {
  writeFileSync(join(folder, 'file'), '');
  expect(refusal(join(folder, 'file', 'data'))).toContain('cannot be written (ENOTDIR)');
});

test.skipIf(process.platform === 'win32')('what was made readable for others before is theirs no longer', () => {
  open().close();
  chmodSync(folder, 0o755);
  for (const name of readdirSync(folder)) chmodSync(join(folder, name), 0o644);
  const { database, close } = open();
  database.exec('create table more (x)');
  const modes = readdirSync(folder).map((name) => [name, (statSync(join(folder, name)).mode & 0o777).toString(8)]);
  close();
  expect((statSync(folder).mode & 0o777).toString(8)).toBe('700');
  expect(Object.fromEntries(modes)).toMatchObject({ 'gatehouse.db': '600', 'gatehouse.db-wal': '600' });
});
