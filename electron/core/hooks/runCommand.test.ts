// Command handlers as real processes: what they get, what they see, and how each kind of misbehaviour ends.
import { spawnSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { noHookOutcome } from './hooks';
import { bash, type HookBench, hookBench, hooksFor, settingsOf, shell } from './testing/hookBench';

let bench: HookBench;
beforeEach(async () => {
  bench = await hookBench();
});
afterEach(() => bench.dispose());

const use = (...handlers: readonly object[]): void => bench.use(settingsOf(hooksFor('PreToolUse', handlers)));

/** Whether a process is alive and no zombie. */
function alive(pid: number): boolean {
  return /^[^Z]/.test(spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' }).stdout.trim());
}

const pidIn = async (name: string): Promise<number> => Number(await readFile(join(bench.folder, name), 'utf8'));

it('gives the event on stdin, the project folder and no key', async () => {
  use(shell('cat > in.json; env > env.txt; pwd > pwd.txt; { : > /dev/tty; } 2> tty.txt; exit 0'));
  await bench.fire(bash('ls'));
  const read = (name: string): Promise<string> => readFile(join(bench.folder, name), 'utf8');
  expect(JSON.parse(await read('in.json'))).toEqual({
    session_id: 's',
    transcript_path: '',
    cwd: bench.folder,
    permission_mode: 'default',
    hook_event_name: 'PreToolUse',
    tool_name: 'Bash',
    tool_input: { command: 'ls' },
    tool_use_id: 'toolu_1',
  });
  const env = await read('env.txt');
  expect(env).toContain(`CLAUDE_PROJECT_DIR=${bench.folder}`);
  expect(env).not.toContain('secret');
  expect(env).not.toContain('CLAUDE_ENV_FILE');
  expect((await read('pwd.txt')).trim()).toBe(bench.folder);
  expect(await read('tty.txt')).not.toBe('');
});

it('never makes shell text of what it is told', async () => {
  const hostile = `'; touch broken; echo "$(touch broken)" \`touch broken\` \${CLAUDE_PROJECT_DIR} \u0000\n$(touch broken)`;
  use(shell('cat > /dev/null'), {
    type: 'command',
    command: 'sh',
    args: ['-c', 'cat > got.json', '$(touch broken)', `\${CLAUDE_PROJECT_DIR}`],
  });
  expect(await bench.fire(bash(hostile))).toEqual({ ...noHookOutcome, ran: 2 });
  expect(JSON.parse(await readFile(join(bench.folder, 'got.json'), 'utf8')).tool_input.command).toBe(hostile);
  await expect(readFile(join(bench.folder, 'broken'))).rejects.toThrow('ENOENT');
});

it('runs a program with arguments and no shell, the project folder filled in', async () => {
  await writeFile(join(bench.folder, 'print.sh'), '#!/bin/sh\nprintf "%s|" "$@" >&2; exit 2\n', { mode: 0o755 });
  use({
    type: 'command',
    command: `\${CLAUDE_PROJECT_DIR}/print.sh`,
    args: ['a b', '$HOME', `in \${CLAUDE_PROJECT_DIR}`],
  });
  expect((await bench.fire(bash('ls'))).block?.reason).toBe(`a b|$HOME|in ${bench.folder}|`);
});

it.each([
  ['in a session of its own', 'setsid sh -c "echo \\$\\$ > child; exec sleep 300" & wait'],
  [
    'in a session of its own and without its parent',
    '(setsid sh -c "echo \\$\\$ > child; exec sleep 300" &) ; sleep 300',
  ],
  ['without its environment', 'env -i setsid /bin/sh -c "echo \\$\\$ > child; exec /bin/sleep 300" & wait'],
])('ends what a handler that hangs has started %s', async (_how, command) => {
  use(shell(command, { timeout: 0.7 }));
  const outcome = await bench.fire(bash('ls'));
  expect(outcome.messages).toEqual([expect.stringContaining('0.7 s')]);
  expect(alive(await pidIn('child'))).toBe(false);
});

it('ends a handler that hangs with all that it started, and says which', async () => {
  use(
    shell(
      'trap "" TERM; sh -c \'trap "" TERM; echo $$ > child; while :; do sleep 1; done\' & echo $$ > parent; wait; while :; do sleep 1; done',
      { timeout: 0.5 },
    ),
  );
  const started = performance.now();
  const outcome = await bench.fire(bash('ls'));
  expect(performance.now() - started).toBeLessThan(5_000);
  expect(outcome).toEqual({
    ...noHookOutcome,
    ran: 1,
    messages: [expect.stringMatching(/^The hook “trap.*longer than 0.5 s and was ended/)],
  });
  expect([await pidIn('parent'), await pidIn('child')].filter(alive)).toEqual([]);
  expect(bench.runs()).toMatchObject([{ outcome: 'timeout', exitCode: null }]);
});

it('does not wait for children that hold its output open', async () => {
  use(shell('sleep 30 & echo $! > child; echo done >&2; exit 2'));
  const started = performance.now();
  expect((await bench.fire(bash('ls'))).block?.reason).toBe('done');
  expect(performance.now() - started).toBeLessThan(5_000);
  process.kill(await pidIn('child'), 'SIGKILL');
});

it('stops a flood, keeping little of it', async () => {
  use(shell('yes flood', { timeout: 30 }));
  const outcome = await bench.fire(bash('ls'));
  expect(outcome.messages).toEqual([expect.stringContaining('it printed without end and was stopped')]);
  expect(bench.runs()[0]?.stdout.length ?? 0).toBeLessThanOrEqual(10_000);
});

it('takes much output, cut, and garbage', async () => {
  use(shell('head -c 3000000 /dev/urandom; exit 0'), shell("printf '{'; head -c 3000000 /dev/zero; printf '}'"));
  const outcome = await bench.fire(bash('ls'));
  expect(outcome).toMatchObject({ ran: 2, block: null, opinion: null });
  expect(outcome.messages).toEqual([expect.stringContaining('printed too much for JSON')]);
});

it.each([
  ['a missing script', shell('./no-such-hook.sh'), /exit code 127 \(the program was not found\): .*no-such-hook/],
  ['a script that may not be executed', shell('./plain.txt'), /exit code 126 \(it may not be executed\)/],
  [
    'a missing program',
    { type: 'command', command: './gone', args: [] },
    /could not start: there is no program “.\/gone”/,
  ],
  ['a death by signal', shell('kill -9 $$'), /ended by SIGKILL/],
])('%s is named and lets the call go on, unless failing blocks', async (_name, handler, text) => {
  await writeFile(join(bench.folder, 'plain.txt'), 'no program', { mode: 0o644 });
  use(handler);
  expect(await bench.fire(bash('ls'))).toEqual({ ...noHookOutcome, ran: 1, messages: [expect.stringMatching(text)] });
  use({ ...handler, onFailure: 'block' });
  const outcome = await bench.fire(bash('ls'));
  expect(outcome).toMatchObject({
    messages: [],
    block: { reason: expect.stringMatching(text) },
    opinion: { behavior: 'deny' },
  });
});

it('takes a handler that does not read its input', async () => {
  use(shell('exec 0<&-; echo no >&2; exit 2'));
  expect((await bench.fire(bash('x'.repeat(2_000_000)))).block?.reason).toBe('no');
});

it('runs in the session folder where the current one is gone', async () => {
  use(shell('pwd >&2; exit 2'));
  const place = { ...bench.place, cwd: join(bench.folder, 'gone') };
  const outcome = await bench.hooks.fire(bash('ls'), place, new AbortController().signal);
  expect(outcome.block?.reason).toBe(bench.folder);
});

it('ends handlers when the turn is stopped', async () => {
  use(shell('echo $$ > me; while :; do sleep 1; done'));
  const stop = new AbortController();
  const fired = bench.fire(bash('ls'), stop.signal);
  await expect.poll(() => pidIn('me').catch(() => 0)).toBeGreaterThan(0);
  stop.abort();
  expect(await fired).toEqual({ ...noHookOutcome, ran: 1 });
  expect(alive(await pidIn('me'))).toBe(false);
  expect(bench.runs()).toMatchObject([{ outcome: 'cancelled' }]);
});

it('lets async handlers run on, tells of their end and wakes the model with exit code 2', async () => {
  use(
    shell('until [ -e go ]; do sleep 0.05; done; echo late >&2; exit 2', { asyncRewake: true }),
    shell('until [ -e go ]; do sleep 0.05; done; exit 2', { async: true, onFailure: 'block' }),
  );
  expect(await bench.fire(bash('ls'))).toEqual({ ...noHookOutcome, ran: 2 });
  expect(bench.runs().map((run) => [run.outcome, run.endedAt])).toEqual([
    ['background', null],
    ['background', null],
  ]);
  await writeFile(join(bench.folder, 'go'), '');
  await expect.poll(() => bench.runs().length).toBe(4);
  expect(bench.woken).toEqual([{ sessionId: 's', text: 'late', hook: expect.stringContaining('until') }]);
  expect(new Set(bench.runs().map((run) => run.runId)).size).toBe(2);
});

const additional = (hookEventName: string): string =>
  JSON.stringify({ hookSpecificOutput: { hookEventName, additionalContext: 'seen late' } });

it.each<[what: string, output: string, told: readonly string[]]>([
  ['context', additional('PreToolUse'), ['seen late']],
  ['context of another event', additional('Stop'), []],
  ['plain words', 'just words', []],
  ['a decision that comes too late', JSON.stringify({ decision: 'block', reason: 'too late' }), []],
])('tells the model what an async handler adds: %s', async (_what, output, told) => {
  use(shell(`cat > /dev/null; echo '${output}'`, { async: true }));
  expect(await bench.fire(bash('ls'))).toEqual({ ...noHookOutcome, ran: 1 });
  await expect.poll(() => bench.runs().length).toBe(2);
  expect(bench.woken).toEqual(told.map((text) => ({ sessionId: 's', text, hook: expect.stringContaining('cat') })));
});

it('ends background handlers with the app', async () => {
  use(shell('echo $$ > me; while :; do sleep 1; done', { async: true }));
  await bench.fire(bash('ls'));
  await expect.poll(() => pidIn('me').catch(() => 0)).toBeGreaterThan(0);
  const pid = await pidIn('me');
  await bench.hooks.dispose();
  expect(alive(pid)).toBe(false);
  expect((await bench.fire(bash('ls'))).block).not.toBe(null);
});

it('gives a file for variables to the events that have one', async () => {
  bench.use(settingsOf(hooksFor('CwdChanged', [shell('echo "export A=1" >> "$CLAUDE_ENV_FILE"')])));
  await bench.fire({ name: 'CwdChanged', oldCwd: '/a', newCwd: bench.folder });
  expect(await readFile(join(bench.folder, 'environment.sh'), 'utf8')).toBe('export A=1\n');
});

it('leaves no process behind when turns are stopped at any moment', async () => {
  const mark = `left-${process.pid}-${Date.now()}`;
  use(shell(`sh -c 'trap "" TERM; while :; do sleep 1; done' ${mark} & sh -c 'sleep 5; :' ${mark}; echo ${mark}`));
  for (let round = 0; round < 4; round += 1)
    await Promise.all(
      Array.from({ length: 8 }, async (_, index) => {
        const stop = new AbortController();
        const fired = bench.fire(bash('ls'), stop.signal);
        setTimeout(() => stop.abort(), (index + round * 8) * 3);
        expect(await fired).toEqual({ ...noHookOutcome, ran: expect.any(Number) });
      }),
    );
  const listed = spawnSync('ps', ['-eo', 'stat=,args='], { encoding: 'utf8' }).stdout.split('\n');
  expect(listed.filter((line) => line.includes(mark) && !line.startsWith('Z'))).toEqual([]);
}, 30_000);
