// Every attempt is made for real, in the sandbox and without it.
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findProgram, systemPath } from '../../programs';
import { buildExecutor, processesWith, startExecutor, type TestExecutor } from '../../testing/startExecutor';
import { probeSandbox } from '../probe';
import { type Attempt, type Kind, kinds } from './attempt';
import { devices, kernel } from './kernel.cases';
import { limits, programs } from './limits.cases';
import { type Listeners, startListeners } from './listeners';
import { network } from './network.cases';
import { processes, survivors } from './processes.cases';
import { protectedPlaces } from './protected.cases';
import { type Outcome, runAttempt } from './runAttempt';
import { secrets } from './secrets.cases';
import { writing } from './writing.cases';

declare module 'vitest' {
  interface TaskMeta {
    /** For the table of `npm run security`. */
    attempt?: { readonly kind: Kind; readonly name: string } & Outcome;
  }
}

const attempts: readonly Attempt[] = [
  ...writing,
  ...protectedPlaces,
  ...secrets,
  ...processes,
  ...survivors,
  ...network,
  ...kernel,
  ...devices,
  ...limits,
  ...programs,
];

const probe = await probeSandbox({ own: { HOME: process.env.HOME, PATH: process.env.PATH } });

test('there are enough of them, each by a name of its own, and of every kind', () => {
  const names = attempts.map(({ kind, name }) => `${kind}: ${name}`);
  expect(new Set(names).size).toBe(names.length);
  expect(names.length).toBeGreaterThanOrEqual(60);
  expect(kinds.filter((kind) => !attempts.some((attempt) => attempt.kind === kind))).toEqual([]);
});

describe('attempts to get out', () => {
  let built: Awaited<ReturnType<typeof buildExecutor>>;
  let executor: TestExecutor;
  let listeners: Listeners;
  let root: string;
  let temp: string;

  beforeAll(async () => {
    if (!probe.available) return;
    // Not in /tmp, which is empty in the sandbox: what is there to be seen must be there to be written.
    root = mkdtempSync('/var/tmp/gatehouse-escape-');
    temp = mkdtempSync(join(tmpdir(), 'gatehouse-escape-'));
    built = await buildExecutor();
    executor = await startExecutor(built.modulePath, { PATH: process.env.PATH, HOME: join(root, 'home') });
    executor.rpc.on('network.ask', ({ askId, host }) => {
      const answer = { askId, allowed: false, privateAllowed: false, why: `${host} is on no list.` };
      void executor.rpc.call('network.answer', answer);
    });
    listeners = await startListeners({ folder: root, temp, python: findProgram('python3', systemPath) });
    if (findProgram('git', systemPath) !== undefined) makeRepository(join(root, 'repository'));
  }, 60_000);

  afterAll(async () => {
    if (!probe.available) return;
    await listeners.dispose();
    await executor.stop();
    await built.dispose();
    rmSync(root, { recursive: true, force: true });
    rmSync(temp, { recursive: true, force: true });
  });

  for (const attempt of attempts)
    test.concurrent(`${attempt.kind}: ${attempt.name}`, { timeout: 40_000 }, async ({ task, skip }) => {
      const outcome = await outcomeOf(attempt);
      task.meta.attempt = { kind: attempt.kind, name: attempt.name, ...outcome };
      if (outcome.verdict === 'skipped') skip(outcome.reason);
      expect(outcome).toEqual({ verdict: 'contained', reason: outcome.reason });
    });

  test.skipIf(!probe.available)('values of variables stand in no arguments, which every user can read', async () => {
    const value = `value${randomBytes(8).toString('hex')}`;
    const work = join(root, 'quiet');
    mkdirSync(work);
    const seen: string[] = [];
    const { output } = await executor.run(
      'echo "begun $TOKEN"; until test -e go; do sleep 0.02; done; echo "ended $TOKEN"',
      {
        cwd: work,
        sandbox: { enabled: true, network: 'off', writable: [work], hidden: [] },
        variables: { TOKEN: value },
        onText(text) {
          if (text.includes('begun')) {
            seen.push(text, ...processesWith(value).map(String));
            writeFileSync(join(work, 'go'), '');
          } else seen.push(text);
        },
      },
    );
    expect([output, seen.join('')]).toEqual(['', `begun ${value}\r\nended ${value}\r\n`]);
  });

  async function outcomeOf(attempt: Attempt): Promise<Outcome> {
    if (!probe.available) return { verdict: 'skipped', reason: probe.reason };
    if (attempt.policy?.network === 'listed' && executor.sandbox.noListed !== '')
      return { verdict: 'skipped', reason: executor.sandbox.noListed };
    return await runAttempt(attempt, {
      root,
      listeners,
      repository: join(root, 'repository'),
      find: (name) =>
        name === 'node' || name === 'npm' ? findProgram(name, process.env.PATH ?? '') : findProgram(name, systemPath),
      async confined({ command, ...how }) {
        const { result, output } = await executor.run(command, how);
        return { output, sandboxed: result.sandboxed };
      },
    });
  }
});

/**
 * A checkout with a commit, hooks, a submodule's repository, an own folder of hooks, an included config, inner repositories
 * that its index names, and the switch for configs of single checkouts.
 */
function makeRepository(folder: string): void {
  const git = (...args: string[]) => execFileSync('git', ['-C', folder, ...args], { stdio: 'ignore' });
  mkdirSync(join(folder, 'known'), { recursive: true });
  for (const each of ['.', 'known']) {
    git('init', '-q', each);
    git('-C', each, 'config', 'user.email', 'a@example.org');
    git('-C', each, 'config', 'user.name', 'a');
    git('-C', each, 'commit', '-q', '--allow-empty', '-m', 'one');
  }
  git('add', 'known');
  git('update-index', '--add', '--cacheinfo', '160000,0123456789012345678901234567890123456789,empty');
  git('config', 'extensions.worktreeConfig', 'true');
  git('config', 'core.hooksPath', 'githooks');
  // The last one holds; the first is one that a person may take.
  git('config', '--add', 'core.hooksPath', '.git/hooks');
  git('config', '--add', 'include.path', '../included.config');
  writeFileSync(join(folder, '.git/hooks/post-commit'), '#!/bin/sh\n:\n', { mode: 0o755 });
  writeFileSync(join(folder, '.git/hooks/post-checkout'), '#!/bin/sh\necho x >"$OUT/ran"\n', { mode: 0o755 });
  mkdirSync(join(folder, 'githooks'));
  writeFileSync(join(folder, 'included.config'), '');
  mkdirSync(join(folder, '.git/modules'));
  git('init', '-q', '--bare', '.git/modules/lib');
  git('--git-dir=.git/modules/lib', 'config', 'core.bare', 'false');
}
