// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the shell fills these in.
// Every hook is listed with its state and what is wrong with it, whether it is in force or not.
import { expect, it } from 'vitest';
import type { SettingsInForce } from '../permissions/settingsInForce';
import { listHooks } from './hookList';
import { missingProgram, type ProgramLook } from './hookPrograms';
import { hooksFor, settingsOf, shell } from './testing/hookBench';

const place = { folder: '/srv/app', home: '/home/u', path: '/usr/bin:/bin', platform: 'linux' as const };
const disk: ProgramLook = {
  isFile: (path) => ['/srv/app/guard.sh', '/srv/app/plain.sh', '/srv/app/check.py'].includes(path),
  isExecutable: (path) =>
    ['/srv/app/guard.sh', '/usr/bin/python3', '/bin/sh', '/usr/bin/jq', '/bin/true'].includes(path),
};

const listed = (...files: readonly SettingsInForce[]) =>
  listHooks({
    files,
    folder: '/srv/app',
    trusted: false,
    about: (file) => ({ exists: true, locked: file.source === 'policySettings' ? 'locked' : '' }),
    programs: place,
    missing: (action, at) => missingProgram(action, at, disk),
  }).view;

const states = (...files: readonly SettingsInForce[]) =>
  listed(...files).hooks.map((hook) => [hook.at.event, hook.state, hook.findings.map(({ kind }) => kind).join()]);

it.each<readonly [name: string, value: object, expected: readonly (readonly string[])[]]>([
  ['in force', hooksFor('Stop', [shell('true')]), [['Stop', 'active', '']]],
  ['fails open', hooksFor('PreToolUse', [shell('true')]), [['PreToolUse', 'active', 'failsOpen']]],
  ['guards', hooksFor('PreToolUse', [shell('true', { onFailure: 'block' })]), [['PreToolUse', 'active', '']]],
  [
    'a guard in the background',
    hooksFor('PreToolUse', [shell('true', { async: true })]),
    [['PreToolUse', 'active', 'unguarded']],
  ],
  ['lower case', hooksFor('pretooluse', [shell('true')]), [['pretooluse', 'broken', 'event']]],
  ['no event', hooksFor('Whenever', [shell('true')]), [['Whenever', 'broken', 'event']]],
  ['a bad matcher', hooksFor('PostToolUse', [shell('true')], '('), [['PostToolUse', 'broken', 'matcher']]],
  ['a matcher for nothing', hooksFor('Stop', [shell('true')], 'Bash'), [['Stop', 'active', 'matcher']]],
  ['no command', hooksFor('Stop', [{ type: 'command' }]), [['Stop', 'broken', 'shape']]],
  [
    'a kind that may not listen',
    hooksFor('SessionStart', [{ type: 'prompt', prompt: 'x' }]),
    [['SessionStart', 'broken', 'handler']],
  ],
  ['a condition for no call', hooksFor('Stop', [shell('true', { if: 'Bash(ls)' })]), [['Stop', 'broken', 'condition']]],
  ['a missing program', hooksFor('Stop', [shell('jqq .x')]), [['Stop', 'active', 'missing']]],
  [
    'twice the same',
    hooksFor('Stop', [shell('true'), shell('true')]),
    [
      ['Stop', 'active', ''],
      ['Stop', 'elsewhere', ''],
    ],
  ],
])('%s', (_name, value, expected) => {
  expect(states(settingsOf(value))).toEqual(expected);
});

it('says what waits for trust and what switches take out', () => {
  const hook = hooksFor('Stop', [shell('true')]);
  const project = settingsOf(hook, { source: 'projectSettings', path: '/srv/app/.claude/settings.json', waits: true });
  const policy = settingsOf({ ...hook, allowManagedHooksOnly: true }, { source: 'policySettings' });
  const off = settingsOf({ ...hook, disableAllHooks: true });
  expect(states(project)).toEqual([['Stop', 'waits', '']]);
  expect(states(settingsOf(hook), policy).map(([, state]) => state)).toEqual(['off', 'active']);
  expect(states(off, policy).map(([, state]) => state)).toEqual(['off', 'active']);
  expect(listed(off).disabledBy).toEqual({ source: 'userSettings', file: '/home/u/.claude/settings.json', line: 1 });
  // A switch in a file that waits for trust counts for nothing.
  expect(listed({ ...project, content: off.content }).disabledBy).toBeNull();
});

it('shows no credential, and lets nobody write over it', () => {
  const secret = 'Bearer sk-ant-REDACTED';
  const [hook] = listed(
    settingsOf(hooksFor('Stop', [{ type: 'http', url: 'https://x.example', headers: { Authorization: secret } }])),
  ).hooks;
  expect(hook?.json).not.toContain('abcdefgh');
  expect([hook?.whole, hook?.locked]).toEqual([
    false,
    'It holds what looks like a credential. Change it in the file itself.',
  ]);
});

it('names entries that hold no hooks once, with their line', () => {
  const { hooks, problems } = listed(settingsOf({ hooks: { Stop: [{ matcher: 'x' }], nope: 3 } }));
  expect(hooks).toEqual([]);
  expect(problems).toEqual([
    expect.stringContaining('settings.json, line 3: An entry must be'),
    expect.stringContaining('There is no event “nope”'),
  ]);
});

it.each<readonly [command: string, expected: string | null]>([
  ['./guard.sh --strict', null],
  ['"$CLAUDE_PROJECT_DIR"/guard.sh', null],
  ['${CLAUDE_PROJECT_DIR}/guard.sh', null],
  ['./plain.sh', 'notExecutable ./plain.sh'],
  ['./gone.sh', 'missing ./gone.sh'],
  ['python3 ./check.py', null],
  ['python3 ./gone.py', 'missing ./gone.py'],
  ['python3 -c "print(1)"', null],
  ['jq -r .x | jqq', 'missing jqq'],
  ['if true; then echo no >&2; exit 2; fi', null],
  ['FOO=1 jqq', 'missing jqq'],
  ['$TOOL --run', null],
])('looks for the program of %s', (command, expected) => {
  const found = missingProgram({ type: 'command', command }, place, disk);
  expect(found === null ? null : `${found.kind} ${found.program}`).toBe(expected);
});

it('looks for a program without a shell, too', () => {
  const args = (command: string) => missingProgram({ type: 'command', command, args: [] }, place, disk)?.kind ?? null;
  expect([args('${CLAUDE_PROJECT_DIR}/guard.sh'), args('nowhere')]).toEqual([null, 'missing']);
});
