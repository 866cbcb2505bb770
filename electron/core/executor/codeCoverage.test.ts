import { expect, test } from 'vitest';
import type { OperationOf, SandboxPolicy } from '#shared/api/executor';
import { mintGrant } from '../permissions/grant';
import type { CallFact } from '../tools/tool';
import { checkCovered, GrantError } from './coverage';

const open: SandboxPolicy = { enabled: false, network: 'off', writable: [], hidden: [] };
const closed: SandboxPolicy = { enabled: true, network: 'off', writable: [], hidden: [] };

const run = (code: string, cwd = '/w'): OperationOf<'repl.run'> => ({
  op: 'repl.run',
  streamId: 's',
  session: 's',
  code,
  cwd,
  timeoutMs: 1,
  memoryMiB: 64,
  sandbox: open,
});
const ask = (path: string, root: string, sandbox = closed): OperationOf<'lsp.query'> => ({
  op: 'lsp.query',
  server: { name: 'go', command: 'gopls', args: ['serve'] },
  root,
  path,
  languageId: 'go',
  query: { kind: 'symbols' },
  timeoutMs: 1,
  sandbox,
});
const code: CallFact = { kind: 'code', language: 'javascript', code: 'x', cwd: '/w' };
const reads = (path: string): CallFact => ({ kind: 'path', access: 'read', path });
const command = (text: string, cwd: string): CallFact => ({ kind: 'command', command: text, cwd });
const both = [reads('/w/a.go'), reads('/w')];

async function covered(
  facts: readonly CallFact[],
  operation: OperationOf<'repl.run' | 'lsp.query'>,
  links: Readonly<Record<string, string>> = {},
): Promise<boolean> {
  const paths = facts.flatMap((fact) => (fact.kind === 'path' ? [fact.path] : []));
  const grant = mintGrant({
    decision: { behavior: 'allow', reason: { type: 'noPermissionNeeded' }, parts: [] },
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
  { name: 'the code', facts: [code], operation: run('x'), is: true },
  { name: 'other code', facts: [code], operation: run('x; y'), is: false },
  { name: 'the code elsewhere', facts: [code], operation: run('x', '/'), is: false },
  { name: 'code by a command', facts: [command('x', '/w')], operation: run('x'), is: false },
  { name: 'a file and its folder', facts: both, operation: ask('/w/a.go', '/w'), is: true },
  { name: 'another file', facts: both, operation: ask('/w/b.go', '/w'), is: false },
  { name: 'another folder', facts: both, operation: ask('/w/a.go', '/'), is: false },
  { name: 'a file alone', facts: [reads('/w/a.go')], operation: ask('/w/a.go', '/w'), is: false },
  { name: 'no sandbox', facts: both, operation: ask('/w/a.go', '/w', open), is: false },
  { name: 'network', facts: both, operation: ask('/w/a.go', '/w', { ...closed, network: 'open' }), is: false },
  {
    name: 'no sandbox, and the command was allowed',
    facts: [...both, command('gopls serve', '/w')],
    operation: ask('/w/a.go', '/w', open),
    is: true,
  },
  {
    name: 'no sandbox, and another command was allowed',
    facts: [...both, command('gopls', '/w')],
    operation: ask('/w/a.go', '/w', open),
    is: false,
  },
])('$name', async ({ facts, operation, is }) => {
  expect(await covered(facts, operation)).toBe(is);
});

test('a path that leads elsewhere since the decision', async () => {
  expect(await covered(both, ask('/w/a.go', '/w'), { '/w/a.go': '/etc/passwd' })).toBe(false);
  expect(await covered(both, ask('/w/a.go', '/w'), { '/w': '/etc' })).toBe(false);
});
