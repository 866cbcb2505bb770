import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { identitiesOf, PlaceWatch } from './placeWatch';

let folder: string;
let replaced: string[];
let held: string[];
let watch: PlaceWatch;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-places-'));
  replaced = [];
  held = [];
  mkdirSync(join(folder, 'kept'));
  for (const name of ['config', 'other']) writeFileSync(join(folder, name), '');
});
afterEach(() => {
  watch.dispose();
  rmSync(folder, { recursive: true, force: true });
});

const at = (name: string) => join(folder, name);
const putNew = (name: string) => {
  writeFileSync(at('new'), 'new');
  renameSync(at('new'), at(name));
};

function start(startMs = 0): Promise<void> {
  watch = new PlaceWatch({
    places: identitiesOf([at('config'), at('kept')]),
    onReplaced: (path) => replaced.push(path),
    holds: (path) => held.includes(path),
    startMs,
  });
  return new Promise((resolve) => {
    setTimeout(resolve, startMs);
  });
}

test.each([
  { name: 'config', change: () => putNew('config') },
  { name: 'config', change: () => rmSync(at('config')) },
  { name: 'kept', change: () => renameSync(at('kept'), at('away')) },
])('$name, $change', async ({ name, change }) => {
  await start();
  change();
  await vi.waitFor(() => expect(replaced).toEqual([at(name)]));
});

test('what was replaced before it was watched', async () => {
  const started = start(50);
  putNew('config');
  await started;
  await vi.waitFor(() => expect(replaced).toEqual([at('config')]));
});

test('what is held all the same', async () => {
  held = [at('config')];
  await start();
  putNew('config');
  renameSync(at('kept'), at('away'));
  await vi.waitFor(() => expect(replaced).toEqual([at('kept')]));
});

test('what is written, lies beside, or lies within is not replaced', async () => {
  await start();
  writeFileSync(at('config'), 'more');
  writeFileSync(at('kept/file'), '');
  putNew('other');
  // The last change is seen when all before it were.
  putNew('config');
  await vi.waitFor(() => expect(replaced).toEqual([at('config')]));
});
