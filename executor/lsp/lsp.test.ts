// Language servers through the real executor: a real one on a small project, and ones that misbehave.
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { LanguageServerResult, OperationOf } from '#shared/api/executor';
import { CancelSource } from '#shared/rpc/cancel';
import {
  buildExecutor,
  processesWith,
  startExecutor,
  type TestExecutor,
  testToken,
  until,
} from '../testing/startExecutor';
import { LanguageServers } from './languageServers';

const typeScript = fileURLToPath(new URL('../../node_modules/.bin/tsc', import.meta.url));
const built = await buildExecutor();
let executor: TestExecutor;
let root: string;

beforeAll(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'gatehouse-lsp-')));
  executor = await startExecutor(built.modulePath, { PATH: process.env.PATH, HOME: root, TMPDIR: tmpdir() });
  await put('tsconfig.json', '{ "compilerOptions": { "strict": true, "module": "esnext" }, "include": ["src"] }');
  await put('src/math.ts', '/** Adds. */\nexport function add(a: number, b: number): number {\n  return a + b;\n}\n');
  await put(
    'src/use.ts',
    'import { add } from "./math";\n\nexport const sum = add(1, 2); // 日本 add\nexport const t = "😀"; add(3, 4);\n',
  );
}, 60_000);
afterAll(async () => {
  await executor.stop();
  await rm(root, { recursive: true, force: true });
  await built.dispose();
});

async function put(path: string, text: string): Promise<void> {
  await mkdir(join(root, path, '..'), { recursive: true });
  await writeFile(join(root, path), text);
}

type Query = OperationOf<'lsp.query'>['query'];
const real = { name: 'TypeScript', command: typeScript, args: ['--lsp', '--stdio'] };
const at = (kind: 'definition' | 'references' | 'hover', line: number, where: string | number): Query => ({
  kind,
  line,
  column: typeof where === 'number' ? where : 0,
  symbol: typeof where === 'number' ? '' : where,
});

async function ask(
  path: string,
  query: Query,
  how: { readonly server?: typeof real; readonly timeoutMs?: number } = {},
): Promise<LanguageServerResult> {
  const operation: OperationOf<'lsp.query'> = {
    op: 'lsp.query',
    server: how.server ?? real,
    root,
    path: join(root, path),
    languageId: 'typescript',
    query,
    timeoutMs: how.timeoutMs ?? 30_000,
    sandbox: { enabled: executor.sandbox.available, network: 'off', writable: [], hidden: [] },
  };
  return await executor.rpc.call('lsp.query', { grant: testToken(executor.grantKey, operation), operation });
}

