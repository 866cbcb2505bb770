import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, realpath, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CancelSource } from '#shared/rpc/cancel';
import {
  buildExecutor,
  processesWith,
  shellOperation,
  startExecutor,
  type TestExecutor,
  testToken,
  until,
} from './testing/startExecutor';

let built: Awaited<ReturnType<typeof buildExecutor>>;
let executor: TestExecutor;
let folder: string;

beforeAll(async () => {
  built = await buildExecutor();
  executor = await startExecutor(built.modulePath, {
    PATH: process.env.PATH,
    HOME: tmpdir(),
    ANTHROPIC_API_KEY: 'sk-secret',
    SOME_TOKEN: 'secret',
  });
  folder = await mkdtemp(join(tmpdir(), 'gatehouse-shell-'));
}, 60_000);

afterAll(async () => {
  await executor.stop();
  await built.dispose();
  await rm(folder, { recursive: true, force: true });
});

/** Output with the terminal's line ends made plain. */
const plain = (output: string) => output.replaceAll('\r\n', '\n');

test('a working folder that leads elsewhere than when it was allowed', async () => {
  const [given, other] = [join(folder, 'given'), join(folder, 'other')];
  await mkdir(other);
  await symlink(other, given);
  const run = (real: string) => {
    const operation = { ...shellOperation('pwd', { cwd: given }), real };
    return executor.rpc.call('shell.run', { grant: testToken(executor.grantKey, operation), operation });
  };
  expect(await run(given)).toMatchObject({ kind: 'failure', reason: 'changed' });
  expect(await run(await realpath(other))).toMatchObject({ kind: 'exit', exitCode: 0 });
});

describe('how a command ends', () => {
  test('with a terminal that it has stopped, so that nothing more can be written to it', async () => {
    const stop = `python3 -I -S -c 'import termios; termios.tcflow(1, termios.TCOOFF)'`;
    const { result, output } = await executor.run(`echo before; ${stop} || perl -MPOSIX -e 'tcflow(1, TCOOFF)'`);
    expect([result.exitCode, plain(output)]).toEqual([0, 'before\n']);
    // Others have terminals of their own.
    expect((await executor.run('echo after')).output).toBe('after\r\n');
  });

  test.each([
    { command: 'true', exitCode: 0, output: '' },
    { command: 'exit 3', exitCode: 3, output: '' },
    { command: 'no-such-program-here 2>/dev/null', exitCode: 127, output: '' },
    { command: 'echo out; echo err >&2; false', exitCode: 1, output: 'out\nerr\n' },
    { command: 'sleep 0.1; kill -TERM $$', exitCode: 143, output: '' },
    { command: 'kill -KILL $$', exitCode: 137, output: '' },
    { command: `printf '%s|' "$0" "a  b" 'c"d' '$HOME'`, exitCode: 0, output: '/usr/bin/bash|a  b|c"d|$HOME|' },
    { command: 'read -p \'Proceed? \' a; echo "got:$a"', exitCode: 0, output: 'got:\n' },
    { command: 'cat', exitCode: 0, output: '' },
    {
      command: '(head -1 </dev/tty) 2>/dev/null || echo no terminal to ask',
      exitCode: 0,
      output: 'no terminal to ask\n',
    },
    { command: 'test -t 1 && echo terminal; tput cols', exitCode: 0, output: 'terminal\n120\n' },
    { command: 'echo one\necho two', exitCode: 0, output: 'one\ntwo\n' },
    { command: 'pwd', exitCode: 0, output: `${tmpdir()}\n` },
  ])('$command', async ({ command, exitCode, output }) => {
    const ran = await executor.run(command);
    expect({ ...ran.result, durationMs: 0, output: plain(ran.output) }).toEqual({
      kind: 'exit',
      exitCode,
      signal: null,
      timedOut: false,
      aborted: false,
      outputChars: ran.output.length,
      durationMs: 0,
      sandboxed: false,
      finalCwd: command.startsWith('kill -KILL') ? null : tmpdir(),
      output,
    });
    expect(ran.result.durationMs).toBeLessThan(5_000);
  });

  test('a background child neither holds the call up nor outlives it', async () => {
    const nap = `sleep 300.${process.pid}`;
    const ran = await executor.run(`${nap} & echo started`);
    expect(plain(ran.output)).toBe('started\n');
    expect(ran.result.exitCode).toBe(0);
    expect(ran.result.durationMs).toBeLessThan(3_000);
    expect(processesWith(nap)).toEqual([]);
  });

  test('a background child that floods the terminal does not hold the call up', async () => {
    const file = join(folder, 'flood.txt');
    const ran = await executor.run('yes & sleep 0.2; echo finished', {
      output: { file, maxBytes: 1_000_000_000, keepAboveChars: 0 },
    });
    expect(ran.result.exitCode).toBe(0);
    expect(ran.result.durationMs).toBeLessThan(4_000);
    expect((await readFile(file, 'utf8')).replaceAll('y\n', '')).toContain('finished');
  });
});

