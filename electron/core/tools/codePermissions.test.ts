// What the permission engine makes of calls that run code or ask language servers.
import { mkdir, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { PermissionMode } from '#shared/permissions/modes';
import { createPermissionEngine } from '../permissions/permissionEngine';
import { loadSecondParser } from '../permissions/shell/treeSitter';
import { engineWorld } from '../permissions/testing/engineWorld';
import { createGetDiagnosticsTool } from './getDiagnostics/getDiagnostics';
import type { LanguageOptions } from './lsp/languages';
import { createLspTool } from './lsp/lsp';
import { createPowerShellTool } from './powerShell/powerShell';
import { createReplTool } from './repl/repl';
import type { AnyTool } from './tool';

let base: string;
const world = engineWorld(() => base);

beforeEach(async () => {
  base = await realpath(await mkdtemp(join(tmpdir(), 'gatehouse-code-rules-')));
  await mkdir(world.project(), { recursive: true });
  await loadSecondParser();
});
afterEach(() => rm(base, { recursive: true, force: true }));

const languages = (confined: boolean): LanguageOptions => ({
  preferences: () => ({}),
  isInPath: (program) => program === 'gopls',
  confined: () => confined,
  workingFolders: () => [],
  recentlyEdited: () => [],
});

async function verdict(
  tool: AnyTool,
  input: Record<string, unknown>,
  how: { readonly rules?: object; readonly mode?: PermissionMode } = {},
): Promise<string> {
  await world.put(world.file.user(), world.permissions(how.rules ?? {}));
  const engine = createPermissionEngine(world.engineOptions());
  try {
    await engine.openSession('s', world.project());
    const place = {
      sessionId: 's',
      callId: 'c',
      folder: world.project(),
      cwd: world.project(),
      home: join(base, 'home'),
    };
    const parsed = tool.inputSchema().parse(input);
    const request = {
      toolName: tool.name,
      isMcp: false,
      isReadOnly: tool.isReadOnly(parsed),
      input: tool.observableInput(parsed, place),
      facts: tool.facts(parsed, place),
      own: tool.checkPermissions(parsed, place),
    };
    const { decision } = await engine.evaluate(request, world.situation({ mode: how.mode ?? 'default' }));
    return decision.behavior;
  } finally {
    await engine.dispose();
  }
}

const repl = createReplTool({ whyNot: () => '' });
const powerShell = createPowerShellTool({ platform: 'win32' });
const inside = { operation: 'symbols', file_path: 'main.go' };
const outside = { operation: 'symbols', file_path: '/srv/other/main.go' };
const allow = (...rules: string[]) => ({ rules: { allow: rules } });

it.each([
  ['code asks', repl, { code: '1 + 1' }, {}, 'ask'],
  ['code that reads like a harmless command asks', repl, { code: 'ls' }, {}, 'ask'],
  ['code is allowed by a rule', repl, { code: 'anything()' }, allow('REPL'), 'allow'],
  ['code is not allowed by rules for the shell', repl, { code: 'ls' }, allow('Bash', 'Bash(ls:*)'), 'ask'],
  ['code is denied by a rule', repl, { code: '1' }, { rules: { allow: ['REPL'], deny: ['REPL'] } }, 'deny'],
  ['code in plan mode asks', repl, { code: '1' }, { mode: 'plan' as const, ...allow('REPL') }, 'ask'],
  ['code in acceptEdits asks', repl, { code: '1' }, { mode: 'acceptEdits' as const }, 'ask'],
  ['code in dontAsk is denied', repl, { code: '1' }, { mode: 'dontAsk' as const }, 'deny'],
  ['PowerShell asks', powerShell, { command: 'ls' }, {}, 'ask'],
  ['PowerShell asks in spite of a rule', powerShell, { command: 'ls' }, allow('PowerShell', 'PowerShell(ls)'), 'ask'],
  ['PowerShell is denied by a rule', powerShell, { command: 'ls' }, { rules: { deny: ['PowerShell'] } }, 'deny'],
  [
    'PowerShell is denied by its text',
    powerShell,
    { command: 'ls; del x' },
    { rules: { deny: ['PowerShell(Remove-Item:*)'] } },
    'deny',
  ],
  [
    'code is denied by a rule with brackets',
    repl,
    { code: '1' },
    { rules: { allow: ['REPL'], deny: ['REPL(2)'] } },
    'deny',
  ],
  ['code is not allowed by a rule with brackets', repl, { code: '1' }, allow('REPL(1)'), 'ask'],
  ['a question about a file of the project', createLspTool(languages(true)), inside, {}, 'allow'],
  ['the same in plan mode', createLspTool(languages(true)), inside, { mode: 'plan' as const }, 'allow'],
  ['a question about a file elsewhere', createLspTool(languages(true)), outside, {}, 'ask'],
  [
    'a file that may not be read',
    createLspTool(languages(true)),
    inside,
    { rules: { deny: ['Read(./main.go)'] } },
    'deny',
  ],
  ['a server without a sandbox', createLspTool(languages(false)), inside, {}, 'ask'],
  ['a server without a sandbox, by a rule', createLspTool(languages(false)), inside, allow('LSP'), 'allow'],
  ['diagnostics', createGetDiagnosticsTool(languages(true)), { file_paths: ['main.go'] }, {}, 'allow'],
  [
    'diagnostics elsewhere',
    createGetDiagnosticsTool(languages(true)),
    { file_paths: ['main.go', '/srv/x.go'] },
    {},
    'ask',
  ],
  ['diagnostics without a sandbox', createGetDiagnosticsTool(languages(false)), { file_paths: ['main.go'] }, {}, 'ask'],
] as const)('%s', async (_name, tool, input, how, expected) => {
  expect(await verdict(tool as AnyTool, { ...input }, how)).toBe(expected);
});
