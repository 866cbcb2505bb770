// Conditions of hooks: the rule against the call, in doubt yes.
import { mkdir, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { PermissionEngine, PermissionRequest } from './engine';
import { createPermissionEngine } from './permissionEngine';
import { engineWorld } from './testing/engineWorld';

let base = '';
let engine: PermissionEngine;
const { project, engineOptions, situation, bash } = engineWorld(() => base);

beforeAll(async () => {
  base = await realpath(await mkdtemp(join(tmpdir(), 'speaks-')));
  await mkdir(project(), { recursive: true });
  engine = createPermissionEngine(engineOptions());
});
afterAll(async () => {
  await engine.dispose();
  await rm(base, { recursive: true, force: true });
});

const file = (toolName: string, access: 'read' | 'write', path: string): PermissionRequest => ({
  toolName,
  isMcp: false,
  isReadOnly: access === 'read',
  input: { file_path: path },
  facts: [{ kind: 'path', access, path }],
  own: { behavior: 'passthrough' },
});
const fetch = (host: string): PermissionRequest => ({
  ...bash(''),
  toolName: 'WebFetch',
  input: { url: `https://${host}/` },
  facts: [{ kind: 'host', host }],
});

it.each<[string, string, boolean]>([
  ['Bash', 'ls', true],
  ['Bash(*)', 'ls', true],
  ['Bash(git *)', 'git status', true],
  ['Bash(git *)', 'FOO=1 BAR=2 git status', true],
  ['Bash(git *)', 'npm test && git push', true],
  ['Bash(git *)', 'echo $(git log)', true],
  ['Bash(git *)', 'echo `git log`', true],
  ['Bash(git *)', 'ls', false],
  ['Bash(git *)', 'echo $HOME', false],
  ['Bash(git *)', 'legit status', false],
  ['Bash(git push *)', 'git push origin', true],
  ['Bash(git push:*)', 'git status', false],
  ['Bash(git push *)', 'git status', false],
  ['Bash(git push *)', 'echo $X', true],
  ['Bash(git push *)', 'echo $(date)', true],
  ['Bash(rm *)', 'if then (', true],
  ['Bash(rm -rf /)', 'rm -rf /', true],
  ['Read(./secrets/**)', 'cat secrets/key', true],
  ['Edit', 'ls', false],
  ['not ( a rule', 'ls', true],
])('%s on the command %s: %s', async (rule, command, expected) => {
  expect(await engine.speaksOf(rule, bash(command), situation())).toBe(expected);
});

it.each<[string, () => PermissionRequest, boolean]>([
  ['Edit(*.ts)', () => file('Edit', 'write', join(project(), 'a.ts')), true],
  ['Edit(*.ts)', () => file('Write', 'write', join(project(), 'a.ts')), true],
  ['Edit(*.ts)', () => file('Edit', 'write', join(project(), 'a.js')), false],
  ['Edit(*.ts)', () => file('Read', 'read', join(project(), 'a.ts')), false],
  ['Edit(src/**)', () => file('Edit', 'write', join(project(), 'src', 'a.ts')), true],
  ['Write(*.ts)', () => file('Write', 'write', join(project(), 'a.ts')), true],
  ['Write(*.ts)', () => file('Write', 'write', join(project(), 'a.js')), false],
  ['Write(*.ts)', () => file('Edit', 'write', join(project(), 'a.ts')), false],
  ['Read', () => file('Read', 'read', join(project(), 'a.ts')), true],
  ['Read(.env)', () => file('Read', 'read', join(project(), '.env')), true],
  ['WebFetch(domain:example.com)', () => fetch('example.com'), true],
  ['WebFetch(domain:example.com)', () => fetch('example.org'), false],
  ['mcp__memory', () => ({ ...bash(''), toolName: 'mcp__memory__read', isMcp: true, facts: [] }), true],
  ['mcp__memory__read', () => ({ ...bash(''), toolName: 'mcp__memory__write', isMcp: true, facts: [] }), false],
])('%s on a call: %s %s', async (rule, request, expected) => {
  expect(await engine.speaksOf(rule, request(), situation())).toBe(expected);
});
