// The tools that run code and ask language servers, through the real executor and the real disk.
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createGetDiagnosticsTool } from './getDiagnostics/getDiagnostics';
import type { LanguageOptions } from './lsp/languages';
import { createLspTool } from './lsp/lsp';
import { createPowerShellTool } from './powerShell/powerShell';
import { createRegistry } from './registry';
import { createReplTool } from './repl/repl';
import { type Outcome, type RealExecutor, startRealExecutor } from './testing/realExecutor';
import { samplePlace } from './testing/samplePlace';
import type { AnyTool } from './tool';

const typeScript = fileURLToPath(new URL('../../../node_modules/.bin/tsc', import.meta.url));
let real: RealExecutor;
let edited: readonly string[] = [];
const server = { command: typeScript, args: ['--lsp', '--stdio'] };
const languages: LanguageOptions = {
  preferences: () => ({ typescript: server }),
  isInPath: () => false,
  confined: () => false,
  workingFolders: () => [],
  recentlyEdited: () => edited,
};
const repl = createReplTool({ whyNot: () => '' });
const lsp = createLspTool(languages);
const diagnostics = createGetDiagnosticsTool(languages);

beforeAll(async () => {
  real = await startRealExecutor();
  await put('tsconfig.json', '{ "compilerOptions": { "strict": true, "module": "esnext" } }');
  await put('src/math.ts', 'export function add(a: number, b: number): number {\n  return a + b;\n}\n');
  await put('src/use.ts', 'import { add } from "./math";\nexport const sum: number = add(1, 2);\n');
}, 60_000);
afterAll(() => real.dispose());

const at = (path: string): string => join(real.folder, path);

async function put(path: string, content: string): Promise<void> {
  await mkdir(dirname(at(path)), { recursive: true });
  await writeFile(at(path), content);
}

async function say(tool: AnyTool, input: unknown): Promise<string> {
  const outcome = await real.call(tool, input);
  return textOf(outcome);
}

function textOf(outcome: Outcome): string {
  if (outcome.kind !== 'succeeded') return `${outcome.kind}: ${outcome.text}`;
  return outcome.blocks.map((block) => (block.type === 'text' ? block.text : `[${block.type}]`)).join('\n--\n');
}

describe('REPL', () => {
  it('keeps variables, prints, and gives values', async () => {
    expect(
      await say(repl, { code: 'const rows = await Promise.resolve([1, 2, 3]); console.log("read", rows.length)' }),
    ).toBe('read 3');
    expect(await say(repl, { code: 'rows.map((n) => n * 2)' })).toBe('Value: [ 2, 4, 6 ]');
    expect(await say(repl, { code: 'console.log("a"); "b"' })).toBe('a\n\nValue: b');
    expect(await say(repl, { code: 'let nothing' })).toBe('The code ran and printed nothing.');
    expect(await say(repl, { code: 'process.cwd()' })).toBe(`Value: ${real.folder}`);
  });

  it('reports errors with what was printed before', async () => {
    expect(await say(repl, { code: 'console.log("first");\nnull.x' })).toMatch(
      /^failed: TypeError: Cannot read properties of null[\s\S]*Printed until then:\nfirst$/,
    );
  });

  it('says what became of the session', async () => {
    expect(await say(repl, { code: 'for (;;) {}', timeout: '500' })).toBe(
      'failed: The code was stopped at its timeout of 500 ms. Let it do less, or set a longer timeout (at most 600,000 ms).\n\nThe session starts anew with the next call; its variables are gone.',
    );
    expect(await say(repl, { code: 'typeof rows' })).toBe(
      'Value: undefined\n\nThe session had started anew before this call: variables of earlier calls were not there any more.',
    );
    expect(await say(repl, { code: 'process.exit(2)' })).toMatch(
      /^failed: The code ended its own process \(exit code 2\)/,
    );
  });

  it('keeps long output in a file, and the value beside its preview', async () => {
    const outcome = await real.call(repl, { code: 'console.log("z".repeat(100_000)); 42' });
    expect(outcome).toMatchObject({ kind: 'succeeded', persisted: { bytes: 100_001 } });
    expect(textOf(outcome)).toMatch(/^<persisted-output>[\s\S]*Value: 42\n/);
  });

  it('stops with the call', async () => {
    const stop = new AbortController();
    const running = real.call(
      repl,
      { code: 'await new Promise(() => setInterval(() => {}, 1e3))' },
      { signal: stop.signal },
    );
    await new Promise((resolve) => setTimeout(resolve, 200));
    stop.abort();
    expect(textOf(await running)).toMatch(/^failed: The code was interrupted after/);
  });

  it('survives the end of the executor', async () => {
    const running = real.call(repl, {
      code: 'console.log("before"); await new Promise(() => setInterval(() => {}, 1e3))',
    });
    await new Promise((resolve) => setTimeout(resolve, 500));
    await real.killExecutor();
    expect(textOf(await running)).toMatch(/^failed: The executor process ended[\s\S]*Output until then:\nbefore/);
    expect(await say(repl, { code: '1 + 1' })).toMatch(/^Value: 2/);
  });

  it('asks: nothing is known of code', () => {
    const input = { code: 'ls', description: 'List' };
    expect(repl.facts(input, samplePlace)).toEqual([
      { kind: 'code', language: 'javascript', code: 'ls', cwd: '/srv/app' },
    ]);
    expect([repl.isReadOnly(input), repl.isConcurrencySafe(input), repl.canBeReadOnly()]).toEqual([
      false,
      false,
      false,
    ]);
  });
});

