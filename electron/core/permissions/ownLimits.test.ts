// Files that steer the agent by where they lie, on a real disk.
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { PermissionRequest } from './engine';
import { createPermissionEngine } from './permissionEngine';
import { engineWorld } from './testing/engineWorld';

let base = '';
const world = engineWorld(() => base);
beforeEach(async () => {
  base = await realpath(await mkdtemp(join(tmpdir(), 'limits-')));
  await mkdir(world.project(), { recursive: true });
});
afterEach(() => rm(base, { recursive: true, force: true }));

const writing = (path: string): PermissionRequest => ({
  toolName: 'Write',
  isMcp: false,
  isReadOnly: false,
  input: { file_path: path, content: 'x' },
  facts: [{ kind: 'path', access: 'write', path }],
  own: { behavior: 'passthrough' },
});

const handing = (path: string): PermissionRequest => ({
  toolName: 'mcp__fs__write_file',
  isMcp: true,
  isReadOnly: false,
  input: { path, content: 'x' },
  facts: [],
  own: { behavior: 'passthrough' },
});

it('knows the files of this person, this launch and this folder, wherever they lie', async () => {
  const options = world.engineOptions();
  const { data, managedSettings } = options.paths;
  const conf = join(base, 'conf');
  await world.put(join(conf, 'settings.json'), world.permissions({ allow: ['Edit(//**)', 'Bash', 'mcp__fs'] }));
  await world.put(world.file.flag(), {});
  await mkdir(join(base, 'elsewhere'));
  await writeFile(join(base, 'elsewhere', 'settings.json'), '{}');
  await symlink(join(base, 'elsewhere'), join(world.project(), '.claude'));
  const servers = join(base, 'servers.json');
  const engine = createPermissionEngine({
    ...options,
    paths: { ...options.paths, claudeConfig: conf },
    flagSettings: { file: world.file.flag() },
    serverFiles: [servers],
  });
  await engine.openSession('s', world.project());
  const said = async (request: PermissionRequest) => {
    const { behavior, reason } = (await engine.evaluate(request, world.situation({ mode: 'acceptEdits' }))).decision;
    const effect = /: (?:it )?(holds|defines|says|is read)/.exec('detail' in reason ? reason.detail : '')?.[1];
    return effect === undefined ? behavior : `${behavior}: ${effect}`;
  };
  const calls: readonly (readonly [PermissionRequest, string])[] = [
    [writing(join(conf, 'settings.json')), 'ask: holds'],
    [writing(join(conf, 'agents', 'a.md')), 'ask: defines'],
    [writing(join(conf, 'CLAUDE.md')), 'ask: is read'],
    [writing(managedSettings), 'ask: holds'],
    [writing(world.file.dropIn('a.json')), 'ask: holds'],
    [writing(world.file.flag()), 'ask: holds'],
    [writing(servers), 'ask: says'],
    [handing(servers), 'ask: says'],
    [writing(join(base, 'elsewhere', 'settings.json')), 'ask: holds'],
    [world.bash(`echo x > ${join(base, 'elsewhere', 'settings.json')}`), 'ask: holds'],
    [writing(join(base, 'beside.json')), 'allow'],
    [handing(join(base, 'beside.json')), 'allow'],
    // What a person has trusted, and what Gatehouse keeps, is no tool's business.
    [writing(join(data, 'gatehouse.db')), 'deny'],
    [handing(join(data, 'gatehouse.db')), 'deny'],
    [world.bash(`sqlite3 ${join(data, 'gatehouse.db')} "update preferences set value = 1"`), 'deny'],
    [world.bash(`unknown --db=${join(data, 'gatehouse.db')}`), 'deny'],
    [world.bash(`ln ${join(data, 'gatehouse.db')} b`), 'deny'],
  ];
  const found = await Promise.all(calls.map(([request]) => said(request)));
  await engine.dispose();
  expect(found.map((one, at) => [calls[at]?.[0].input, one])).toEqual(calls.map(([{ input }, one]) => [input, one]));
});
