// Which hooks are in force: every source, trust, switches, and what is skipped with its place.
import { expect, it } from 'vitest';
import type { SettingsInForce } from '../permissions/settingsInForce';
import { labelOf } from './handler';
import { readHookTable } from './hookSettings';
import { hooksFor, settingsOf, shell } from './testing/hookBench';

const from = (
  source: SettingsInForce['source'],
  more: object = {},
  about: Partial<SettingsInForce> = {},
): SettingsInForce => ({
  ...settingsOf({ ...hooksFor('Stop', [shell(source)]), ...more }, { source, path: `/${source}` }),
  ...about,
});

function inForce(...files: readonly SettingsInForce[]): readonly string[] {
  const { listeners } = readHookTable({ files, command: null });
  return (listeners.get('Stop') ?? []).map(({ handler }) => labelOf(handler.action));
}

const all = (policy: object = {}, user: object = {}, unknown = false): readonly SettingsInForce[] => [
  from('userSettings', user),
  from('projectSettings'),
  from('localSettings'),
  from('flagSettings'),
  from('policySettings', policy, { unknown }),
];
const everywhere = ['userSettings', 'projectSettings', 'localSettings', 'flagSettings', 'policySettings'];

it.each([
  ['all sources together, lowest rank first', all(), everywhere],
  ['policy switched to its own alone', all({ allowManagedHooksOnly: true }), ['policySettings']],
  ['the same, unreadable', all({ allowManagedHooksOnly: 'yes' }), ['policySettings']],
  ['a policy that cannot be read', all({}, {}, true), ['policySettings']],
  ['only policy may say so', all({}, { allowManagedHooksOnly: true }), everywhere],
  ['all hooks off by the person: the policy stays', all({}, { disableAllHooks: true }), ['policySettings']],
  ['all hooks off by the policy', all({ disableAllHooks: true }), []],
  ['the policy takes it back', all({ disableAllHooks: false }, { disableAllHooks: true }), everywhere],
  ['a switch that is no switch', all({}, { disableAllHooks: 'yes' }), everywhere],
])('%s', (_name, files, expected) => {
  expect(inForce(...files)).toEqual(expected);
});

it('takes neither hooks nor switches from a folder that is not trusted', () => {
  const foreign = from('projectSettings', { disableAllHooks: true }, { waits: true });
  expect(inForce(from('userSettings'), foreign, from('localSettings', {}, { waits: true }))).toEqual(['userSettings']);
});

it('takes what a running command brings, unless only the policy counts', () => {
  const command = { hooks: { Stop: [{ hooks: [shell('from the command', { once: true })] }] }, file: '/c.md' };
  const named = (files: readonly SettingsInForce[]) =>
    (readHookTable({ files, command }).listeners.get('Stop') ?? []).map(({ handler }) => labelOf(handler.action));
  expect(named([])).toEqual(['from the command']);
  expect(named([from('userSettings', { disableAllHooks: true })])).toEqual([]);
});

function problems(value: unknown): readonly string[] {
  return readHookTable({ files: [settingsOf(value, { path: '/u.json' })], command: null }).problems;
}

it.each([
  [{ hooks: [] }, '/u.json, line 1: hooks must be an object of events; it was skipped.'],
  [
    { hooks: { preToolUse: [] } },
    '/u.json, line 2: “preToolUse” is no event: names are case-sensitive. Write PreToolUse; nothing of it runs.',
  ],
  [{ hooks: { Setup: [] } }, '/u.json, line 2: The event Setup does not happen in Gatehouse; nothing of it runs.'],
  [
    { hooks: { BeforeTool: [] } },
    /^\/u\.json, line 2: There is no event “BeforeTool”; nothing of it runs\. Events: SessionStart, /,
  ],
  [{ hooks: { Stop: {} } }, '/u.json, line 2: hooks.Stop must be a list; it was skipped.'],
  [
    { hooks: { Stop: [shell('x')] } },
    '/u.json, line 3: An entry must be {"matcher": "…", "hooks": [ … ]}; it was skipped.',
  ],
  [
    { hooks: { Stop: [{ matcher: 1, hooks: [] }] } },
    '/u.json, line 4: A matcher must be a text; the entry was skipped.',
  ],
  [hooksFor('Stop', [{ type: 'command' }]), /^\/u\.json, line 5: This hook was skipped: command: /],
  [hooksFor('Stop', [shell('x', { timeout: 'soon' })]), /^\/u\.json, line 5: This hook was skipped: timeout: /],
  [hooksFor('Stop', [{ type: 'http', url: 'file:///etc/passwd' }]), /^\/u\.json, line 5: This hook was skipped: url: /],
  [hooksFor('Stop', [{ type: 'script', command: 'x' }]), /^\/u\.json, line 5: This hook was skipped: type: /],
  [
    hooksFor('SessionStart', [{ type: 'prompt', prompt: 'x' }]),
    '/u.json, line 5: A hook of type prompt cannot listen to SessionStart and was skipped. Types: command, mcp_tool.',
  ],
  [hooksFor('PermissionRequest', [{ type: 'agent', prompt: 'x' }]), /type agent cannot listen to PermissionRequest/],
  [
    hooksFor('Stop', [shell('x', { if: 'Bash(git *)' })]),
    /“if” is understood for tool events only; on Stop this hook never runs/,
  ],
  [
    hooksFor('Stop', [shell('x', { once: true })]),
    /“once” counts only for hooks of a command or skill; x runs every time/,
  ],
  [
    hooksFor('PreToolUse', [shell('x')], '('),
    /line 4: “\(” is no regular expression .*Until it is mended every call is refused/,
  ],
  [hooksFor('PostToolUse', [shell('x')], '('), /None of its hooks runs/],
  [{ disableAllHooks: 1 }, /disableAllHooks must be true or false; it was skipped/],
  [{ allowedHttpHookUrls: 'x' }, /allowedHttpHookUrls must be a list of texts; it counts as empty/],
  [{ hooks: { ['__proto__' as string]: [] } }, undefined],
] as const)('names what is wrong in %j', (value, expected) => {
  if (expected === undefined) expect(problems(value)).toEqual([]);
  else if (typeof expected === 'string') expect(problems(value)).toEqual([expected]);
  else expect(problems(value)).toEqual([expect.stringMatching(expected)]);
});

it('keeps the good entries beside bad ones', () => {
  const value = {
    hooks: {
      Stop: [{ hooks: [{ type: 'command' }, shell('good')] }, 'bad', { hooks: [shell('also good')] }],
      Stopp: [],
    },
  };
  expect(inForce(settingsOf(value))).toEqual(['good', 'also good']);
  expect(problems(value)).toHaveLength(3);
});

it.each([
  ['nothing is limited', [{}], null],
  ['the lists of all are one', [{ allowedHttpHookUrls: ['a'] }, { allowedHttpHookUrls: ['b'] }], ['a', 'b']],
  ['an empty list allows nothing', [{ allowedHttpHookUrls: [] }], []],
] as const)('addresses: %s', (_name, values, urls) => {
  const files = values.map((value) => settingsOf(value));
  expect(readHookTable({ files, command: null }).http.urls).toEqual(urls);
});

it('lets nobody widen the limits of the policy', () => {
  const limits = { allowedHttpHookUrls: ['p'], httpHookAllowedEnvVars: [] };
  const files = [
    settingsOf({ allowedHttpHookUrls: ['u'], httpHookAllowedEnvVars: ['U'] }),
    settingsOf(limits, { source: 'policySettings' }),
  ];
  expect(readHookTable({ files, command: null }).http).toEqual({ urls: ['p'], variables: [] });
});
