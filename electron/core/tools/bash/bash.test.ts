import { describe, expect, it } from 'vitest';
import type { OperationAnswers } from '#shared/api/executor';
import { captured, recordCall } from '../testing/recordingExecutor';
import { samplePlace } from '../testing/samplePlace';
import { ToolFailure } from '../tool';
import { type BashInput, createBashTool } from './bash';

const bash = createBashTool({ isReadOnlyCommand: (command) => command === 'ls' });

const exit: Extract<OperationAnswers['shell.run'], { kind: 'exit' }> = {
  kind: 'exit',
  exitCode: 0,
  signal: null,
  timedOut: false,
  aborted: false,
  outputChars: 0,
  durationMs: 1_500,
  sandboxed: true,
  finalCwd: null,
};

/** What the model and the card get. */
async function run(
  input: BashInput,
  ended: { readonly result?: Partial<typeof exit>; readonly text: string; readonly terminal?: string },
) {
  const shell = { result: { ...exit, ...ended.result }, capture: captured(ended.text, ended.terminal ?? ended.text) };
  const { context, commands } = recordCall({ shell });
  try {
    const output = await bash.call(input, context);
    const { view, note } = bash.renderResult(output, input, samplePlace);
    return { kind: 'succeeded', text: bash.mapResult(output, input), view, note, commands };
  } catch (error) {
    if (!(error instanceof ToolFailure)) throw error;
    return { kind: error.kind, text: error.message, view: error.view, note: error.note, commands };
  }
}

