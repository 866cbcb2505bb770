// Switches of the settings files that narrow decisions, on a real disk.
import { mkdir, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { PermissionEngine, PermissionRequest, PermissionSituation } from './engine';
import { createPermissionEngine } from './permissionEngine';
import { engineWorld } from './testing/engineWorld';

let base: string;
let engine: PermissionEngine;
const { project, file, engineOptions, situation, bash, put, permissions } = engineWorld(() => base);

beforeEach(async () => {
  base = await realpath(await mkdtemp(join(tmpdir(), 'switches-')));
  await mkdir(project());
  engine = createPermissionEngine(engineOptions());
  await engine.openSession('s', project());
});
afterEach(async () => {
  await engine.dispose();
  await rm(base, { recursive: true, force: true });
});

describe('switches that narrow', () => {
  const tool = (toolName: string, access: 'read' | 'write', path: string): PermissionRequest => ({
    ...bash(''),
    toolName,
    isReadOnly: access === 'read',
    facts: [{ kind: 'path', access, path }],
  });
  const outcome = async (request: PermissionRequest, mode: PermissionSituation['mode'] = 'default') => {
    const { behavior: found, reason } = (await engine.evaluate(request, situation({ mode }))).decision;
    return `${found} ${reason.type}`;
  };
  const everything = { allow: ['Bash', 'Read', 'Edit', 'Read(//srv/**)', 'Edit(//srv/**)'] };

  it('reads outside the working folders: tools are refused, commands ask, in bypass too', async () => {
    await put(file.user(), permissions({ ...everything, blockReadsOutsideWorkingDirectories: true }));
    await put(file.project(), permissions({ blockReadsOutsideWorkingDirectories: false }));
    for (const mode of ['default', 'bypassPermissions'] as const)
      expect([
        mode,
        await outcome(tool('Read', 'read', '/srv/a'), mode),
        await outcome(bash('cat /srv/a'), mode),
        await outcome(tool('Edit', 'write', '/srv/a'), mode),
      ]).toEqual([mode, 'deny tool', 'ask tool', mode === 'default' ? 'allow rule' : 'allow mode']);
    expect(await outcome(tool('Read', 'read', join(project(), 'a')))).toMatch(/^allow/);
  });

  it('writes outside the working folders: tools are refused, commands are not covered', async () => {
    await put(file.local(), permissions({ ...everything, blockWritesOutsideWorkingDirectories: true }));
    expect([
      await outcome(tool('Edit', 'write', '/srv/a')),
      await outcome(tool('Edit', 'write', '/srv/a'), 'bypassPermissions'),
      await outcome(tool('Read', 'read', '/srv/a')),
      await outcome(bash('cp a /srv/b')),
      await outcome(tool('Edit', 'write', join(project(), 'a'))),
    ]).toEqual(['deny tool', 'deny tool', 'allow rule', 'allow rule', 'allow rule']);
  });

  it('in auto mode no allow rule speaks for a shell command, whoever says so', async () => {
    await engine.dispose();
    engine = createPermissionEngine({ ...engineOptions(), whyNoClassifier: () => '' });
    await put(file.user(), permissions({ allow: ['Bash(go test)', 'WebFetch'], deny: ['Bash(go x)'] }));
    await put(file.project(), { autoMode: { classifyAllShell: true } });
    expect([
      await outcome(bash('go test'), 'auto'),
      await outcome(bash('go test')),
      await outcome(bash('go x'), 'auto'),
      await outcome(bash('ls'), 'auto'),
      await outcome(tool('WebFetch', 'read', join(project(), 'a')), 'auto'),
    ]).toEqual(['ask noRule', 'allow rule', 'deny rule', 'allow readOnly', 'allow rule']);
  });

  it('what would ask is denied where nobody shall be asked', async () => {
    await put(file.user(), permissions({ allow: ['Bash(go:*)'], ask: ['Bash(ls:*)'], denyInsteadOfPrompting: true }));
    expect([await outcome(bash('make')), await outcome(bash('ls')), await outcome(bash('go x'))]).toEqual([
      'deny nobodyToAsk',
      'deny nobodyToAsk',
      'allow rule',
    ]);
  });
});
