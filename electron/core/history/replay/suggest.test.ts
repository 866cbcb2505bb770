import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Reach } from '#shared/api/history';
import type { CallScope } from '../pastCalls';
import { isSafeText } from './suggestFromPast';
import { bash, type Made, noPace, ReplayBench, type Rules } from './testing/replayBench';

let bench: ReplayBench;
beforeEach(() => {
  bench = new ReplayBench(['src/a.ts', 'src/b.ts', 'package.json']);
});
afterEach(() => bench.dispose());

const times = (count: number, call: Made): readonly Made[] => Array(count).fill(call);

async function suggest(rules: Rules = {}, scope: CallScope = { folder: bench.folder, since: 0 }) {
  const policies = bench.policies(bench.sources(rules));
  return await bench.replayer().suggest({ scope, folder: bench.folder }, policies, noPace);
}

async function proposed(calls: readonly Made[], rules: Rules = {}): Promise<readonly string[]> {
  bench.index.add(...calls);
  const { suggestions } = await suggest(rules);
  return suggestions.map((one) => `${one.rules.join(' + ')} ×${one.reach.covers}`);
}

describe('proposals', () => {
  it.each<readonly [what: string, calls: readonly Made[], expected: readonly string[]]>([
    ['the exact command, where it was the only one', times(5, bash('npm run lint')), ['Bash(npm run lint) ×5']],
    [
      'the beginning, where commands differ',
      [...times(4, bash('npm test')), bash('npm test -- src/a.ts'), bash('npm test -- src/b.ts')],
      ['Bash(npm test:*) ×6'],
    ],
    [
      'what saves most first',
      [...times(2, bash('make all')), ...times(5, bash('npm run lint'))],
      ['Bash(npm run lint) ×5', 'Bash(make all) ×2'],
    ],
    [
      'a host',
      times(3, { tool: 'WebFetch', input: { url: 'https://example.com/a', prompt: 'x' } }),
      ['WebFetch(domain:example.com) ×3'],
    ],
    ['a tool of a server', times(3, { tool: 'mcp__tracker__list', input: {} }), ['mcp__tracker__list ×3']],
    ['both rules of a line', times(2, bash('npm test && make all')), ['Bash(npm test) + Bash(make all) ×2']],
    [
      'the narrow form, where the broad one would let through what is dangerous',
      [...times(40, bash('make all')), bash('make all -j4'), bash('make all -f /tmp/x', { outcome: 'refused' })],
      ['Bash(make all) ×40'],
    ],
    ['nothing for a single call', [bash('make all')], []],
    ['nothing for what runs without asking', times(4, bash('git status')), []],
    ['nothing for interpreters', times(9, bash('python3 build.py')), []],
    ['nothing for pushes', times(9, bash('git push origin main')), []],
    ['nothing for installs', times(9, bash('npm install x')), []],
    ['nothing for removals', times(9, bash('rm -rf dist')), []],
    ['nothing for credentials', times(9, bash('deploy --token=abcdefgh12345678')), []],
    ['nothing in several lines', times(9, bash('make all\nmake test')), ['Bash(make all) + Bash(make test) ×9']],
    ['nothing for what was refused', [...times(5, bash('make all')), bash('make all', { outcome: 'refused' })], []],
    [
      'what was refused once among many',
      [...times(20, bash('make all')), bash('make all', { outcome: 'refused' })],
      ['Bash(make all) ×20'],
    ],
    [
      'nothing for files that say what runs',
      times(9, { tool: 'Write', input: { file_path: 'package.json', content: '' } }),
      [],
    ],
  ])('%s', async (_what, calls, expected) => {
    expect(await proposed(calls)).toEqual(expected);
  });

  it('are none where an ask rule or the administrator stands against them', async () => {
    bench.index.add(...times(5, bash('make all')));
    expect((await suggest({ ask: ['Bash(make:*)'] })).suggestions).toEqual([]);
    const managed = bench.policies(bench.sources({}, { managedOnly: true }));
    const question = { scope: bench.everything, folder: bench.folder };
    expect(await bench.replayer().suggest(question, managed, noPace)).toEqual({ suggestions: [], asked: 5 });
  });

  it('come with edits, numbers, samples and narrower and broader forms', async () => {
    bench.index.add(...times(4, bash('npm test')), bash('npm test -- src/a.ts'), bash('git push'));
    const { suggestions, asked } = await suggest();
    expect(asked).toBe(6);
    expect(suggestions).toMatchObject([
      {
        rules: ['Bash(npm test:*)'],
        behavior: 'allow',
        source: 'localSettings',
        edits: [{ type: 'add', source: 'localSettings', behavior: 'allow', text: 'Bash(npm test:*)' }],
        reach: { covers: 5, overReach: 0, covered: [{ count: 4 }, { count: 1 }], worst: [] },
        because: 'It would have answered 5 asks, 2 different ones.',
        variants: [
          { rules: ['Bash(npm test)'], covers: 4, overReach: 0 },
          { rules: ['Bash(npm test:*)'], covers: 5, overReach: 0 },
        ],
      },
    ]);
  });

  it('go to the user’s own settings when all folders are looked at, and then name no files of one', async () => {
    bench.index.add(
      ...times(3, bash('make all')),
      ...times(3, { tool: 'Edit', input: { file_path: 'src/a.ts', old_string: 'a', new_string: 'b' } }),
    );
    const { suggestions } = await suggest({}, bench.everything);
    expect(suggestions.map(({ rules, source }) => [source, ...rules])).toEqual([['userSettings', 'Bash(make all)']]);
  });
});

