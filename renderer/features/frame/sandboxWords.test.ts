import { describe, expect, it } from 'vitest';
import type { SandboxOrigin, SandboxView } from '#shared/api/sandbox';
import { byteWords, confinementOf, limitWords, originPlace, originWords } from './sandboxWords';

const state = (active: boolean) => ({ active, kind: active ? 'bubblewrap' : 'none', network: false, reason: '' });
const set = (on: boolean) => ({ on, from: { kind: 'default' } as const });

describe('what becomes of a command', () => {
  it.each([
    ['confined', { state: state(true), enabled: set(true), failIfUnavailable: set(true) }],
    ['missing', { state: state(false) }],
    ['missing', { state: state(false), enabled: set(true), failIfUnavailable: set(false) }],
    ['refused', { state: state(false), enabled: set(true), failIfUnavailable: set(true) }],
    // Who switches the sandbox off does not want commands refused for the lack of it.
    ['off', { state: state(false), enabled: set(false), failIfUnavailable: set(true) }],
  ] as const)('%s', (expected, view) => {
    expect(confinementOf(view)).toBe(expected);
  });
});

describe('where a value comes from', () => {
  const cases: readonly [SandboxOrigin, words: string, place: string][] = [
    [{ kind: 'builtIn' }, 'built in', ''],
    [{ kind: 'default' }, 'default', ''],
    [{ kind: 'session' }, 'this session', ''],
    [{ kind: 'rule', rule: 'Edit(/srv/out/**)', source: 'projectSettings' }, 'project rule', ''],
    [
      { kind: 'setting', source: 'userSettings', path: '/home/ada/.claude/settings.json', line: 12 },
      'user settings',
      '~/.claude/settings.json:12',
    ],
    [{ kind: 'setting', source: 'policySettings', path: '/etc/p.json', line: null }, 'policy settings', '/etc/p.json'],
    [{ kind: 'setting', source: 'flagSettings', path: null, line: null }, '--settings', ''],
  ];
  it.each(cases)('%j', (from, words, place) => {
    expect([originWords(from), originPlace(from, '/home/ada')]).toEqual([words, place]);
  });
});

it.each([
  [1, '1 byte'],
  [1_536, '1.5 KB'],
  [512 * 1_024 ** 2, '512 MB'],
  [4 * 1_024 ** 3, '4 GB'],
  [5_000 * 1_024 ** 4, '5,000 TB'],
])('%d bytes are %s', (bytes, words) => {
  expect(byteWords(bytes)).toBe(words);
});

it.each<[SandboxView['limits'], readonly string[]]>([
  [{}, []],
  [{ memoryBytes: 2 ** 30, processes: 1, fileBytes: 2 ** 20 }, ['1 GB of memory', '1 process', '1 MB for one file']],
])('limits %j', (limits, words) => {
  expect(limitWords(limits)).toEqual(words);
});