describe('what cannot start', () => {
  test.each([
    { name: 'missing folder', cwd: '/no/such/folder', command: 'true', reason: 'missing' },
    { name: 'file as folder', cwd: '/etc/passwd', command: 'true', reason: 'notFolder' },
    { name: 'too long', cwd: tmpdir(), command: `echo ${'x'.repeat(130_000)}`, reason: 'tooLarge' },
  ])('$name', async ({ cwd, command, reason }) => {
    const operation = shellOperation(command, { cwd });
    const answer = await executor.rpc.call('shell.run', { grant: testToken(executor.grantKey, operation), operation });
    expect(answer).toMatchObject({ kind: 'failure', reason });
  });
});

describe('output', () => {
  test('every byte of 300 commands arrives', async () => {
    const wrong: string[] = [];
    const one = async (index: number) => {
      const ran = await executor.run(
        `head -c 20000 /dev/zero | tr '\\0' ${'abcdefghij'[index % 10]}; printf end${index}`,
      );
      const expected = `${'abcdefghij'[index % 10]?.repeat(20_000)}end${index}`;
      if (ran.output !== expected) wrong.push(`${index}: ${ran.output.length} of ${expected.length}`);
    };
    for (let at = 0; at < 300; at += 6) await Promise.all([0, 1, 2, 3, 4, 5].map((more) => one(at + more)));
    expect(wrong).toEqual([]);
  }, 60_000);

  test('characters are never cut', async () => {
    const many = await executor.run("for i in $(seq 1 500); do printf '€%.0s' $(seq 1 100); done");
    expect(many.output === '€'.repeat(50_000)).toBe(true);
    const slow = await executor.run(
      "printf '\\xf0'; sleep 0.03; printf '\\x9f'; sleep 0.03; printf '\\x98'; sleep 0.03; printf '\\x80 \\xef\\xbf\\xbd \\xe2\\x82'",
    );
    expect(slow.output).toBe('😀 \uFFFD \uFFFD');
  });

  test('100 MB leave memory bounded', async () => {
    const file = join(folder, 'hundred.txt');
    let chars = 0;
    let end = 0;
    const operation = shellOperation('head -c 100000000 /dev/zero | tr "\\0" x', {
      timeoutMs: 60_000,
      output: { file, maxBytes: 200_000_000, keepAboveChars: 30_000 },
    });
    const stop = executor.rpc.on('shell.data', ({ streamId, from, text }) => {
      if (streamId !== operation.streamId) return;
      expect(from).toBeGreaterThanOrEqual(end);
      end = from + text.length;
      chars += text.length;
      executor.rpc.call('shell.ack', { streamId, chars: text.length }).catch(() => undefined);
    });
    const idle = residentMegabytes(executor.process.pid ?? 0);
    let peak = 0;
    const timer = setInterval(() => {
      peak = Math.max(peak, residentMegabytes(executor.process.pid ?? 0));
    }, 50);
    const result = await executor.rpc.call('shell.run', { grant: testToken(executor.grantKey, operation), operation });
    clearInterval(timer);
    stop();
    expect(result).toMatchObject({
      outputChars: 100_000_000,
      output: {
        written: { file, bytes: 100_000_000 },
        plain: { head: 'x'.repeat(32_768), tail: 'x'.repeat(32_768), totalChars: 100_000_000 },
      },
    });
    expect(end).toBe(100_000_000);
    expect(chars).toBeGreaterThan(300_000);
    expect(chars).toBeLessThan(40_000_000);
    expect((await stat(file)).size).toBe(100_000_000);
    expect(peak - idle).toBeLessThan(100);
  }, 60_000);

  test('a reader that does not acknowledge is skipped, and stops neither the command nor the executor', async () => {
    const operation = shellOperation('head -c 5000000 /dev/zero | tr "\\0" x');
    let chars = 0;
    let end = 0;
    const stop = executor.rpc.on('shell.data', ({ streamId, from, text }) => {
      if (streamId !== operation.streamId) return;
      chars += text.length;
      end = from + text.length;
    });
    const running = executor.rpc.call('shell.run', { grant: testToken(executor.grantKey, operation), operation });
    expect((await executor.run('echo meanwhile')).output).toBe('meanwhile\r\n');
    expect(await running).toMatchObject({ exitCode: 0, outputChars: 5_000_000, timedOut: false });
    stop();
    expect(end).toBe(5_000_000);
    expect(chars).toBeGreaterThan(200_000);
    expect(chars).toBeLessThan(700_000);
  });
});

