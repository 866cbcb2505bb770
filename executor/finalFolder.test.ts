import { mkdir, mkdtemp, realpath, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { SandboxPolicy } from '#shared/api/executor';
import { buildExecutor, startExecutor, type TestExecutor } from './testing/startExecutor';

let built: Awaited<ReturnType<typeof buildExecutor>>;
let executor: TestExecutor;
let folder: string;

beforeAll(async () => {
  built = await buildExecutor();
  executor = await startExecutor(built.modulePath, { PATH: process.env.PATH, HOME: tmpdir() });
  folder = await realpath(await mkdtemp(join(tmpdir(), "gatehouse-final ü'-")));
  await mkdir(join(folder, 'sub'));
  await symlink(join(folder, 'sub'), join(folder, 'link'));
}, 60_000);

afterAll(async () => {
  await executor.stop();
  await built.dispose();
  await rm(folder, { recursive: true, force: true });
});

/** `.` is the folder where the command starts. */
const commands: readonly (readonly [command: string, folder: string | null, exitCode: number | null])[] = [
  ['true', '.', 0],
  ['cd sub', 'sub', 0],
  ['cd link', 'sub', 0],
  ['cd sub && false', 'sub', 1],
  ['cd sub; exit 3', 'sub', 3],
  ['cd sub\nset -e\nfalse\necho no', 'sub', 1],
  ['set -u -C; cd sub; echo $nothing', 'sub', 127],
  ['cd sub; pwd() { echo /; }; export -f pwd', 'sub', 0],
  ['(cd sub)', '.', 0],
  ['x=$(cd sub; pwd)', '.', 0],
  ['cd sub; trap "echo bye" TERM; kill -TERM $$', 'sub', 0],
  ['cd sub; kill -TERM $$', 'sub', 143],
  // What takes the exit trap or the shell away is not reported, and breaks nothing.
  ['cd sub; trap "exit 4" EXIT', null, 4],
  ['cd sub; exec sh -c "exit 5"', null, 5],
  ['cd sub; kill -KILL $$', null, 137],
  ['cd nowhere', '.', 1],
  ['mkdir gone && cd gone && rmdir ../gone', null, 0],
  ['bash -c "cd sub"', '.', 0],
];

describe('where a shell ended', () => {
  test.each(commands)('%j → %s', async (command, ended, exitCode) => {
    const { result } = await executor.run(command, { cwd: folder });
    expect([result.finalCwd, result.exitCode]).toEqual([ended === null ? null : join(folder, ended), exitCode]);
  });

  test('a syntax error is told as without the report, with its own line number', async () => {
    const { result, output } = await executor.run('cd sub\necho "open', { cwd: folder });
    expect([result.exitCode, output.includes('GATEHOUSE'), /line 2/.test(output)]).toEqual([2, false, true]);
  });

  test('the command and its programs see nothing of the report in their environment', async () => {
    const { output } = await executor.run('env; set', { cwd: folder });
    expect(output).not.toMatch(/BASH_ENV=|GATEHOUSE_CWD=/);
  });

  test.each([
    ['a lie', 'echo /etc >F', '/etc'],
    ['no folder', 'echo /etc/passwd >F', null],
    ['not absolute', 'echo etc >F', null],
    ['a longer text', 'head -c 100000 /dev/zero >F', null],
    ['a pipe', 'rm F; mkfifo F', null],
    ['a link', 'rm F; ln -s /etc/passwd F', null],
    ['a folder', 'rm F; mkdir F', null],
    ['nothing', 'rm F', null],
  ])('a command that meddles with it: %s', async (_, meddle, ended) => {
    const file = `$(trap -p EXIT | grep -o '/[^ ]*gatehouse-shell-[^ ]*/[0-9]*')`;
    const { result } = await executor.run(`F=${file}; trap - EXIT; ${meddle.replaceAll(/\bF\b/g, '"$F"')}`, {
      cwd: folder,
    });
    expect([result.exitCode, result.finalCwd]).toEqual([0, ended]);
  });

  test('inside the sandbox too', async () => {
    if (!executor.sandbox.available) return;
    const sandbox: SandboxPolicy = { enabled: true, network: 'off', writable: [folder], hidden: [] };
    const ran = await executor.run('cd sub; exit 3', { cwd: folder, sandbox });
    expect(ran.result).toMatchObject({ exitCode: 3, sandboxed: true, finalCwd: join(folder, 'sub') });
    const own = await executor.run('mkdir -p /tmp/only-here; cd /tmp/only-here', { cwd: folder, sandbox });
    expect(own.result).toMatchObject({ exitCode: 0, finalCwd: null });
  });
});
