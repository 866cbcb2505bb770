// JavaScript sessions and language servers through the whole core: switched on, asked for, confined, kept, ended.
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { type CoreWorld, disposeBuilt, modelText, startWorld, type TestSession } from '../faults/testing/coreWorld';

const typeScript = fileURLToPath(new URL('../../../node_modules/.bin/tsc', import.meta.url));
let world: CoreWorld;
let session: TestSession;

beforeAll(async () => {
  world = await startWorld({ settings: {} });
  const server = { command: typeScript, args: ['--lsp', '--stdio'] };
  await world
    .client()
    .call('settings.setPreferences', { features: { repl: true }, lspServers: { typescript: server } });
}, 60_000);
beforeEach(async () => {
  session = await world.session();
});
afterAll(async () => {
  expect(world.logFaults()).toEqual([]);
  await world.dispose();
  await disposeBuilt();
  expect(world.processes()).toEqual([]);
});

const asks = () => session.events.flatMap(({ body }) => (body.type === 'call.asked' ? [body.ask] : []));
const search = { calls: [{ name: 'ToolSearch', input: { query: 'select:REPL' } }] };
const repl = (code: string) => ({ name: 'REPL', input: { code } });

it('asks before code runs, keeps its variables, and gives each session its own', async () => {
  const calls = await session.turn(search, { calls: [repl('let n = 20; console.log("set")'), repl('n + 1')] });
  expect(calls.slice(1).map(modelText)).toEqual(['set', 'Value: 21']);
  expect(asks()).toMatchObject([
    { kind: 'permission', toolName: 'REPL', input: { code: 'let n = 20; console.log("set")' } },
    { kind: 'permission', toolName: 'REPL', input: { code: 'n + 1' } },
  ]);
  session = await world.session();
  expect((await session.turn(search, { calls: [repl('typeof n')] })).slice(1).map(modelText)).toEqual([
    'Value: undefined',
  ]);
});

it('asks no more once a rule allows it', async () => {
  world.settings({ permissions: { allow: ['REPL'] } });
  const [, call] = await session.turn(search, { calls: [repl('1 + 1')] });
  expect([modelText(call), asks()]).toEqual(['Value: 2', []]);
  world.settings({});
});

it('answers questions about code without asking, and reports on what was edited', async () => {
  world.write('project/tsconfig.json', '{ "compilerOptions": { "strict": true } }');
  world.write('project/a.ts', 'export const one: number = 1;\n');
  world.write('project/b.ts', 'import { one } from "./a";\nconsole.log(one);\n');
  world.settings({ permissions: { allow: ['Edit'] } });
  const edit = { file_path: 'a.ts', old_string: '= 1', new_string: '= "1"' };
  const calls = await session.turn(
    { calls: [{ name: 'ToolSearch', input: { query: 'select:LSP,GetDiagnostics' } }] },
    {
      calls: [
        { name: 'LSP', input: { operation: 'definition', file_path: 'b.ts', line: 2, symbol: 'one' } },
        { name: 'Read', input: { file_path: 'a.ts' } },
        { name: 'Edit', input: edit },
        { name: 'GetDiagnostics', input: {} },
      ],
    },
  );
  const texts = calls.map(modelText);
  expect(texts[1]).toBe('a.ts:1:14');
  expect(texts[4]).toMatch(/^a\.ts, by tsc: 1 error\n1:14 error \(ts 2322\): Type 'string' is not assignable/);
  world.settings({});
});

it('ends a session’s process with the session', async () => {
  const sessions = () => world.processes().filter((line) => line.includes('--max-old-space-size')).length;
  world.settings({ permissions: { allow: ['REPL'] } });
  const before = sessions();
  await session.turn(search, { calls: [repl('1')] });
  expect(sessions()).toBeGreaterThan(before);
  await world.client().call('sessions.delete', { sessionId: session.id });
  expect(sessions()).toBe(before);
});
