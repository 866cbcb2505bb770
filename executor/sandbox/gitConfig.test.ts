import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { entriesOf, placesOfConfig } from './gitConfig';

test.each([
  ['[core]\n\thooksPath = hooks', 'core hookspath=hooks'],
  ['[CORE] HooksPath=hooks # why', 'core hookspath=hooks'],
  ['[core]\nhooksPath = "my hooks" ; why', 'core hookspath=my hooks'],
  ['[core]\nhooksPath = my\\\n hooks', 'core hookspath=my hooks'],
  ['[core]\nhooksPath = "a#b"\\"', 'core hookspath=a#b"'],
  ['[includeIf "gitdir:/a/[x]"]\n\tpath = b', 'includeif path=b'],
  ['[remote "a"]\n\turl = x\n[core "y"]\nhooksPath = z', 'remote url=x, core hookspath=z'],
  ['hooksPath = x', ' hookspath=x'],
  ['[core]\n\tbare', ''],
])('%j', (text, entries) => {
  expect(
    entriesOf(text)
      .map(({ section, key, value }) => `${section} ${key}=${value}`)
      .join(', '),
  ).toBe(entries);
});

test('where a config leads, through others that it includes, and round in a circle', () => {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-config-'));
  const config = join(folder, 'config');
  writeFileSync(config, '[include]\n\tpath = more\n\tpath = ~/own\n\tpath = gone\n[core]\n\thooksPath = .husky/_\n');
  writeFileSync(join(folder, 'more'), '[core]\n\thooksPath = /srv/hooks\n[include]\n\tpath = more\n');
  expect([
    ...new Set(placesOfConfig({ path: config, tree: '/srv/app' }).map(({ path, shape }) => `${shape} ${path}`)),
  ]).toEqual([
    `file ${join(folder, 'more')}`,
    'folder /srv/hooks',
    `file ${join(folder, 'gone')}`,
    'folder /srv/app/.husky',
  ]);
  rmSync(folder, { recursive: true });
});
