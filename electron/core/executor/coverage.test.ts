import { expect, test } from 'vitest';
import type { Operation, SandboxPolicy } from '#shared/api/executor';
import { mintGrant } from '../permissions/grant';
import type { CallFact } from '../tools/tool';
import { checkCovered, GrantError } from './coverage';

const sandbox: SandboxPolicy = { enabled: false, network: 'off', writable: [], hidden: [] };
const shell = (command: string, cwd: string): Operation => ({
  op: 'shell.run',
  streamId: 's',
  command,
  cwd,
  timeoutMs: 1,
  columns: 80,
  sandbox,
});
const stat = (path: string): Operation => ({ op: 'file.stat', path });
const read = (path: string): Operation => ({ op: 'file.read', path, firstLine: 1, maxLines: 1, maxBytes: 1 });
const write = (path: string): Operation => ({ op: 'file.write', path, content: '', expect: 'absent', dryRun: false });
const edit = (path: string): Operation => ({
  op: 'file.edit',
  path,
  edits: [{ oldString: 'a', newString: 'b', replaceAll: false }],
  hash: '',
  dryRun: true,
});
const cell = (path: string): Operation => ({
  op: 'file.editCell',
  path,
  mode: 'delete',
  cellId: 'a',
  source: '',
  hash: '',
  dryRun: true,
});
const list = (path: string): Operation => ({ op: 'file.list', path, ignore: [], limit: 1 });
const glob = (root: string): Operation => ({ op: 'search.glob', root, pattern: '*', limit: 1 });
const command: CallFact = { kind: 'command', command: 'make', cwd: '/w' };
const reads = (path: string): CallFact => ({ kind: 'path', access: 'read', path });
const writes = (path: string): CallFact => ({ kind: 'path', access: 'write', path });

async function covered(
  facts: readonly CallFact[],
  operation: Operation,
  links: Readonly<Record<string, string>> = {},
): Promise<boolean> {
  const paths = facts.flatMap((fact) => (fact.kind === 'path' ? [fact.path] : []));
  const grant = mintGrant({
    decision: { behavior: 'allow', reason: { kind: 'mode', mode: 'default', detail: '' }, parts: [], why: [] } as never,
    callId: 'call',
    facts,
    realPaths: new Map(paths.map((path) => [path, path])),
  });
  try {
    await checkCovered({ grant, operation, realPath: (path) => Promise.resolve(links[path] ?? path) });
    return true;
  } catch (error) {
    if (error instanceof GrantError) return false;
    throw error;
  }
}

test.each([
  { name: 'the command', facts: [command], operation: shell('make', '/w'), is: true },
  { name: 'another command', facts: [command], operation: shell('make x', '/w'), is: false },
  { name: 'another folder', facts: [command], operation: shell('make', '/'), is: false },
  { name: 'a file by a command', facts: [command], operation: stat('/w'), is: false },
  { name: 'a command by a file', facts: [writes('/w')], operation: shell('make', '/w'), is: false },
  { name: 'read: stat', facts: [reads('/w/a')], operation: stat('/w/a'), is: true },
  { name: 'read: read', facts: [reads('/w/a')], operation: read('/w/a'), is: true },
  { name: 'read: list', facts: [reads('/w/a')], operation: list('/w/a'), is: true },
  { name: 'list of a folder within', facts: [reads('/w')], operation: list('/w/a'), is: false },
  { name: 'read: no cell edit', facts: [reads('/w/a')], operation: cell('/w/a'), is: false },
  { name: 'write: cell edit', facts: [writes('/w/a')], operation: cell('/w/a'), is: true },
  { name: 'cell edit of another file', facts: [writes('/w/a')], operation: cell('/w/b'), is: false },
  { name: 'read: write', facts: [reads('/w/a')], operation: write('/w/a'), is: false },
  { name: 'read: edit, even dry', facts: [reads('/w/a')], operation: edit('/w/a'), is: false },
  { name: 'read: below', facts: [reads('/w')], operation: read('/w/a'), is: false },
  { name: 'read: search there', facts: [reads('/w')], operation: glob('/w'), is: true },
  { name: 'read: search below', facts: [reads('/w')], operation: glob('/w/src'), is: true },
  { name: 'read: search beside', facts: [reads('/w')], operation: glob('/wide'), is: false },
  { name: 'read: search above', facts: [reads('/w/src')], operation: glob('/w'), is: false },
  { name: 'write: write, edit', facts: [writes('/w/a')], operation: edit('/w/a'), is: true },
  { name: 'write: read', facts: [writes('/w/a')], operation: read('/w/a'), is: true },
  { name: 'write: another file', facts: [writes('/w/a')], operation: write('/w/b'), is: false },
  { name: 'write: search', facts: [writes('/w')], operation: glob('/w'), is: false },
  { name: 'no facts', facts: [], operation: stat('/w'), is: false },
])('$name', async ({ facts, operation, is }) => {
  expect(await covered(facts, operation)).toBe(is);
});

test('a path that leads elsewhere since the decision', async () => {
  expect(await covered([reads('/w/a')], read('/w/a'), { '/w/a': '/etc/shadow' })).toBe(false);
  expect(await covered([reads('/w')], glob('/w/src'), { '/w/src': '/etc' })).toBe(false);
  expect(await covered([reads('/w')], glob('/w/src'), { '/w/src': '/w/other' })).toBe(true);
});

test.each<readonly [runs: 'inside' | 'outside' | 'asIs', enabled: boolean, covered: boolean]>([
  ['inside', true, true],
  ['inside', false, false],
  ['outside', false, true],
  ['outside', true, false],
  ['asIs', true, true],
  ['asIs', false, true],
])('a command decided to run %s, with a sandbox: %s, is covered: %s', async (runs, enabled, expected) => {
  const code = { kind: 'code' as const, language: 'javascript' as const, code: '1', cwd: '/w' };
  const grant = mintGrant({
    decision: { behavior: 'allow', reason: { type: 'noPermissionNeeded' }, parts: [] },
    callId: 'call',
    facts: [command, code],
    realPaths: new Map(),
    runs,
  });
  const check = async (operation: Operation): Promise<boolean> => {
    try {
      await checkCovered({ grant, operation, realPath: (path) => Promise.resolve(path) });
      return true;
    } catch (error) {
      if (error instanceof GrantError) return false;
      throw error;
    }
  };
  expect(await check({ ...shell('make', '/w'), sandbox: { ...sandbox, enabled } } as Operation)).toBe(expected);
  // Code never leaves the sandbox by a grant for commands.
  const repl: Operation = {
    ...{ op: 'repl.run', session: 's', streamId: 's', code: '1', cwd: '/w', timeoutMs: 1, memoryMiB: 64 },
    sandbox: { ...sandbox, enabled },
  };
  if (runs === 'inside') expect(await check(repl)).toBe(expected);
});
