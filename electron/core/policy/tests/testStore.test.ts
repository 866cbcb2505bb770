import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import type { RuleTest } from '#shared/api/rules';
import { createSettingsWriter } from '../../settings/settingsWriter';
import { writeTests } from './testFile';
import { loadTests, saveTests } from './testStore';

const one: RuleTest = { kind: 'rule', name: 'one', rule: 'Bash(ls *)', match: ['ls'], notMatch: [] };
const two: RuleTest = { ...one, name: 'two' };

function world() {
  const root = mkdtempSync(join(tmpdir(), 'gatehouse-tests-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const folder = join(root, 'project');
  mkdirSync(folder);
  const writer = createSettingsWriter({ backups: join(root, 'backups') });
  return {
    folder,
    file: join(folder, '.gatehouse', 'rule-tests.json'),
    outside: join(root, 'outside.json'),
    save: (base: readonly RuleTest[], tests: readonly RuleTest[]) => saveTests({ folder, base, tests, writer }),
  };
}

it('makes the file and reads it again', async () => {
  const { folder, file, save } = world();
  expect(loadTests(folder)).toEqual({ ok: true, value: { tests: [], problems: [] } });
  expect(await save([], [one])).toEqual({ ok: true, value: { file } });
  expect(await save([one], [one, two])).toEqual({ ok: true, value: { file } });
  expect(loadTests(folder)).toEqual({ ok: true, value: { tests: [one, two], problems: [] } });
});

it('does not write over what others wrote', async () => {
  const { file, save } = world();
  await save([], [one]);
  const saved = await save([], [two]);
  expect(saved).toMatchObject({ ok: false, error: { kind: 'conflict' } });
  expect(readFileSync(file, 'utf8')).toBe(writeTests([one]));
});

it.each([
  ['does not parse', '{"version": 1, "tests": ['],
  ['has another version', '{"version": 7, "tests": []}'],
  ['holds what would be lost', '{"version": 1, "tests": [{"kind": "later"}]}'],
])('leaves a file alone that %s', async (_, text) => {
  const { folder, file, save } = world();
  mkdirSync(join(folder, '.gatehouse'));
  writeFileSync(file, text);
  expect(await save([], [one])).toMatchObject({ ok: false, error: { kind: 'refused' } });
  expect(readFileSync(file, 'utf8')).toBe(text);
});

it('follows no link that a repository brings', async () => {
  const { folder, file, outside, save } = world();
  writeFileSync(outside, writeTests([one]));
  mkdirSync(join(folder, '.gatehouse'));
  symlinkSync(outside, file);
  expect(loadTests(folder)).toMatchObject({ ok: false });
  expect(await save([one], [two])).toMatchObject({ ok: false, error: { kind: 'refused' } });
  expect(readFileSync(outside, 'utf8')).toBe(writeTests([one]));
});
