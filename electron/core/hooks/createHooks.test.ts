// Firing: which handlers run, in which order they count, what a fault does, what the trace gets.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type HookEvent, noHookOutcome } from './hooks';
import { bash, type HookBench, hookBench, hooksFor, settingsOf, shell } from './testing/hookBench';

let bench: HookBench;
beforeEach(async () => {
  bench = await hookBench();
});
afterEach(() => bench.dispose());

const reply = (decision: object): string =>
  `echo '${JSON.stringify({ hookSpecificOutput: { hookEventName: 'PreToolUse', ...decision } })}'`;
const lines = async (name: string): Promise<number> =>
  (await readFile(join(bench.folder, name), 'utf8').catch(() => '')).split('\n').length - 1;

const post = (response: unknown): HookEvent => ({
  name: 'PostToolUse',
  call: { toolName: 'Bash', toolInput: { command: 'ls' }, toolUseId: 'toolu_1' },
  toolResponse: response,
  durationMs: 1,
});

it('runs nothing without settings, and what matches with them', async () => {
  expect(bench.hooks.listens('s', 'PreToolUse', 'Bash')).toBe(false);
  expect(await bench.fire(bash('ls'))).toEqual(noHookOutcome);
  bench.use(settingsOf(hooksFor('PreToolUse', [shell('exit 2')], 'Write|Edit')));
  expect([bench.hooks.listens('s', 'PreToolUse', 'Bash'), bench.hooks.listens('s', 'PreToolUse', 'Edit')]).toEqual([
    false,
    true,
  ]);
  expect(await bench.fire(bash('ls'))).toEqual(noHookOutcome);
  bench.use(settingsOf(hooksFor('PreToolUse', [shell('echo no >&2; exit 2')], 'Bash')));
  expect((await bench.fire(bash('ls'))).block).toEqual({ reason: 'no', hook: '“echo no >&2; exit 2” (user settings)' });
});

it('records each run whole', async () => {
  const command = 'cat > /dev/null; echo out; echo err >&2; exit 2';
  bench.use(settingsOf(hooksFor('PreToolUse', [shell(command)], 'Bash')));
  await bench.fire(bash('ls'));
  expect(bench.appended).toEqual([
    {
      type: 'hook.ran',
      callId: 'c',
      run: {
        runId: expect.stringMatching(/^h_/),
        event: 'PreToolUse',
        matcher: 'Bash',
        handler: 'command',
        label: command,
        source: 'userSettings',
        file: '/home/u/.claude/settings.json',
        startedAt: expect.any(Number),
        endedAt: expect.any(Number),
        outcome: 'blocked',
        exitCode: 2,
        effect: 'blocked: err',
        stdin: expect.stringContaining('"hook_event_name":"PreToolUse"'),
        stdout: 'out\n',
        stderr: 'err\n',
      },
    },
  ]);
});

it('runs all at once and to the end, also beside a refusal', async () => {
  bench.use(
    settingsOf(
      hooksFor('PreToolUse', [
        shell('touch a; until [ -e b ]; do sleep 0.02; done; exit 2'),
        shell('touch b; until [ -e a ]; do sleep 0.02; done; echo done > end'),
      ]),
    ),
  );
  expect((await bench.fire(bash('ls'))).ran).toBe(2);
  expect(await lines('end')).toBe(1);
});

it('lets the last of several rewrites count by its place, not by its speed', async () => {
  const rewrite = (command: string): string => reply({ updatedInput: { command } });
  bench.use(
    settingsOf(hooksFor('PreToolUse', [shell(rewrite('user'))])),
    settingsOf(hooksFor('PreToolUse', [shell(`sleep 0.2; ${rewrite('project')}`)]), { source: 'projectSettings' }),
    settingsOf(hooksFor('PreToolUse', [shell(rewrite('policy'))]), { source: 'policySettings' }),
  );
  expect((await bench.fire(bash('ls'))).updatedInput).toEqual({
    value: { command: 'policy' },
    hook: expect.stringContaining('(policy settings)'),
  });
});

