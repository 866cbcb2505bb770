// Calls with hooks from a settings file, run as real commands.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { connectHooks } from '../hooks/connectHooks';
import { type Hooks, noHookOutcome } from '../hooks/hooks';
import { type RuledBench, type RuledBenchOptions, ruledBench } from './testing/ruledBench';

const ending: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ending.splice(0)) await end();
});

interface Handler {
  readonly command: string;
  readonly timeout?: number;
}

async function world(hooks: Readonly<Record<string, Handler>>, options: RuledBenchOptions = {}): Promise<RuledBench> {
  let real: Hooks | undefined;
  const w = await ruledBench({
    ...options,
    hooks: {
      listens: (...about) => real?.listens(...about) ?? false,
      fire: (...about) => real?.fire(...about) ?? Promise.resolve(noHookOutcome),
      dispose: () => Promise.resolve(),
    },
  });
  const settings = {
    hooks: Object.fromEntries(
      Object.entries(hooks).map(([event, handler]) => [
        event,
        [{ matcher: 'Bash', hooks: [{ type: 'command', ...handler }] }],
      ]),
    ),
  };
  await mkdir(join(w.paths.home, '.claude'), { recursive: true });
  await mkdir(w.folder, { recursive: true });
  await writeFile(join(w.paths.home, '.claude', 'settings.json'), JSON.stringify(settings));
  const { sessions, services } = w.bench;
  real = connectHooks({
    ports: {
      paths: w.paths,
      host: { platform: 'linux' },
      environment: { variables: { PATH: '/usr/bin:/bin' } },
      log: services.log,
    },
    sessions,
    engine: w.engine,
    results: services.results,
    models: {
      clientFor: () => {
        throw new Error('no model here');
      },
    },
    registry: services.registry,
    now: services.now,
  });
  ending.push(async () => {
    await real?.dispose();
    await w.dispose();
  });
  return w;
}

const json = (output: object) => `printf '%s' '${JSON.stringify(output)}'`;
const preToolUse = (fields: object) => json({ hookSpecificOutput: { hookEventName: 'PreToolUse', ...fields } });
const make = { command: 'make all' };

test('exit 2 denies, its words reach the model, and the run is part of the call', async () => {
  const w = await world({ PreToolUse: { command: 'echo "not on a Friday" >&2; exit 2' } }, { allow: ['Bash'] });
  const { call } = await w.run({ input: make });
  expect([call.status, w.ran]).toEqual(['denied', []]);
  expect('modelText' in call ? call.modelText : '').toContain('not on a Friday');
  expect(call.hooks).toMatchObject([{ event: 'PreToolUse', outcome: 'blocked', exitCode: 2 }]);
});

test('JSON allows with another input, which the rules judge too', async () => {
  const command = preToolUse({ permissionDecision: 'allow', updatedInput: { command: 'make one' } });
  const w = await world({ PreToolUse: { command } });
  await w.run({ input: make });
  const denying = await world({ PreToolUse: { command } }, { deny: ['Bash(make one)'] });
  await denying.run({ input: make });
  expect([w.ran, w.asked, denying.ran]).toEqual([['make one'], [], []]);
});

test('text before the JSON is never an allow', async () => {
  const command = `echo ready; ${preToolUse({ permissionDecision: 'allow' })}`;
  const w = await world({ PreToolUse: { command } });
  await w.run({ input: make });
  expect(w.asked).toHaveLength(1);
});

test('a hook that hangs after a call is ended at its timeout; the result is whole and later calls are normal', async () => {
  const w = await world({ PostToolUse: { command: 'sleep 300', timeout: 1 } }, { allow: ['Bash'] });
  expect((await w.run({ input: make })).call).toMatchObject({ status: 'succeeded', modelText: 'ran make all' });
  expect(w.notices().join()).toContain('sleep 300');
  expect((await w.run({ input: { command: 'make two' } })).call).toMatchObject({ modelText: 'ran make two' });
}, 20_000);

test('a PermissionRequest hook answers before the person', async () => {
  const decision = { behavior: 'deny', message: 'never at night' };
  const command = json({ hookSpecificOutput: { hookEventName: 'PermissionRequest', decision } });
  const w = await world({ PermissionRequest: { command } });
  const { call } = await w.run({ input: make });
  expect([call.status, w.asked]).toEqual(['denied', []]);
  expect('modelText' in call ? call.modelText : '').toContain('never at night');
});