describe('TypeScript', () => {
  it('finds where a name is defined', async () => {
    expect(await ask('src/use.ts', at('definition', 3, 'add'))).toEqual({
      kind: 'locations',
      locations: [{ path: join(root, 'src/math.ts'), line: 2, column: 17 }],
      total: 1,
    });
  });

  it('finds what refers to a name; columns count UTF-16 code units', async () => {
    const expected = {
      kind: 'locations',
      locations: [
        { path: join(root, 'src/math.ts'), line: 2, column: 17 },
        { path: join(root, 'src/use.ts'), line: 1, column: 10 },
        { path: join(root, 'src/use.ts'), line: 3, column: 20 },
        { path: join(root, 'src/use.ts'), line: 4, column: 24 },
      ],
      total: 4,
    };
    for (const [line, where] of [
      [3, 'add'],
      [4, 24],
      [1, 'add'],
    ] as const)
      expect(await ask('src/use.ts', at('references', line, where))).toEqual(expected);
  });

  it('says what a name is', async () => {
    const hover = await ask('src/use.ts', at('hover', 3, 'add'));
    expect(hover).toMatchObject({ kind: 'hover' });
    expect(hover.kind === 'hover' && hover.text).toMatch(/function add\(a: number, b: number\): number[\s\S]*Adds\./);
  });

  it('lists the symbols of a file', async () => {
    const listed = await ask('src/math.ts', { kind: 'symbols' });
    expect(listed).toEqual({
      kind: 'symbols',
      symbols: [{ name: 'add', symbolKind: 'function', line: 2, depth: 0 }],
      total: 1,
    });
  });

  it('finds faults after an edit, also in a file that uses what was edited', async () => {
    const none = { kind: 'diagnostics', diagnostics: [], total: 0, heard: true };
    expect(await ask('src/use.ts', { kind: 'diagnostics' })).toEqual(none);
    await put('src/math.ts', 'export function add(a: string, b: string): string {\n  return a + b;\n}\n');
    const found = await ask('src/use.ts', { kind: 'diagnostics' });
    expect(found).toMatchObject({ total: 2, heard: true });
    expect(found.kind === 'diagnostics' && found.diagnostics[0]).toEqual({
      line: 3,
      column: 24,
      severity: 'error',
      message: "Argument of type 'number' is not assignable to parameter of type 'string'.",
      code: '2345',
      source: 'ts',
    });
    await put('src/new.ts', 'export function add(a: number, b: number) { return a * b }\n');
    await put('src/use.ts', 'import { add } from "./new";\nexport const sum = add(1, 2);\n');
    expect(await ask('src/use.ts', { kind: 'diagnostics' })).toEqual(none);
    await rm(join(root, 'src/new.ts'));
    expect(await ask('src/use.ts', { kind: 'diagnostics' })).toMatchObject({ total: 1 });
  });

  it.each([
    ['a line that is not there', at('hover', 99, 'add'), 'position', 'The file has'],
    ['a name that is not in the line', at('hover', 1, 'zzz'), 'position', 'Line 1 does not hold zzz'],
    ['a column that is not in the line', at('hover', 1, 999), 'position', 'there is no column 999'],
  ])('refuses %s', async (_name, query, reason, message) => {
    const answer = await ask('src/use.ts', query);
    expect(answer).toMatchObject({ kind: 'failure', reason });
    expect(answer.kind === 'failure' && answer.message).toContain(message);
  });

  it('says so when a file is not there', async () => {
    expect(await ask('src/missing.ts', { kind: 'symbols' })).toMatchObject({ kind: 'failure', reason: 'file' });
  });
});

/** A server written in a few lines; it lies below the root, where the sandbox shows it. */
async function server(name: string, body: string): Promise<typeof real> {
  await put(
    `servers/${name}.mjs`,
    `
const send = (message) => { const body = JSON.stringify({ jsonrpc: '2.0', ...message }); raw('Content-Length: ' + Buffer.byteLength(body) + '\\r\\n\\r\\n' + body); };
import { writeSync } from 'node:fs';
const raw = (text) => { for (let bytes = Buffer.from(text); bytes.length > 0; ) try { bytes = bytes.subarray(writeSync(1, bytes)); } catch (error) { if (error.code !== 'EAGAIN') throw error; } };
const greet = (id, capabilities = { documentSymbolProvider: true, hoverProvider: true, definitionProvider: true }) => send({ id, result: { capabilities } });
let rest = Buffer.alloc(0);
process.stdin.on('data', (bytes) => {
  rest = Buffer.concat([rest, bytes]);
  for (;;) {
    const end = rest.indexOf('\\r\\n\\r\\n');
    if (end < 0) return;
    const length = Number(/(\\d+)/.exec(rest.toString('latin1', 0, end))[1]);
    if (rest.length < end + 4 + length) return;
    const message = JSON.parse(rest.toString('utf8', end + 4, end + 4 + length));
    rest = rest.subarray(end + 4 + length);
    on(message);
  }
});
const on = (message) => { ${body} };
`,
  );
  return { name, command: process.execPath, args: [join(root, 'servers', `${name}.mjs`)] };
}

const symbols: Query = { kind: 'symbols' };
const isQuestion = "message.method === 'textDocument/documentSymbol'";

