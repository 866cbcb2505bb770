// Calls as a page might send them, one after the other, into a whole core: each has an answer, none is a fault of ours.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { appContract } from '#shared/api/app';
import { protocolVersion } from '#shared/api/host';
import { RpcError } from '#shared/rpc/errors';
import { createLinkedPair } from '#shared/rpc/linkedPair';
import { connect } from '#shared/rpc/peer';
import { nearly } from '#shared/testing/fromSchema';
import { type FuzzPlace, fuzzTarget, must, type OpenTargets } from '#shared/testing/fuzzTarget';
import { ApiKey } from '../../apiKey';
import { createCore } from '../../createCore';
import { hostEnvironment, hostPaths } from '../../hostPaths';
import { takeLaunch } from '../../launchOptions';
import { type CorePorts, threadFiles } from '../../ports';
import { launch } from '../../tools/testing/realExecutor';

/** Calls that wait for a person, for the network or for time; `hello` has been said. */
const leftOut = new Set(['hello', 'settings.testConnection', 'models.list', 'mcp.test', 'mcp.authorize', 'hooks.try']);

const stand = (name: string): string => `@${name}@`;
const ids = ['sessionId', 'callId', 'askId', 'messageId', 'id'];

export async function open({ folder: root, executor }: FuzzPlace): Promise<OpenTargets> {
  const [folder, home] = [join(root, 'project'), join(root, 'home')];
  const put = (path: string, text: string): void => {
    const file = join(root, path);
    mkdirSync(join(file, '..'), { recursive: true });
    writeFileSync(file, text);
  };
  put('home/.claude/settings.json', '{"permissions":{"allow":["Read"],"deny":["Bash(node:*)"]}}');
  put('project/.claude/settings.json', '{"permissions":{"allow":["Bash(make:*)"]}}');
  put('project/a.txt', 'one\n');
  put(
    'home/.claude/projects/-p/s1.jsonl',
    `${JSON.stringify({ type: 'user', uuid: 'u1', parentUuid: null, cwd: folder, sessionId: 's1', message: { role: 'user', content: 'Hello.' } })}\n`,
  );
  const env = {
    // Nothing is found there: what takes a text for a command starts nothing.
    PATH: join(root, 'programs'),
    HOME: home,
    LANG: 'C.UTF-8',
    GATEHOUSE_DATA_DIR: join(root, 'data'),
    ANTHROPIC_API_KEY: 'sk-fuzz-0000',
    ANTHROPIC_BASE_URL: 'http://127.0.0.1:9',
    ANTHROPIC_MODEL: 'fuzz',
  };
  const launched = takeLaunch([], { cwd: folder });
  if (!launched.ok) throw new Error(launched.error);
  const faults: string[] = [];
  const ports: CorePorts = {
    host: {
      label: 'fuzz',
      version: '0',
      platform: 'linux',
      capabilities: [],
      runsAsRoot: false,
      ...launched.value.launch,
    },
    paths: {
      ...hostPaths({ env, home, platform: 'linux' }),
      managedSettings: join(root, 'policy/managed-settings.json'),
    },
    environment: hostEnvironment(env),
    launchExecutor: () => launch(executor, env),
    secrets: new ApiKey(env.ANTHROPIC_API_KEY, null),
    sqliteBinding: undefined,
    ...threadFiles(dirname(executor)),
    log: {
      info: () => undefined,
      warn: () => undefined,
      error: (what, error) =>
        faults.push(`${what}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`),
    },
  };
  const core = await createCore(ports);
  const [near, far] = createLinkedPair();
  core.accept(far);
  const client = connect(appContract, near);
  await client.call('hello', { protocol: protocolVersion });
  const { sessionId } = await client.call('sessions.create', { folder });
  const { sessionId: other } = await client.call('sessions.create', { folder });

  const places = fc.constantFrom(
    folder,
    join(folder, 'a.txt'),
    join(folder, 'missing'),
    root,
    join(home, '.claude/settings.json'),
    join(folder, '.claude/settings.json'),
  );
  const texts = (name: string): fc.Arbitrary<string> | undefined => {
    if (ids.includes(name)) return fc.constantFrom(stand('session'), stand('other'), 'm1', 'c1');
    if (/folder|file|path|cwd|directory|root/i.test(name)) return places;
    if (/rule|text/i.test(name)) return fc.constantFrom('Bash(make:*)', 'Read', 'Edit(/out)', 'x');
    return undefined;
  };
  const call = fc.oneof(
    ...Object.entries(appContract.calls)
      .filter(([method]) => !leftOut.has(method))
      .map(([method, { params }]) => nearly(params, texts).map((value) => ({ method, value }))),
  );
  const sessions: Readonly<Record<string, string>> = { [stand('session')]: sessionId, [stand('other')]: other };
  /** Stands in for what is not known beforehand; no path leads out of the world. */
  const settled = (value: unknown): unknown => {
    if (typeof value === 'string') {
      const known = sessions[value];
      if (known !== undefined) return known;
      const isPath = /^(\/|~|[A-Za-z]:|\\\\)/.test(value) && !value.startsWith(root);
      return isPath || value.includes('..') ? join(folder, 'x') : value;
    }
    if (Array.isArray(value)) return value.map(settled);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, settled(one)]));
  };

  const calls = fuzzTarget(fc, {
    name: 'calls of a page',
    inputs: fc.array(call, { minLength: 1, maxLength: 4 }),
    corpus: [],
    async check(all) {
      faults.length = 0;
      for (const { method, value } of all) {
        try {
          await client.call(method as keyof typeof appContract.calls, settled(value) as never);
        } catch (error) {
          must(error instanceof RpcError, 'a call failed with something else than an RpcError', String(error));
          must(error.code !== 'internal', `${method} failed by a fault: ${error.message}`, faults);
          must(!error.message.startsWith('The connection'), `${method} closed the connection`, faults);
        }
      }
      must(faults.length === 0, 'a fault in the log', faults);
    },
  });
  return { targets: [calls], dispose: () => core.dispose() };
}
