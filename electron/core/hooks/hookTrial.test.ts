// A hook that is tried out runs for real, and what it says is told instead of done.
import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { hookEventNames } from '#shared/session/hookRun';
import type { HooksOptions } from './createHooks';
import type { Handler, HandlerAction } from './handler';
import { hookEventInfos } from './hookEvents';
import { trialEvent, tryHook } from './hookTrial';

let folder = '';
beforeAll(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'trial-')));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const recorded: unknown[] = [];
const options = (): HooksOptions => ({
  settings: () => ({ version: 1, files: [] }),
  folderOf: () => folder,
  speaksOf: (rule) => Promise.resolve(rule !== 'Bash(other)'),
  append: (_sessionId, body) => void recorded.push(body),
  keepText: () => Promise.resolve(null),
  tellModel: (about) => void recorded.push(about),
  now: () => 1,
  log: { info: () => undefined, warn: () => undefined, error: () => undefined },
  variables: { PATH: process.env.PATH ?? '' },
  platform: 'linux',
  transcript: () => Promise.resolve(''),
  promptId: () => null,
  envFile: () => Promise.resolve(join(folder, 'variables.sh')),
});
const facts = () => ({
  call: { toolName: 'Bash', toolInput: { command: 'touch made' }, toolUseId: 'toolu_1' },
  response: 'done',
  failed: false,
  durationMs: 5,
  text: 'hello',
  folder,
});
const tried = (event: Handler['event'], action: HandlerAction, matcher = '') =>
  tryHook(
    {
      handler: { event, matcher, action, source: 'userSettings', file: '/home/u/.claude/settings.json', line: 3 },
      event: trialEvent(event, facts()),
      place: { sessionId: 's', folder, cwd: folder, mode: 'default' },
      limits: { urls: null, variables: null },
      signal: new AbortController().signal,
    },
    options(),
  );
const command = (text: string, more: object = {}): HandlerAction => ({ type: 'command', command: text, ...more });
const reply = (output: object) =>
  command(`echo '${JSON.stringify({ hookSpecificOutput: { hookEventName: 'PreToolUse', ...output } })}'`);

it.each<readonly [name: string, event: Handler['event'], action: HandlerAction, would: readonly string[]]>([
  ['refuses', 'PreToolUse', command('echo no >&2; exit 2'), ['The call would be refused: no']],
  ['says nothing', 'PreToolUse', command('true'), ['Nothing: the call would go on as without it.']],
  [
    'fails open',
    'PreToolUse',
    command('exit 3'),
    [
      'You would be told: The hook “exit 3” (user settings) failed on PreToolUse: exit code 3. It had no effect.',
      'It failed, so the call would go on as if it had not been asked.',
    ],
  ],
  [
    'asks',
    'PreToolUse',
    reply({ permissionDecision: 'ask', permissionDecisionReason: 'sure?' }),
    ['You would be asked: sure?'],
  ],
  [
    'allows',
    'PreToolUse',
    reply({ permissionDecision: 'allow' }),
    ['The call would be allowed, unless a deny or ask rule speaks against it'],
  ],
  ['adds context', 'UserPromptSubmit', command('echo context'), ['The model would be told: context']],
  ['blocks a message', 'UserPromptSubmit', command('echo no >&2; exit 2'), ['It would block: no']],
  [
    'comes too late',
    'PreToolUse',
    command('exit 2', { async: true }),
    ['It runs in the background: whatever it says comes too late to stop or change anything.'],
  ],
])('tells what a hook would do that %s', async (_name, event, action, would) => {
  expect((await tried(event, action)).would).toEqual(would);
});

it('gives the hook its input, runs neither the call nor anything else, and records nothing', async () => {
  const { run, fits, updatedInput } = await tried(
    'PreToolUse',
    command(`cat > told; echo '{"hookSpecificOutput":{"hookEventName":"PreToolUse","updatedInput":{"command":"ls"}}}'`),
  );
  expect(JSON.parse(readFileSync(join(folder, 'told'), 'utf8'))).toMatchObject({
    hook_event_name: 'PreToolUse',
    tool_name: 'Bash',
    tool_input: { command: 'touch made' },
    cwd: folder,
  });
  expect([fits, run.exitCode, JSON.parse(updatedInput ?? 'null')]).toEqual([true, 0, { command: 'ls' }]);
  expect([readdirSync(folder), recorded]).toEqual([['told'], []]);
});

it('hands out no file of variables', async () => {
  const { run } = await tried('SessionStart', command('echo "[$CLAUDE_ENV_FILE]"'));
  expect(run.stdout).toBe('[]\n');
});

it('says when the hook would not have run', async () => {
  expect((await tried('PreToolUse', command('true'), 'Edit')).because).toBe('Its matcher “Edit” does not fit “Bash”.');
  expect((await tried('PreToolUse', command('true', { if: 'Bash(other)' }))).because).toBe(
    'Its condition Bash(other) does not speak of this call.',
  );
});

it('knows an occasion for every event', () => {
  expect(hookEventNames.map((name) => trialEvent(name, facts()).name)).toEqual([...hookEventNames]);
  expect(hookEventInfos.map(({ name }) => name)).toEqual([...hookEventNames]);
  expect(hookEventInfos.filter(({ about, textName }) => about === 'text' && textName === '')).toEqual([]);
});