describe('a server that', () => {
  it.each([
    ['hangs at its greeting', '', 'timeout', /did not answer initialize within/],
    [
      'hangs at a question',
      'if (message.method === "initialize") greet(message.id);',
      'timeout',
      /did not answer textDocument\/documentSymbol/,
    ],
    [
      'dies at once',
      'console.error("cannot find my config"); process.exit(2);',
      'crashed',
      /ended with exit code 2: cannot find my config/,
    ],
    [
      'dies at a question',
      `if (message.method === 'initialize') greet(message.id); if (${isQuestion}) process.exit(7);`,
      'crashed',
      /exit code 7/,
    ],
    ['sends text', 'raw("Starting up... please wait\\n".repeat(500));', 'badAnswer', /sent a header without an end/],
    ['sends text with empty lines', 'raw("Hello\\r\\n\\r\\nworld");', 'badAnswer', /no message/],
    ['sends no JSON', 'raw("Content-Length: 5\\r\\n\\r\\nhello");', 'badAnswer', /no JSON, or of another length/],
    [
      'says too short a length',
      'raw("Content-Length: 4\\r\\n\\r\\n{\\"id\\":1}");',
      'badAnswer',
      /no JSON, or of another length/,
    ],
    ['says too long a length', 'raw("Content-Length: 900\\r\\n\\r\\n{}");', 'timeout', /did not answer initialize/],
    [
      'announces a huge message',
      'raw("Content-Length: 99999999999\\r\\n\\r\\n{}");',
      'badAnswer',
      /announced a message of 99999999999 bytes/,
    ],
    ['sends a list', 'const b = "[1,2]"; raw("Content-Length: 5\\r\\n\\r\\n" + b);', 'badAnswer', /no message/],
    [
      'floods',
      `const f = () => { for (let i = 0; i < 200; i++) send({ method: 'window/logMessage', params: { type: 3, message: 'x'.repeat(1e5) } }); setImmediate(f); }; f();`,
      'badAnswer',
      /far more than was asked for/,
    ],
    [
      'greets with rubbish',
      'if (message.method === "initialize") send({ id: message.id, result: 7 });',
      'badAnswer',
      /greeting was not understood/,
    ],
    [
      'counts in bytes',
      'if (message.method === "initialize") greet(message.id, { positionEncoding: "utf-8" });',
      'badAnswer',
      /greeting was not understood/,
    ],
    [
      'offers nothing',
      'if (message.method === "initialize") greet(message.id, {});',
      'unsupported',
      /does not offer symbols/,
    ],
    [
      'refuses',
      `if (message.method === 'initialize') greet(message.id); if (${isQuestion}) send({ id: message.id, error: { code: -1, message: 'not today' } });`,
      'serverError',
      /refused: not today/,
    ],
  ])('%s', async (name, body, reason, message) => {
    const fake = await server(name.replaceAll(' ', '-'), body);
    const answer = await ask('src/math.ts', symbols, {
      server: fake,
      timeoutMs: reason === 'timeout' ? 1_500 : 20_000,
    });
    expect(answer).toMatchObject({ kind: 'failure', reason });
    expect(answer.kind === 'failure' && answer.message).toMatch(message);
    if (reason !== 'unsupported' && reason !== 'serverError')
      await until('it is gone', () => processesWith(fake.args[0] ?? '').length === 0);
  });

  it('answers with rubbish gives nothing', async () => {
    const fake = await server(
      'rubbish',
      `if (message.method === 'initialize') greet(message.id); else if (message.id) send({ id: message.id, result: [null, 3, { uri: 1 }, { name: 'x', kind: 99, selectionRange: { start: { line: -1, character: 0 } } }, { name: 'o\\u001b[31mk', kind: 12, location: { range: { start: { line: 4, character: 0 }, end: { line: 4, character: 1 } } } }] });`,
    );
    expect(await ask('src/math.ts', symbols, { server: fake })).toEqual({
      kind: 'symbols',
      symbols: [{ name: 'o\uFFFD[31mk', symbolKind: 'function', line: 5, depth: 0 }],
      total: 1,
    });
    expect(await ask('src/math.ts', at('definition', 1, 1), { server: fake })).toEqual({
      kind: 'locations',
      locations: [],
      total: 5,
    });
    expect(await ask('src/math.ts', at('hover', 1, 1), { server: fake })).toEqual({ kind: 'hover', text: '' });
  });

  it('keeps on dying is not started for ever', async () => {
    const fake = await server('dying', 'process.exit(1);');
    const said: string[] = [];
    for (let n = 0; n < 4; n += 1) {
      const answer = await ask('src/math.ts', symbols, { server: fake });
      said.push(answer.kind === 'failure' ? answer.message : answer.kind);
    }
    expect(said.slice(0, 2)).toEqual(
      Array.from({ length: 2 }, () => expect.stringContaining('The next question starts it again.')),
    );
    expect(said[2]).not.toContain('starts it again');
    expect(said[3]).toContain('failed 3 times within 10 minutes and is not started again for now');
  });

  it('lives answers all questions', async () => {
    const fake = await server(
      'warm',
      "if (message.method === 'initialize') greet(message.id); if (message.method === 'textDocument/hover') send({ id: message.id, result: { contents: String(globalThis.asked = (globalThis.asked ?? 0) + 1) } });",
    );
    const asked = await Promise.all([1, 1, 1].map(() => ask('src/math.ts', at('hover', 1, 1), { server: fake })));
    // Each reads the file first, so nobody says which of them comes to the server first.
    expect(asked.map((answer) => answer.kind === 'hover' && answer.text).sort()).toEqual(['1', '2', '3']);
  });

  it('dies is started again', async () => {
    const fake = await server(
      'once',
      `if (message.method === 'initialize') greet(message.id); if (${isQuestion}) send({ id: message.id, result: [] }); if (message.method === 'textDocument/hover') process.exit(1);`,
    );
    const none = { kind: 'symbols', symbols: [], total: 0 };
    expect(await ask('src/math.ts', symbols, { server: fake })).toEqual(none);
    expect(await ask('src/math.ts', at('hover', 1, 1), { server: fake })).toMatchObject({ reason: 'crashed' });
    expect(await ask('src/math.ts', symbols, { server: fake })).toEqual(none);
  });

  it('reports by itself is waited for, and asks are answered without effect', async () => {
    const fake = await server(
      'reporting',
      `if (message.method === 'initialize') { greet(message.id, {}); send({ id: 'e', method: 'workspace/applyEdit', params: { edit: {} } }); }
       if (message.id === 'e') globalThis.applied = message.result.applied;
       const uri = message.params?.textDocument?.uri;
       const report = (text) => send({ method: 'textDocument/publishDiagnostics', params: { uri, diagnostics: text ? [{ range: { start: { line: 0, character: 2 }, end: { line: 0, character: 3 } }, severity: 2, message: text }] : [] } });
       if (message.method === 'textDocument/didOpen') { report(''); setTimeout(() => report('applied: ' + globalThis.applied), 100); }`,
    );
    expect(await ask('src/math.ts', { kind: 'diagnostics' }, { server: fake })).toEqual({
      kind: 'diagnostics',
      diagnostics: [{ line: 1, column: 3, severity: 'warning', message: 'applied: false', code: '', source: '' }],
      total: 1,
      heard: true,
    });
  });

  it('is not there', async () => {
    const missing = { name: 'none', command: 'gatehouse-no-such-server', args: [] };
    expect(await ask('src/math.ts', symbols, { server: missing })).toMatchObject({
      kind: 'failure',
      reason: 'missing',
    });
    const broken = { name: 'none', command: join(root, 'tsconfig.json'), args: [] };
    expect(await ask('src/math.ts', symbols, { server: broken })).toMatchObject({ kind: 'failure', reason: 'crashed' });
  });

  it('may not write and has no network', async () => {
    if (!executor.sandbox.available) return;
    const fake = await server(
      'curious',
      `if (message.method === 'initialize') greet(message.id);
       if (message.method === 'textDocument/hover') Promise.all([
         import('node:fs').then((fs) => fs.promises.writeFile(${JSON.stringify('/PLACE/written')}, 'x')).then(() => 'wrote', (e) => e.code),
         fetch('http://127.0.0.1:65000').catch((e) => e.cause.code),
       ]).then((said) => send({ id: message.id, result: { contents: said.join(' ') } }));`.replace('/PLACE', root),
    );
    expect(await ask('src/math.ts', at('hover', 1, 1), { server: fake })).toEqual({
      kind: 'hover',
      text: 'EROFS ECONNREFUSED',
    });
  });
});