describe('Bash', () => {
  it('runs the command in the current folder and gives text to the model, colours to the eye', async () => {
    const result = await run(
      { command: 'npm test' },
      { text: '\n  3 passed\n\n', terminal: '\u001b[32m3 passed\u001b[0m\n' },
    );
    expect(result).toEqual({
      kind: 'succeeded',
      text: [{ type: 'text', text: '  3 passed' }],
      view: {
        kind: 'terminal',
        command: 'npm test',
        output: '\u001b[32m3 passed\u001b[0m\n',
        hiddenChars: 0,
        exitCode: 0,
      },
      note: 'exit 0 · 18 characters',
      commands: [
        { command: 'npm test', cwd: '/srv/app', timeoutMs: 120_000, outputFile: null, keepAboveChars: 30_000 },
      ],
    });
  });

  it.each([
    ['a success', { exitCode: 0 }, /fine\n\n/],
    ['a failure', { exitCode: 7 }, /fine\n\n/],
  ])('%s says which hosts the sandbox did not let it reach', async (_what, how, before) => {
    const refusedHosts = [{ host: 'evil.example', port: 443, why: 'The person did not allow it.' }];
    const { text } = await run({ command: 'x' }, { result: { ...how, refusedHosts }, text: 'fine' });
    const said = typeof text === 'string' ? text : text.map((block) => ('text' in block ? block.text : '')).join('');
    expect(said).toMatch(before);
    expect(said).toContain(
      'The sandbox did not let it reach 1 host:\n- evil.example:443: The person did not allow it.',
    );
  });

  it.each([
    [undefined, 120_000],
    [5_000, 5_000],
    [600_000, 600_000],
    [3_600_000, 600_000],
  ])('timeout %s becomes %s', async (timeout, timeoutMs) => {
    const { commands } = await run({ command: 'x', timeout }, { text: '' });
    expect(commands).toEqual([{ command: 'x', cwd: '/srv/app', timeoutMs, outputFile: null, keepAboveChars: 30_000 }]);
  });

  it.each<[string, string, Partial<typeof exit>, string, { kind: string; text: unknown; note: string }]>([
    [
      'no output',
      'true',
      {},
      '',
      {
        kind: 'succeeded',
        text: [{ type: 'text', text: 'The command succeeded and printed nothing.' }],
        note: 'exit 0 · 0 characters',
      },
    ],
    [
      'exit 1 of grep without output',
      'grep x a',
      { exitCode: 1 },
      '',
      {
        kind: 'succeeded',
        text: [
          { type: 'text', text: 'Exit code 1: nothing was found, or there is a difference. This is not an error.' },
        ],
        note: 'exit 1 · 0 characters',
      },
    ],
    [
      'exit 1 of diff',
      'diff a b',
      { exitCode: 1 },
      '1c1\n',
      {
        kind: 'succeeded',
        text: [
          {
            type: 'text',
            text: '1c1\n\nExit code 1: nothing was found, or there is a difference. This is not an error.',
          },
        ],
        note: 'exit 1 · 4 characters',
      },
    ],
    [
      'exit 2 of grep',
      'grep x a',
      { exitCode: 2 },
      'grep: a: No such file\n',
      { kind: 'tool', text: 'Exit code 2.\n\ngrep: a: No such file', note: 'exit 2 · 22 characters' },
    ],
    [
      'exit 1 of something else',
      'npm test',
      { exitCode: 1 },
      '',
      { kind: 'tool', text: 'Exit code 1.\n\n(no output)', note: 'exit 1 · 0 characters' },
    ],
    [
      'exit 143 is no timeout',
      './a',
      { exitCode: 143 },
      'x',
      { kind: 'tool', text: 'Exit code 143.\n\nx', note: 'exit 143 · 1 character' },
    ],
    [
      'a signal',
      './a',
      { exitCode: null, signal: 'SIGTERM' },
      'x',
      { kind: 'tool', text: 'Ended by signal SIGTERM.\n\nx', note: 'SIGTERM · 1 character' },
    ],
    [
      'a timeout',
      './a',
      { exitCode: null, signal: 'SIGKILL', timedOut: true },
      'x',
      {
        kind: 'timeout',
        text: 'The command was stopped at its timeout of 2 min, with everything it had started. Output until then:\n\nx\n\nNext: let the command do less, or set a longer timeout (at most 600,000 ms). If it never ends by itself, such as a server or a watcher, use run_in_background.',
        note: 'timed out after 2 min · 1 character',
      },
    ],
    [
      'a limit of the sandbox',
      './a',
      { exitCode: null, signal: 'SIGKILL', limit: { what: 'processes', allowed: 512 } },
      'x',
      {
        kind: 'tool',
        text: 'The command was stopped, with everything it had started, because that was more than 512 processes, the most that may run in the sandbox at once. Output until then:\n\nx\n\nNext: start fewer side by side (make, test runners and builds take a number of jobs). If it needs more, tell the person which; it is a limit of the sandbox, which only they can raise.',
        note: 'stopped: more than 512 processes · 1 character',
      },
    ],
    [
      'a protected file that was replaced',
      './a',
      { exitCode: null, signal: 'SIGKILL', replaced: '/srv/app/.git/config' },
      'x',
      {
        kind: 'tool',
        text: 'The command was stopped, with everything it had started, because /srv/app/.git/config was replaced outside of the sandbox meanwhile: the sandbox keeps commands from changing that file or folder, and can do so only for commands that start now. Output until then:\n\nx\n\nNext: run the command again.',
        note: 'stopped: config was replaced · 1 character',
      },
    ],
    [
      'an interruption',
      './a',
      { exitCode: null, signal: 'SIGTERM', aborted: true },
      '',
      {
        kind: 'aborted',
        text: 'The command was interrupted by the person after 2 s and may have done part of its work. Output until then:\n\n(no output)\n\nDo not run it again by yourself; wait for what the person says.',
        note: 'interrupted after 2 s · 0 characters',
      },
    ],
  ])('%s', async (_, command, result, text, expected) => {
    const { kind, text: modelText, note } = await run({ command }, { result, text });
    expect({ kind, text: modelText, note }).toEqual(expected);
  });

  it.each([
    ['touch: cannot touch /etc/x: Read-only file system', true],
    ['curl: (6) Could not resolve host: example.org', true],
    ['npm error code EAI_AGAIN', true],
    ['Error: EACCES: permission denied', true],
    ['AssertionError: expected 1 to be 2', false],
  ])('%s smells of the sandbox: %s', async (text, smells) => {
    const inside = await run({ command: 'x' }, { result: { exitCode: 1 }, text });
    const outside = await run({ command: 'x' }, { result: { exitCode: 1, sandboxed: false }, text });
    expect([
      String(inside.text).includes('ran in a sandbox'),
      String(outside.text).includes('ran in a sandbox'),
    ]).toEqual([smells, false]);
  });

  it('cuts a failure at 10,000 characters and a success at 30,000, and says so where no file could be made for the whole', async () => {
    const text = 'x'.repeat(50_000);
    const notKept =
      'The whole output could not be kept in a file: none could be made. Only its head and tail are here. If you need the middle, print less at once.';
    const success = await run({ command: 'a' }, { text });
    const failure = await run({ command: 'a' }, { result: { exitCode: 2 }, text });
    expect([success.text, failure.text]).toEqual([
      [{ type: 'text', text: `${'x'.repeat(30_000)}\n\n${notKept}` }],
      `Exit code 2.\n\n${'x'.repeat(10_000)}\n\n${notKept}`,
    ]);
  });

  it('says that the command could not be started', async () => {
    const shell = {
      result: { kind: 'failure' as const, reason: 'missing' as const, message: 'There is no bash.' },
      capture: captured(''),
    };
    await expect(bash.call({ command: 'x' }, recordCall({ shell }).context)).rejects.toThrow('There is no bash.');
  });

  it('is read-only and safe beside others when the command is', () => {
    const judged = (command: string) => [bash.isReadOnly({ command }), bash.isConcurrencySafe({ command })];
    expect([judged('ls'), judged('rm x')]).toEqual([
      [true, true],
      [false, false],
    ]);
  });

  it('names what it touches and shows', () => {
    const input = { command: 'cd src\nrm -rf x', description: 'List files' };
    expect({
      facts: bash.facts(input, samplePlace),
      own: bash.checkPermissions(input, samplePlace),
      summary: bash.getToolUseSummary(input, samplePlace),
      activity: bash.getActivityDescription(input, samplePlace),
      use: bash.renderUse(input, samplePlace),
      rejected: bash.renderRejected(input, samplePlace, { type: 'noPermissionNeeded' }),
    }).toEqual({
      facts: [{ kind: 'command', command: input.command, cwd: '/srv/app' }],
      own: { behavior: 'passthrough' },
      summary: 'cd src ⏎ rm -rf x',
      activity: 'Running cd src ⏎ rm -rf x',
      use: { kind: 'terminal', command: input.command },
      rejected: { kind: 'terminal', command: input.command },
    });
  });

  it.each([
    [
      { command: 'ls', timeout: '5000' },
      { command: 'ls', timeout: 5_000 },
    ],
    [{ command: '  ' }, null],
    [{ command: 'a\0b' }, null],
    [{ command: 'ls', timeout: 0 }, null],
    [{ command: 'ls', timeout: 'soon' }, null],
    [
      { command: 'ls', run_in_background: 'true' },
      { command: 'ls', run_in_background: true },
    ],
    [{ command: 'ls', run_in_background: 'soon' }, null],
    [{ command: 'ls', background: true }, null],
    [{}, null],
  ])('input %j → %j', (input, expected) => {
    expect(bash.inputSchema().safeParse(input).data ?? null).toEqual(expected);
  });
});