it('runs the same handler of several files once, the stricter copy of it', async () => {
  const settings = (more: object) => hooksFor('PreToolUse', [shell('echo x >> log; exit 1', more)]);
  bench.use(
    settingsOf(settings({})),
    settingsOf(settings({ onFailure: 'block', timeout: 5 }), { source: 'projectSettings' }),
    settingsOf(settings({ async: true }), { source: 'localSettings' }),
  );
  const outcome = await bench.fire(bash('ls'));
  expect([outcome.ran, await lines('log'), outcome.block?.hook]).toEqual([
    1,
    1,
    '“echo x >> log; exit 1” (project settings)',
  ]);
});

it('judges conditions, and runs where they cannot be judged', async () => {
  await bench.dispose();
  const asked: unknown[] = [];
  bench = await hookBench({
    speaksOf: (rule, call) => {
      asked.push([rule, call.toolName]);
      return rule === 'broken' ? Promise.reject(new Error('x')) : Promise.resolve(rule === 'yes');
    },
  });
  const conditional = ['yes', 'no', 'broken'].map((rule) => shell(`echo >> ${rule}`, { if: rule }));
  bench.use(settingsOf(hooksFor('PreToolUse', conditional)));
  expect((await bench.fire(bash('ls'))).ran).toBe(2);
  expect(asked).toEqual([
    ['yes', 'Bash'],
    ['no', 'Bash'],
    ['broken', 'Bash'],
  ]);
  expect([await lines('yes'), await lines('no'), await lines('broken')]).toEqual([1, 0, 1]);
});

it('runs a command’s hook with “once” once a session', async () => {
  await bench.dispose();
  bench = await hookBench({
    commandHooks: () => ({ hooks: { PreToolUse: [{ hooks: [shell('echo >> log', { once: true })] }] }, file: '/c.md' }),
  });
  expect([(await bench.fire(bash('a'))).ran, (await bench.fire(bash('b'))).ran, await lines('log')]).toEqual([1, 0, 1]);
});

it('refuses calls while a matcher cannot be read, and elsewhere says so once', async () => {
  const broken = (event: string) => settingsOf(hooksFor(event, [shell('exit 0')], '(['));
  bench.use(broken('PreToolUse'));
  expect(bench.hooks.listens('s', 'PreToolUse', 'Bash')).toBe(true);
  const outcome = await bench.fire(bash('ls'));
  expect(outcome).toMatchObject({ ran: 0, opinion: { behavior: 'deny' } });
  expect(outcome.block?.reason).toMatch(
    /^The matcher of the hook “exit 0” \(user settings\) cannot be read \(\/home\/u\/\.claude\/settings\.json, line 5\)/,
  );
  bench.use(broken('PostToolUse'));
  expect(await bench.fire(post(''))).toEqual(noHookOutcome);
});

it('refuses calls whose input cannot be told, and elsewhere says so', async () => {
  const loop: Record<string, unknown> = {};
  loop.self = loop;
  bench.use(
    settingsOf({ hooks: { PreToolUse: [{ hooks: [shell('exit 0')] }], PostToolUse: [{ hooks: [shell('exit 0')] }] } }),
  );
  const call = { toolName: 'Bash', toolInput: loop, toolUseId: 'toolu_1' };
  const outcome = await bench.fire({ name: 'PreToolUse', call });
  expect(outcome.block?.reason).toMatch(/^Hooks for PreToolUse could not be found out/);
  expect(await bench.fire(post(loop))).toEqual({
    ...noHookOutcome,
    messages: [expect.stringMatching(/^Hooks for PostToolUse could not be found out/)],
  });
});

it('refuses calls when the settings cannot be asked', async () => {
  await bench.dispose();
  bench = await hookBench({
    settings: () => {
      throw new Error('lost');
    },
  });
  expect(bench.hooks.listens('s', 'PreToolUse', 'Bash')).toBe(true);
  expect((await bench.fire(bash('ls'))).block?.reason).toContain('(lost)');
});