describe('servers that nobody asks', () => {
  const body =
    "if (message.method === 'initialize') greet(message.id); else if (message.id) send({ id: message.id, result: [] });";
  const question = (fake: typeof real): OperationOf<'lsp.query'> => ({
    op: 'lsp.query',
    server: fake,
    root,
    path: join(root, 'src/math.ts'),
    languageId: 'typescript',
    query: symbols,
    timeoutMs: 20_000,
    sandbox: { enabled: false, network: 'off', writable: [], hidden: [] },
  });
  const none = { kind: 'symbols', symbols: [], total: 0 };
  const own = { PATH: process.env.PATH, HOME: '/nowhere' };
  const sandbox = () => ({ available: false, kind: 'none', reason: '' }) as const;
  const runs = (fake: typeof real) => processesWith(fake.args[0] ?? '').length > 0;

  it('are stopped after a while, and started again', async () => {
    const fake = await server('idle', body);
    const servers = new LanguageServers({ own, sandbox, limits: { idleMs: 30 } });
    for (let n = 0; n < 2; n += 1) {
      expect(await servers.ask(question(fake), new CancelSource())).toEqual(none);
      await until('it is gone', () => !runs(fake));
    }
    await servers.dispose();
  });

  it('make room for others', async () => {
    const [one, two] = [await server('room-one', body), await server('room-two', body)];
    const servers = new LanguageServers({ own, sandbox, limits: { mostServers: 1 } });
    await servers.ask(question(one), new CancelSource());
    expect([one, two].map(runs)).toEqual([true, false]);
    await servers.ask(question(two), new CancelSource());
    expect([one, two].map(runs)).toEqual([false, true]);
    await servers.dispose();
    expect([one, two].map(runs)).toEqual([false, false]);
  });

  it('are not started where the sandbox they were promised is not there', async () => {
    const fake = await server('promised', body);
    const servers = new LanguageServers({ own, sandbox });
    const asked = question(fake);
    const promised = { ...asked, sandbox: { ...asked.sandbox, enabled: true } };
    expect(await servers.ask(promised, new CancelSource())).toMatchObject({ kind: 'failure', reason: 'refused' });
    expect(runs(fake)).toBe(false);
    await servers.dispose();
  });
});

it('ends with the executor', async () => {
  const own = await startExecutor(built.modulePath, { PATH: process.env.PATH, HOME: root, TMPDIR: tmpdir() });
  const fake = await server(
    'ending',
    "if (message.method === 'initialize') greet(message.id); if (message.id > 1) send({ id: message.id, result: [] });",
  );
  const operation: OperationOf<'lsp.query'> = {
    op: 'lsp.query',
    server: fake,
    root,
    path: join(root, 'src/math.ts'),
    languageId: 'typescript',
    query: symbols,
    timeoutMs: 20_000,
    sandbox: { enabled: false, network: 'off', writable: [], hidden: [] },
  };
  await own.rpc.call('lsp.query', { grant: testToken(own.grantKey, operation), operation });
  expect(processesWith(fake.args[0] ?? '').length).toBeGreaterThan(0);
  await own.stop();
  await until('it is gone', () => processesWith(fake.args[0] ?? '').length === 0);
});