it.each<readonly [rule: string, safe: boolean]>([
  ['Bash(npm test:*)', true],
  ['Bash(git log *)', true],
  ['Read(/src/**)', true],
  ['Bash', false],
  ['Bash(*)', false],
  ['Bash(python3 x.py)', false],
  ['Bash(npx vitest:*)', false],
  ['Bash(npm exec x)', false],
  ['Bash(a\nb)', false],
  ['Bash(x --password=hunter22)', false],
  ['Bash(x', false],
])('%s may be proposed: %s', (rule, safe) => {
  expect(isSafeText(rule)).toBe(safe);
});

describe('the reach of rules', () => {
  const brief = ({ covers, overReach, covered, worst }: Reach) => ({
    covers,
    overReach,
    covered: covered.map(({ call, count }) => `${call.title} ×${count}`),
    worst: worst.map(({ call, danger }) => `${call.title}: ${danger.score}`),
  });
  const reach = async (behavior: 'allow' | 'ask' | 'deny', rules: readonly string[], own: Rules = {}) =>
    brief(
      await bench
        .replayer()
        .reach(
          { scope: bench.everything, folder: bench.folder, rules, behavior, source: 'localSettings' },
          bench.policies(bench.sources(own)),
          noPace,
        ),
    );

  it('counts apart what was refused or is dangerous, and names the three worst', async () => {
    bench.index.add(
      bash('git fetch'),
      bash('git fetch'),
      bash('git commit -m x', { outcome: 'refused' }),
      bash('git push'),
      bash('git push --force'),
      bash('git reset --hard'),
      bash('git status'),
    );
    expect(await reach('allow', ['Bash(git:*)'])).toEqual({
      covers: 2,
      overReach: 4,
      covered: ['git fetch ×2'],
      worst: ['git push --force: 88', 'git reset --hard: 70', 'git push: 62'],
    });
  });

  it('says of rules that deny what they would have stopped', async () => {
    bench.index.add(bash('make all'), bash('make all', { outcome: 'refused' }), bash('make x', { outcome: 'refused' }));
    expect(await reach('deny', ['Bash(make:*)'])).toMatchObject({ covers: 2, overReach: 1 });
    expect(await reach('deny', ['Bash(make:*)'], { deny: ['Bash(make x)'] })).toMatchObject({
      covers: 1,
      overReach: 1,
    });
  });

  it('of a rule of one folder ends there', async () => {
    bench.index.add(bash('make all'), bash('make all', { project: '/srv/other' }));
    expect(await reach('allow', ['Bash(make:*)'])).toMatchObject({ covers: 1 });
  });
});