describe('ending a command early', () => {
  test.each([
    {
      name: 'loops in subshells',
      mark: '73611',
      command: 'for i in 1 2 3; do (while :; do sleep 1.73611; done) & done; echo begun; sleep 73611',
    },
    { name: 'deaf to TERM', mark: '73612', command: "trap '' TERM; echo begun; while :; do sleep 1.73612; done" },
    {
      name: 'session of its own',
      mark: '73613',
      command: 'setsid bash -c "trap \'\' TERM; while :; do sleep 1.73613; done" & echo begun; sleep 73613',
    },
    {
      name: 'orphan of a daemon',
      mark: '73614',
      command: '(setsid nohup sleep 73614 >/dev/null 2>&1 &) ; echo begun; sleep 73614',
    },
  ])('timeout: $name', async ({ command, mark }) => {
    const ran = await executor.run(command, { timeoutMs: 600 });
    expect(ran.result).toMatchObject({ timedOut: true, aborted: false });
    expect(ran.output).toContain('begun');
    expect(ran.result.durationMs).toBeLessThan(5_000);
    await until('no process left', () => processesWith(mark).every((pid) => pid === process.pid));
  });

  test('a program that tidies up on TERM gets the time for it', async () => {
    const ran = await executor.run("trap 'echo tidied; exit 5' TERM; while :; do read -t 0.05 <> <(:); done", {
      timeoutMs: 400,
    });
    expect(ran.result).toMatchObject({ timedOut: true, exitCode: 5 });
    expect(plain(ran.output)).toBe('tidied\n');
  });

  test('abort', async () => {
    const cancel = new CancelSource();
    const nap = `sleep 615.${process.pid}`;
    const ran = await executor.run(`echo begun; ${nap}`, { cancel, onText: () => cancel.cancel() });
    expect(ran.result).toMatchObject({ timedOut: false, aborted: true });
    expect(ran.result.durationMs).toBeLessThan(5_000);
    expect(processesWith(nap)).toEqual([]);
  });

  test('abort before the start', async () => {
    const cancel = new CancelSource();
    cancel.cancel();
    const ran = await executor.run('sleep 616', { cancel });
    expect(ran.result).toMatchObject({ aborted: true, outputChars: 0 });
    expect(ran.result.durationMs).toBeLessThan(1_000);
  });
});

describe('environment', () => {
  test('holds no key, and nothing that waits for a person', async () => {
    const { output } = await executor.run('env');
    const names = plain(output)
      .split('\n')
      .map((line) => line.split('=')[0])
      .filter((name) => name !== '')
      .sort();
    expect(output).not.toMatch(/secret/i);
    expect(names).toEqual(
      expect.arrayContaining([
        'EDITOR',
        'GIT_EDITOR',
        'GIT_PAGER',
        'GIT_SEQUENCE_EDITOR',
        'GIT_TERMINAL_PROMPT',
        'HOME',
        'PAGER',
        'PATH',
        'TERM',
      ]),
    );
    expect(names.filter((name) => /KEY|TOKEN|NODE_/.test(name ?? ''))).toEqual([]);
  });

  test('git asks nobody', async () => {
    const repository = join(folder, 'repository');
    await mkdir(repository);
    await writeFile(join(repository, 'a'), 'a\n');
    const identity = 'git config user.email a@example.org; git config user.name a';
    const setup = await executor.run(
      `git init -q && ${identity}; git add a && for n in 1 2 3; do git commit -q --allow-empty -m $n; done; echo b >>a; git add a`,
      { cwd: repository },
    );
    expect(setup.output).toBe('');
    const commit = await executor.run('git commit', { cwd: repository });
    expect(commit.result.exitCode).not.toBe(0);
    expect(commit.result.durationMs).toBeLessThan(5_000);
    expect(commit.output).toMatch(/editor/i);
    const rebase = await executor.run('git stash -q; git rebase -i HEAD~2', { cwd: repository });
    expect(rebase.result.exitCode).not.toBe(0);
    const log = await executor.run('git log --oneline | wc -l; git log', { cwd: repository });
    expect(log.output).toMatch(/^3\r\n/);
    expect(log.result.durationMs).toBeLessThan(5_000);
  });
});

function residentMegabytes(pid: number): number {
  const match = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  return Number(match?.[1] ?? 0) / 1_000;
}

test('a command has the variables that come with it, and none that confinement relies on can come', async () => {
  const variables = { GREETING: 'hello', PATH: '/opt/none:/usr/bin:/bin' };
  const ran = await executor.run('echo "$GREETING $PATH $HOME"', { variables });
  expect(plain(ran.output)).toBe(`hello /opt/none:/usr/bin:/bin ${tmpdir()}\n`);
  for (const name of ['LD_PRELOAD', 'BASH_ENV', 'HOME', 'TMPDIR', 'GATEHOUSE_RUN', 'A B'])
    await expect(executor.run('true', { variables: { [name]: 'x' } })).rejects.toThrow();
});