describe('LSP', () => {
  it('answers with places from the current folder', async () => {
    const question = { file_path: 'src/use.ts', line: '2', symbol: 'add' };
    expect(await say(lsp, { operation: 'definition', ...question })).toBe('src/math.ts:1:17');
    expect(await say(lsp, { operation: 'references', ...question })).toBe(
      'src/math.ts:1:17\nsrc/use.ts:1:10\nsrc/use.ts:2:28',
    );
    expect(await say(lsp, { operation: 'hover', ...question })).toContain('function add(a: number, b: number): number');
    expect(await say(lsp, { operation: 'symbols', file_path: 'src/math.ts' })).toBe('function add (line 1)');
    expect(await say(lsp, { operation: 'diagnostics', file_path: 'src/use.ts' })).toBe(
      'tsc finds no problems in src/use.ts.',
    );
  });

  it('marks what lies outside', async () => {
    await put('src/long.ts', 'export const n = [1].map(String);\n');
    const text = await say(lsp, { operation: 'definition', file_path: 'src/long.ts', line: 1, symbol: 'map' });
    expect(text).toMatch(/^\S+lib\.es5\.d\.ts:\d+:\d+ \(outside the working folders\)$/m);
  });

  it.each([
    [{ operation: 'hover', file_path: 'src/use.ts' }, 'rejected: hover needs a place'],
    [{ operation: 'symbols', file_path: 'src/use.xyz' }, 'rejected: src/use.xyz is in no language'],
    [{ operation: 'symbols', file_path: 'x.py' }, 'rejected: No language server for python is installed'],
    [{ operation: 'hover', file_path: 'src/use.ts', line: 2, symbol: 'gone' }, 'failed: Line 2 does not hold gone.'],
    [{ operation: 'symbols', file_path: 'src/none.ts' }, `failed: `],
    [{ operation: 'rename', file_path: 'src/use.ts' }, 'invalid: '],
  ])('%o', async (input, expected) => {
    expect((await say(lsp, input)).slice(0, expected.length)).toBe(expected);
  });

  it('is a read inside the sandbox and a command outside of it', () => {
    const place = { ...samplePlace };
    const input = { operation: 'symbols' as const, file_path: 'src/a.ts' };
    const reads = [
      { kind: 'path', access: 'read', path: '/srv/app/src/a.ts' },
      { kind: 'path', access: 'read', path: '/srv/app' },
    ];
    expect(createLspTool({ ...languages, confined: () => true }).facts(input, place)).toEqual(reads);
    expect(lsp.facts(input, place)).toEqual([
      ...reads,
      { kind: 'command', command: `${typeScript} --lsp --stdio`, cwd: '/srv/app' },
    ]);
    expect(
      createLspTool({ ...languages, confined: () => true }).facts({ ...input, file_path: '/etc/x/a.ts' }, place),
    ).toEqual([
      { kind: 'path', access: 'read', path: '/etc/x/a.ts' },
      { kind: 'path', access: 'read', path: '/etc/x' },
    ]);
  });
});

describe('GetDiagnostics', () => {
  it('looks at the files that were edited, and says which server said so', async () => {
    expect(await say(diagnostics, {})).toMatch(/^rejected: No file was edited in this session yet/);
    await put('src/math.ts', 'export function add(a: string, b: string): string {\n  return a + b;\n}\n');
    edited = [at('src/use.ts'), at('src/math.ts'), at('notes.unknown')];
    const text = await say(diagnostics, {});
    expect(text.split('\n\n')).toEqual([
      expect.stringMatching(
        /^src\/use\.ts, by tsc: \d errors\n2:14 error \(ts 2322\): Type 'string' is not assignable to type 'number'\.\n/,
      ),
      'src/math.ts, by tsc: no problems',
      expect.stringMatching(/^notes\.unknown: notes\.unknown is in no language/),
    ]);
    edited = [];
  });

  it('looks at the files that are named', async () => {
    expect(await say(diagnostics, { file_paths: ['src/math.ts', 'src/math.ts'] })).toBe(
      'src/math.ts, by tsc: no problems',
    );
  });
});

it('are offered where they can work', () => {
  const none: LanguageOptions = { ...languages, preferences: () => ({}) };
  const inPath = { ...none, isInPath: (program: string) => program === 'gopls' };
  const state = (tool: AnyTool) => [tool.isEnabled(), tool.unavailableReason()];
  expect(
    [none, inPath].map((options) => [createLspTool(options), createGetDiagnosticsTool(options)].map(state)),
  ).toEqual([
    [
      [false, expect.stringMatching(/^No language server was found in PATH\. Install one/)],
      [false, expect.stringMatching(/^No language server was found in PATH\. Install one/)],
    ],
    [
      [true, ''],
      [true, ''],
    ],
  ]);
  expect(state(createReplTool({ whyNot: () => 'No node.' }))).toEqual([false, 'No node.']);
  expect((['linux', 'win32'] as const).map((platform) => state(createPowerShellTool({ platform })))).toEqual([
    [false, 'PowerShell is offered on Windows only; here Bash does its work.'],
    [true, ''],
  ]);
});

it('are what the model sees, byte for byte', async () => {
  const tools: readonly AnyTool[] = [createPowerShellTool({ platform: 'win32' }), repl, lsp, diagnostics];
  const definitions = createRegistry({ tools }).toolDefinitions();
  await expect(`${JSON.stringify(definitions, null, 2)}\n`).toMatchFileSnapshot('./testing/codeToolDefinitions.snap');
});
