// What is kept between questions changes no answer: a replayer that has seen much says the same as a fresh one.
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Verdict } from '#shared/api/history';
import type { Behavior } from '#shared/permissions/decision';
import type { PermissionMode } from '#shared/permissions/modes';
import type { Sources } from '../../permissions/combineSources';
import type { Replayer, ReplayPolicies } from '../pastCalls';
import { createReplayer } from './createReplayer';
import { type Made, noPace, ReplayBench } from './testing/replayBench';

let bench: ReplayBench;
beforeAll(() => {
  bench = new ReplayBench(['src/a.ts', 'src/deep/b.ts', '.env', 'lib/c.ts', '.claude/worktrees/try/src/a.ts']);
});
afterAll(() => bench.dispose());

const commands = [
  'npm test',
  'npm test && git push',
  'git push --force origin main',
  'cd src && make all > ../out.txt',
  'timeout 5 npm run lint -- x',
  'cat .env | head',
  'rm -rf src/*',
  'FOO=1 make',
  'for f in src/*.ts; do echo "$f"; done',
  'sudo make install',
  '$(cat x) y',
  'git status',
  'echo "a',
];
const paths = ['src/a.ts', 'src/deep/b.ts', '.env', 'lib/c.ts', '/etc/hosts', '~/x', 'new/d.ts'];
const hosts = ['https://example.com/x', 'https://docs.python.org/3', 'http://localhost:3000'];

const texts = [
  'Bash(npm test)',
  'Bash(npm test:*)',
  'Bash(npm *)',
  'Bash(git push:*)',
  'Bash(* --force *)',
  'Bash(make)',
  'Bash(make:*)',
  'Bash(cat *)',
  'Bash(description:*tests*)',
  'Bash',
  'Read(.env)',
  'Read(!.env)',
  'Edit(/src/**)',
  'Edit(!/src/deep/**)',
  'Edit(//etc/**)',
  'Edit(lib/**)',
  'Read(~/**)',
  'Write',
  'WebFetch',
  'WebFetch(domain:example.com)',
  'WebFetch(domain:localhost)',
  'mcp__git',
  'mcp__git__push',
  '*',
];

const modes: readonly (PermissionMode | null)[] = [
  'default',
  'acceptEdits',
  'plan',
  'auto',
  'dontAsk',
  'bypassPermissions',
  null,
];
const anyMode = fc.constantFrom(...modes);
const outcome = fc.constantFrom('ran', 'failed', 'refused', 'unknown');
const anyCall: fc.Arbitrary<Made> = fc.oneof(
  fc
    .record({ command: fc.constantFrom(...commands), description: fc.constantFrom('Run tests', 'Go') })
    .map((input) => ({ tool: 'Bash', input })),
  fc.record({ tool: fc.constantFrom('Read', 'Write', 'Edit', 'Glob'), path: fc.constantFrom(...paths) }).map(
    ({ tool, path }): Made => ({
      tool,
      input: tool === 'Glob' ? { pattern: path } : { file_path: path, content: '', old_string: 'a', new_string: 'b' },
    }),
  ),
  fc.constantFrom(...hosts).map((url): Made => ({ tool: 'WebFetch', input: { url, prompt: 'What?' } })),
  fc.constantFrom('mcp__git__push', 'mcp__git__log', 'Strange', 'Skill').map((tool): Made => ({ tool, input: {} })),
);
const cwd = fc.constantFrom('', '', 'src', '.claude/worktrees/try');
const call = fc
  .record({ made: anyCall, mode: anyMode, outcome, cwd })
  .map(({ made, ...more }): Made & { readonly cwd: string } => ({ ...made, ...more }));

interface Rule {
  readonly behavior: Behavior;
  readonly text: string;
}
const rule: fc.Arbitrary<Rule> = fc.record({
  behavior: fc.constantFrom<Behavior>('allow', 'allow', 'ask', 'deny'),
  text: fc.constantFrom(...texts),
});
const step = fc.oneof(
  { weight: 5, arbitrary: fc.record({ type: fc.constant('add' as const), rule, at: fc.nat(10) }) },
  { weight: 3, arbitrary: fc.record({ type: fc.constant('remove' as const), at: fc.nat(10) }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('swap' as const), at: fc.nat(10) }) },
  {
    weight: 1,
    arbitrary: fc.record({ type: fc.constant('folder' as const), folder: fc.constantFrom('/etc', '/srv') }),
  },
  { weight: 1, arbitrary: fc.constant({ type: 'switch' as const }) },
);