it('names skipped entries once for each state of the files', async () => {
  const notices = () => bench.appended.filter((body) => body.type === 'notice');
  bench.use(settingsOf({ hooks: { pretooluse: [] } }));
  bench.hooks.listens('s', 'Stop', '');
  await bench.fire(bash('ls'));
  expect(notices()).toEqual([
    {
      type: 'notice',
      level: 'warning',
      text: '/home/u/.claude/settings.json, line 2: “pretooluse” is no event: names are case-sensitive. Write PreToolUse; nothing of it runs.',
      next: 'Mend the settings file; it is read again by itself.',
    },
  ]);
  bench.use(settingsOf({}));
  await bench.fire(bash('ls'));
  expect(notices()).toHaveLength(1);
});

it('never takes text before JSON for an allow or a deny', async () => {
  const deny = reply({ permissionDecision: 'deny' });
  bench.use(settingsOf(hooksFor('PreToolUse', [shell(`echo ready; ${deny}`)])));
  expect(await bench.fire(bash('ls'))).toEqual({ ...noHookOutcome, ran: 1 });
  expect(bench.runs()).toMatchObject([
    { outcome: 'success', effect: 'no opinion', stdout: expect.stringMatching(/^ready\n\{/) },
  ]);
});

it('ends a PostToolUse hook that sleeps for ever and names it; later calls are normal', async () => {
  bench.use(settingsOf(hooksFor('PostToolUse', [shell('sleep 100000', { timeout: 0.3 })])));
  expect(await bench.fire(post('the result'))).toEqual({
    ...noHookOutcome,
    ran: 1,
    messages: [
      'The hook “sleep 100000” (user settings) failed on PostToolUse: it took longer than 0.3 s and was ended. It had no effect.',
    ],
  });
  bench.use(settingsOf(hooksFor('PostToolUse', [shell('true')])));
  expect(await bench.fire(post('the result'))).toEqual({ ...noHookOutcome, ran: 1 });
});

it('gives all hooks of a session’s end one short time', async () => {
  bench.use(settingsOf(hooksFor('SessionEnd', [shell('sleep 20'), shell('sleep 21')])));
  const started = performance.now();
  const outcome = await bench.fire({ name: 'SessionEnd', reason: 'other' });
  expect(performance.now() - started).toBeLessThan(5_000);
  expect(outcome.messages).toHaveLength(2);
});

it('keeps long texts in a file and passes on their beginning', async () => {
  await writeFile(join(bench.folder, 'long'), 'x'.repeat(20_000));
  bench.use(settingsOf(hooksFor('UserPromptSubmit', [shell('cat long')])));
  const { context } = await bench.fire({ name: 'UserPromptSubmit', prompt: 'hello' });
  expect(context).toEqual([`${'x'.repeat(2_000)}\n… (20,000 characters. The whole text is in /kept/text.txt.)`]);
  expect(bench.kept).toEqual(['x'.repeat(20_000)]);
});

it('goes on when the trace cannot be written', async () => {
  await bench.dispose();
  bench = await hookBench({
    append: () => {
      throw new Error('database is locked');
    },
  });
  bench.use(settingsOf(hooksFor('PreToolUse', [shell('echo no >&2; exit 2')])));
  expect((await bench.fire(bash('ls'))).block?.reason).toBe('no');
  expect(bench.logged).toHaveLength(1);
});

it('runs what is not there to ask as a named failure', async () => {
  bench.use(
    settingsOf(
      hooksFor('PreToolUse', [
        { type: 'prompt', prompt: 'ok?' },
        { type: 'agent', prompt: 'ok?' },
        { type: 'mcp_tool', server: 'memory', tool: 'check' },
      ]),
    ),
  );
  const outcome = await bench.fire(bash('ls'));
  expect(outcome).toEqual({
    ...noHookOutcome,
    ran: 3,
    messages: [
      expect.stringContaining('nothing here can run hooks of type prompt'),
      expect.stringContaining('nothing here can run hooks of type agent'),
      expect.stringContaining('no MCP server “memory” is connected'),
    ],
  });
});
