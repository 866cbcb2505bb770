import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ownIdentity } from '../processTree';
import { Placeholders } from './placeholders';

let folder: string;
let ledgers: string;
let place: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-placeholders-'));
  ledgers = join(folder, 'ledgers');
  place = join(folder, '.claude');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const asFolder = (path: string) => ({ path, shape: 'folder' as const });

test('one stands until the last command that needs it is over', async () => {
  const own = new Placeholders({ folder: ledgers, lingerMs: 0 });
  const other = asFolder(join(folder, 'other'));
  expect([own.make(asFolder(place)), own.hold(place), own.make(other)]).toEqual([true, true, true]);
  own.release([place, other.path]);
  await vi.waitFor(() => expect(existsSync(other.path)).toBe(false));
  expect(existsSync(place)).toBe(true);
  own.release([place]);
  await vi.waitFor(() => expect(existsSync(place)).toBe(false));
  expect(readdirSync(ledgers)).toEqual([]);
});

test('one that is needed again meanwhile stays', () => {
  const own = new Placeholders({ folder: ledgers });
  own.make(asFolder(place));
  own.release([place]);
  expect(own.hold(place)).toBe(true);
  own.release([place]);
  expect(existsSync(place)).toBe(true);
  own.dispose();
  expect(existsSync(place)).toBe(false);
});

test('the way to one goes too, from the inside out', () => {
  const own = new Placeholders({ folder: ledgers });
  const paths = [join(folder, 'a'), join(folder, 'a/b')];
  for (const path of paths) own.make(asFolder(path));
  own.release(paths);
  own.dispose();
  expect(existsSync(join(folder, 'a'))).toBe(false);
});

test.each([
  {
    name: 'what somebody has filled stays',
    fill: () => writeFileSync(join(place, 'settings.json'), '{}'),
    stays: true,
  },
  { name: 'and what is no longer there is no fault', fill: () => rmSync(place, { recursive: true }), stays: false },
])('$name', ({ fill, stays }) => {
  const own = new Placeholders({ folder: ledgers });
  own.make(asFolder(place));
  fill();
  own.dispose();
  expect(existsSync(place)).toBe(stays);
});

test('a file stands for a file, and goes only while it is empty', () => {
  const own = new Placeholders({ folder: ledgers });
  own.make({ path: place, shape: 'file' });
  expect(statSync(place).isFile()).toBe(true);
  writeFileSync(place, 'x');
  own.dispose();
  expect(existsSync(place)).toBe(true);
});

test('what was there before is not ours', () => {
  const own = new Placeholders({ folder: ledgers });
  mkdirSync(place);
  expect([own.hold(place), own.make(asFolder(place))]).toEqual([false, true]);
  own.dispose();
  expect(existsSync(place)).toBe(true);
});

test('what cannot be made', () => {
  expect(new Placeholders({ folder: ledgers }).make(asFolder(join(folder, 'none/place')))).toBe(false);
});

test('where nothing can be written down it stands all the same', () => {
  writeFileSync(ledgers, '');
  const own = new Placeholders({ folder: ledgers });
  expect(own.make(asFolder(place))).toBe(true);
  own.dispose();
  expect(existsSync(place)).toBe(false);
});

test('what a killed process left is removed by the next, except where something lies in it', () => {
  mkdirSync(ledgers, { mode: 0o700 });
  const filled = join(folder, 'filled');
  for (const path of [place, filled]) mkdirSync(path);
  writeFileSync(join(filled, 'note'), '');
  const gone = ownIdentity().replace(/^\d+/, '4194305');
  writeFileSync(join(ledgers, gone), `${place}\n${filled}\n`);
  new Placeholders({ folder: ledgers }).sweep();
  expect([existsSync(place), existsSync(join(filled, 'note')), readdirSync(ledgers)]).toEqual([false, true, []]);
});

test('a ledger in a folder that others may write is not followed', () => {
  mkdirSync(ledgers);
  execFileSync('chmod', ['777', ledgers]);
  mkdirSync(place);
  writeFileSync(join(ledgers, ownIdentity().replace(/^\d+/, '4194305')), `${place}\n`);
  new Placeholders({ folder: ledgers }).sweep();
  expect(existsSync(place)).toBe(true);
});

test('nothing is written where others may have put links', () => {
  mkdirSync(ledgers);
  execFileSync('chmod', ['777', ledgers]);
  const victim = join(folder, 'victim');
  writeFileSync(victim, 'before');
  symlinkSync(victim, join(ledgers, ownIdentity()));
  const own = new Placeholders({ folder: ledgers });
  expect(own.make(asFolder(place))).toBe(true);
  own.dispose();
  expect(readFileSync(victim, 'utf8')).toBe('before');
  expect(existsSync(place)).toBe(false);
});

test('two processes share one', async () => {
  const other = spawn(process.execPath, ['-e', 'process.stdin.resume()'], { stdio: ['pipe', 'ignore', 'ignore'] });
  await once(other, 'spawn');
  const started = execFileSync('cut', ['-d', ' ', '-f', '22', `/proc/${other.pid}/stat`], { encoding: 'utf8' }).trim();
  const [, , namespace] = ownIdentity().split('.');
  mkdirSync(ledgers, { mode: 0o700 });
  const theirs = join(ledgers, `${other.pid}.${started}.${namespace}`);
  writeFileSync(theirs, `${place}\n`);
  mkdirSync(place);
  const own = new Placeholders({ folder: ledgers });
  expect(own.hold(place)).toBe(true);
  own.dispose();
  expect(existsSync(place)).toBe(true);
  other.stdin?.end();
  await once(other, 'exit');
  own.sweep();
  expect(existsSync(place)).toBe(false);
});