interface State {
  readonly rules: readonly Rule[];
  readonly additional: readonly string[];
  readonly blocks: boolean;
}

function after(state: State, change: typeof step extends fc.Arbitrary<infer T> ? T : never): State {
  const { rules } = state;
  switch (change.type) {
    case 'add':
      return { ...state, rules: [...rules.slice(0, change.at), change.rule, ...rules.slice(change.at)] };
    case 'remove':
      return { ...state, rules: rules.filter((_, at) => at !== change.at) };
    case 'swap': {
      const [first, second] = [rules[change.at], rules[change.at + 1]];
      if (first === undefined || second === undefined) return state;
      return { ...state, rules: rules.map((one, at) => (at === change.at ? second : one === second ? first : one)) };
    }
    case 'folder':
      return { ...state, additional: [change.folder] };
    case 'switch':
      return { ...state, blocks: !state.blocks };
  }
}

function sourcesOf({ rules, additional, blocks }: State): Sources {
  const plain = bench.sources({});
  return {
    ...plain,
    additional,
    switches: { ...plain.switches, blockReadsOutside: blocks },
    rules: rules.map(({ behavior, text }) => ({
      ref: { text, behavior, source: 'localSettings' },
      sourceFolder: null,
    })),
  };
}

const question = (filter: object) => ({
  scope: bench.everything,
  filter: { text: '', ...filter },
  offset: 0,
  limit: 500,
});

/** How often which call has which verdict afterwards, and why it has none. */
async function verdictsAfter(replayer: Replayer, policies: ReplayPolicies): Promise<Readonly<Record<string, number>>> {
  const counts: Record<string, number> = {};
  for (const before of Verdict.options)
    for (const verdict of Verdict.options) {
      const { rows } = await replayer.replay(question({ before, after: verdict }), policies, noPace);
      for (const { call, count, because } of rows) {
        const why = verdict === 'undetermined' ? because : verdict;
        const key = `${call.tool} ${call.title}: ${why}`;
        counts[key] = (counts[key] ?? 0) + count;
      }
    }
  return counts;
}

it('says after any changes what a fresh replayer says', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(call, { minLength: 5, maxLength: 30 }),
      fc.array(rule, { maxLength: 6 }),
      fc.array(step, { minLength: 1, maxLength: 6 }),
      async (calls, rules, steps) => {
        const index = bench.emptyIndex();
        const { place } = bench;
        index.add(...calls.map((one) => ({ ...one, cwd: join(bench.folder, one.cwd) })));
        const kept = createReplayer(index, place);
        let state: State = { rules, additional: [], blocks: false };
        const start = sourcesOf(state);
        for (const change of steps) {
          state = after(state, change);
          const policies = bench.policies(start, sourcesOf(state));
          const now = policies.after;
          expect(await verdictsAfter(kept, policies)).toEqual(
            await verdictsAfter(createReplayer(index, place), { before: now, after: now }),
          );
        }
      },
    ),
    { numRuns: 25 },
  );
});

it('says of a rule beside the others what a replay with it says', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(call, { minLength: 5, maxLength: 30 }),
      fc.array(rule, { maxLength: 6 }),
      rule,
      async (calls, rules, more) => {
        const index = bench.emptyIndex();
        const { place } = bench;
        index.add(...calls.map((one) => ({ ...one, cwd: join(bench.folder, one.cwd) })));
        const replayer = createReplayer(index, place);
        const state: State = { rules, additional: [], blocks: false };
        const policies = bench.policies(sourcesOf(state), sourcesOf({ ...state, rules: [...rules, more] }));
        const { text, behavior } = more;
        const reach = await replayer.reach(
          { scope: bench.everything, folder: bench.folder, rules: [text], behavior, source: 'localSettings' },
          bench.policies(sourcesOf(state)),
          noPace,
        );
        let changed = 0;
        for (const before of ['allow', 'ask', 'deny', 'undetermined'] as const) {
          if (before === behavior) continue;
          const { rows } = await replayer.replay(question({ before, after: behavior }), policies, noPace);
          changed += rows.reduce((sum, { count }) => sum + count, 0);
        }
        expect(reach.covers + reach.overReach).toBe(changed);
      },
    ),
    { numRuns: 25 },
  );
});
