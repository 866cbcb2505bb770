import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { inFolder, setAside } from './heldFolder';

let place: string;
beforeEach(() => {
  place = realpathSync(mkdtempSync(join(tmpdir(), 'gatehouse-held-')));
  for (const name of ['own', 'other']) {
    mkdirSync(join(place, name));
    writeFileSync(join(place, name, 'config'), name);
  }
});
afterEach(() => rmSync(place, { recursive: true }));

test('what was a folder when it was looked up and is a link now is left alone', () => {
  const own = join(place, 'own');
  renameSync(own, join(place, 'gone'));
  symlinkSync('other', own);
  const done: string[] = [];
  expect(inFolder(own, (at) => void done.push(at))).toBe(false);
  expect(inFolder(join(place, 'own/below'), (at) => void done.push(at))).toBe(false);
  expect(done).toEqual([]);
});

test.skipIf(process.platform !== 'linux')('what becomes a link meanwhile does not lead elsewhere', () => {
  const own = join(place, 'own');
  const done = inFolder(own, (at) => {
    renameSync(own, join(place, 'gone'));
    symlinkSync('other', own);
    setAside(at, 'config');
  });
  expect([done, readdirSync(join(place, 'gone')), readdirSync(join(place, 'other'))]).toEqual([
    true,
    ['config.from-sandbox'],
    ['config'],
  ]);
});

test('nothing is lost by setting aside twice, and failing is no more than that', () => {
  const own = join(place, 'own');
  expect(inFolder(own, (at) => setAside(at, 'config'))).toBe(true);
  writeFileSync(join(own, 'config'), 'again');
  expect(inFolder(own, (at) => setAside(at, 'config'))).toBe(true);
  expect(readdirSync(own).sort()).toEqual(['config.from-sandbox', 'config.from-sandbox-2']);
  expect(inFolder(own, (at) => setAside(at, 'config'))).toBe(false);
});
