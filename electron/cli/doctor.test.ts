import { describe, expect, it } from 'vitest';
import type { SandboxView } from '#shared/api/sandbox';
import { type Check, checksOf } from './doctor';
import { memoryHost } from './testing/memoryHost';

const byDefault = { kind: 'default' } as const;
const here = { kind: 'setting', source: 'userSettings', path: '/home/ada/.claude/settings.json', line: 4 } as const;
const view: SandboxView = {
  state: { active: true, kind: 'bubblewrap', network: false, reason: '' },
  enabled: { on: true, from: byDefault },
  failIfUnavailable: { on: false, from: byDefault },
  autoAllow: { on: false, from: byDefault },
  allowOutside: { on: true, from: byDefault },
  network: { reach: 'asks', problem: '', allowed: [], denied: [], unixSockets: { on: false, from: byDefault } },
  ...{ writable: [], readOnly: [], hidden: [], readable: [], excluded: [], limits: {}, ignored: [] },
};
const none = { active: false, kind: 'none', network: false, reason: 'bubblewrap is not installed. Install it.' };
const fine = { executor: '', view, refusal: '', problems: [] };
const well: readonly Check[] = [
  { name: 'executor', state: 'ok', text: 'starts' },
  { name: 'sandbox', state: 'ok', text: 'bubblewrap; tried out, and it confines' },
  { name: 'network', state: 'ok', text: 'commands reach the hosts of the lists, and you are asked about others' },
];

describe('what doctor says', () => {
  it.each<readonly [string, Parameters<typeof checksOf>[0], readonly Check[]]>([
    ['where all is well', fine, well],
    [
      'without a sandbox',
      { ...fine, view: { ...view, state: none }, refusal: 'No command runs.' },
      [
        { name: 'executor', state: 'ok', text: 'starts' },
        { name: 'sandbox', state: 'problem', text: none.reason },
        { name: 'commands', state: 'problem', text: 'No command runs.' },
      ],
    ],
    [
      'where it is switched off',
      { ...fine, view: { ...view, state: none, enabled: { on: false, from: here } } },
      [
        { name: 'executor', state: 'ok', text: 'starts' },
        { name: 'sandbox', state: 'note', text: none.reason },
      ],
    ],
    [
      'without lists of hosts',
      { ...fine, view: { ...view, network: { ...view.network, reach: 'off', problem: 'socat is missing.' } } },
      [...well.slice(0, 2), { name: 'network', state: 'note', text: 'commands reach no host: socat is missing.' }],
    ],
    [
      'of settings',
      {
        ...fine,
        problems: ['/srv/app/.claude/settings.json:3: It does not parse.'],
        view: { ...view, ignored: [{ setting: 'sandbox.x', why: 'There is no such setting.', from: here }] },
      },
      [
        ...well,
        { name: 'settings', state: 'problem', text: '/srv/app/.claude/settings.json:3: It does not parse.' },
        {
          name: 'settings',
          state: 'note',
          text: 'sandbox.x (/home/ada/.claude/settings.json, line 4) has no effect: There is no such setting.',
        },
      ],
    ],
  ])('%s', (_what, about, expected) => {
    expect(checksOf(about)).toEqual(expected);
  });
});

it('says that the executor does not start, and ends with 1', async () => {
  const host = memoryHost();
  host.write('dist/executor.mjs', 'process.exit(1);');
  const { code, out } = await host.run('doctor', '--json');
  const { checks } = JSON.parse(out) as { readonly checks: readonly Check[] };
  expect(code).toBe(1);
  expect(checks.map(({ name, state }) => `${name} ${state}`)).toEqual(['executor problem', 'sandbox problem']);
}, 30_000);

it('refuses more than one folder', async () => {
  const { code, err } = await memoryHost().run('doctor', 'a', 'b');
  expect(code).toBe(3);
  expect(err).toContain('Name one folder');
});

it('check decides as the settings of the sandbox say', async () => {
  const host = memoryHost();
  host.write('home/.claude/settings.json', JSON.stringify({ sandbox: { autoAllowBashIfSandboxed: true } }));
  const decided = async (input: object) =>
    (await host.run('check', '--tool', 'Bash', '--input', JSON.stringify(input))).code;
  expect(await decided({ command: 'make' })).toBe(0);
  expect(await decided({ command: 'make', dangerouslyDisableSandbox: true })).toBe(1);
});
