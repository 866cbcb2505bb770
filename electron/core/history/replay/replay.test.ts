import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Replay, ReplayFilter } from '#shared/api/history';
import type { Sources } from '../../permissions/combineSources';
import { createReplayer } from './createReplayer';
import { doubts } from './outcome';
import { bash, type Made, noPace, ReplayBench, type Rules } from './testing/replayBench';

let bench: ReplayBench;
beforeEach(() => {
  bench = new ReplayBench(['src/a.ts', '.env']);
});
afterEach(() => bench.dispose());

const changes: ReplayFilter = { text: '' };

async function replay(
  before: Sources,
  after: Sources = before,
  filter: ReplayFilter = changes,
  page = { offset: 0, limit: 50 },
): Promise<Replay> {
  return await bench
    .replayer()
    .replay({ scope: bench.everything, filter, ...page }, bench.policies(before, after), noPace);
}

const brief = ({ rows }: Pick<Replay, 'rows'>) =>
  rows.map(({ call, count, before, after }) => `${call.title} ×${count}: ${before} → ${after}`);

describe('verdicts', () => {
  it.each<readonly [what: string, call: Made, rules: Rules, expected: string]>([
    ['a read-only command', bash('git status'), {}, 'allow'],
    ['a command that nothing allows', bash('npm test'), {}, 'ask'],
    ['a command that a rule allows', bash('npm test'), { allow: ['Bash(npm test:*)'] }, 'allow'],
    ['a command that a rule denies', bash('npm test'), { deny: ['Bash(npm:*)'] }, 'deny'],
    ['an ask rule beats an allow rule', bash('npm test'), { ask: ['Bash(npm:*)'], allow: ['Bash(npm test)'] }, 'ask'],
    ['a part of a line', bash('git status && npm test'), {}, 'ask'],
    ['a read in the folder', { tool: 'Read', input: { file_path: 'src/a.ts' } }, {}, 'allow'],
    ['a read that is denied', { tool: 'Read', input: { file_path: '.env' } }, { deny: ['Read(.env)'] }, 'deny'],
    ['a server’s tool', { tool: 'mcp__git__push', input: {} }, { allow: ['mcp__git'] }, 'allow'],
    ['dontAsk denies', bash('npm test', { mode: 'dontAsk' }), {}, 'deny'],
    ['bypass allows', bash('npm test', { mode: 'bypassPermissions' }), {}, 'allow'],
    ['plan asks', bash('npm test', { mode: 'plan' }), { allow: ['Bash(npm test)'] }, 'ask'],
    ['a field that tools here do not know', { tool: 'Bash', input: { command: 'git status', future: 1 } }, {}, 'allow'],
    ['a tool of a whole core', { tool: 'Skill', input: { skill: 'deploy' } }, { allow: ['Skill(deploy)'] }, 'allow'],
    ['a tool under its old name', { tool: 'LS', input: { path: 'src' } }, { deny: ['ListDirectory'] }, 'deny'],
    ['no mode, and all agree', bash('npm test', { mode: null }), {}, 'ask'],
    ['no mode, but it ran', bash('npm test', { mode: null }), { allow: ['Bash(npm test)'] }, 'allow'],
    ['an unknown tool that is denied', { tool: 'Strange', input: {} }, { deny: ['Strange'] }, 'deny'],
  ])('%s', async (_what, call, rules, expected) => {
    bench.index.add(call);
    const { matrix, undetermined } = await replay(bench.sources(rules));
    const counts = Object.fromEntries(Object.entries(matrix).map(([key, row]) => [key, row[key as keyof typeof row]]));
    expect({ counts, undetermined }).toEqual({
      counts: { allow: 0, ask: 0, deny: 0, [expected]: 1 },
      undetermined: [],
    });
  });
});

describe('what cannot be told', () => {
  it.each<
    readonly [doubt: keyof typeof doubts, what: string, call: Made, more: Partial<Sources> & { readonly ruled?: Rules }]
  >([
    [
      'mode',
      'an edit',
      { tool: 'Edit', input: { file_path: 'src/a.ts', old_string: 'a', new_string: 'b' }, mode: null },
      {},
    ],
    [
      'mode',
      'nothing says that it ran',
      bash('npm test', { mode: null, outcome: 'unknown' }),
      { ruled: { allow: ['Bash(npm test)'] } },
    ],
    ['mode', 'the usual mode runs all', bash('npm test', { mode: null }), { defaultMode: 'bypassPermissions' }],
    ['hook', 'a hook for all', bash('git status'), { callHooks: [{ matcher: '', condition: null }] }],
    ['hook', 'a hook for the tool', bash('npm test'), { callHooks: [{ matcher: 'Edit|Bash', condition: null }] }],
    [
      'hook',
      'a hook for such commands',
      bash('npm test'),
      { callHooks: [{ matcher: 'Bash', condition: 'Bash(npm *)' }] },
    ],
    ['hook', 'a hook whose matcher is broken', bash('npm test'), { callHooks: [{ matcher: '(', condition: null }] }],
    ['folder', 'its folder is gone', { tool: 'Read', input: { file_path: 'a.ts' }, cwd: '/srv/gone/away' }, {}],
    ['link', 'through a link', { tool: 'Read', input: { file_path: 'link.ts' } }, {}],
    ['tool', 'no tool of that name', { tool: 'Strange', input: {} }, {}],
    ['input', 'no command at all', { tool: 'Bash', input: { script: 'x' } }, {}],
    ['model', 'in auto mode', bash('npm test', { mode: 'auto' }), {}],
    [
      'model',
      'with a description',
      bash('npm test'),
      { descriptions: { allow: ['tests'], deny: [], environment: [] } },
    ],
  ])('%s: %s', async (doubt, _what, call, { ruled = {}, ...more }) => {
    symlinkSync(join(bench.folder, '.env'), join(bench.folder, 'link.ts'));
    bench.index.add(call);
    const { undetermined, matrix } = await replay(bench.sources(ruled, more));
    expect(undetermined).toEqual([{ reason: doubts[doubt], calls: 1 }]);
    expect(Object.values(matrix).flatMap((row) => Object.values(row))).toEqual(Array(9).fill(0));
  });

  it.each<readonly [what: string, call: Made, sources: Partial<Sources>]>([
    ['another tool’s hook', bash('git status'), { callHooks: [{ matcher: 'Edit', condition: null }] }],
    ['a hook for other commands', bash('git status'), { callHooks: [{ matcher: 'Bash', condition: 'Bash(npm *)' }] }],
    ['auto mode switched off', bash('git status', { mode: 'auto' }), { autoDisabled: true }],
    ['a rule that denies, whatever hooks say', bash('rm x'), { callHooks: [{ matcher: '', condition: null }] }],
  ])('tells nevertheless: %s', async (_what, call, more) => {
    bench.index.add(call);
    expect((await replay(bench.sources({ deny: ['Bash(rm:*)'] }, more))).undetermined).toEqual([]);
  });

  it('a folder whose rules are not known', async () => {
    bench.index.add(bash('git status', { project: '/srv/other' }));
    expect((await replay(bench.sources({}))).undetermined).toEqual([{ reason: doubts.policy, calls: 1 }]);
  });

  it('is found by its own filter, with its reason', async () => {
    bench.index.add({ tool: 'Strange', input: {} }, bash('npm test'));
    const { rows } = await replay(bench.sources({}), undefined, { before: 'undetermined', text: '' });
    expect(rows.map(({ before, after, because }) => ({ before, after, because }))).toEqual([
      { before: 'undetermined', after: 'undetermined', because: doubts.tool },
    ]);
  });
});

describe('rows', () => {
  it('are one for equal calls, newly allowed first and the most dangerous of them on top', async () => {
    bench.index.add(
      bash('npm run lint'),
      bash('npm run lint', { session: 's2' }),
      bash('npm run lint', { mode: 'acceptEdits' }),
      bash('git push --force origin main', { outcome: 'refused' }),
      bash('make all'),
      bash('git status'),
    );
    const before = bench.sources({ allow: ['Bash(make:*)'] });
    const after = bench.sources({ allow: ['Bash(npm run lint)', 'Bash(git push:*)'] });
    const result = await replay(before, after);
    expect(brief(result)).toEqual([
      'git push --force origin main ×1: ask → allow',
      'npm run lint ×3: ask → allow',
      'make all ×1: allow → ask',
    ]);
    expect(result).toMatchObject({
      calls: 6,
      sessions: 2,
      rowsInAll: 3,
      matrix: {
        allow: { allow: 1, ask: 1, deny: 0 },
        ask: { allow: 4, ask: 0, deny: 0 },
        deny: { allow: 0, ask: 0, deny: 0 },
      },
    });
    expect(result.rows[0]).toMatchObject({
      call: { outcome: 'refused' },
      danger: { score: 88, reason: expect.stringContaining('overwrites or deletes branches') },
      because: 'Allowed: the rule Bash(git push:*) · local',
    });
  });

  it('are filtered by verdict and text, and come in pages', async () => {
    bench.index.add(bash('npm test'), bash('npm run lint'), bash('git status'), bash('make'));
    const sources = bench.sources({});
    const asks = (text: string, page?: { offset: number; limit: number }) =>
      replay(sources, sources, { before: 'ask', after: 'ask', text }, page);
    expect(brief(await asks(''))).toHaveLength(3);
    expect(brief(await asks('NPM'))).toEqual(['npm run lint ×1: ask → ask', 'npm test ×1: ask → ask']);
    const page = await asks('', { offset: 1, limit: 1 });
    expect([page.rows.length, page.rowsInAll]).toEqual([1, 3]);
    expect(brief(await replay(sources, sources, { before: 'ask', text: '' }))).toEqual([]);
  });

  it('are one for commands that differ in their description alone, unless a rule looks at it', async () => {
    bench.index.add(
      { input: { command: 'npm test', description: 'Run tests' } },
      { input: { command: 'npm test', description: 'Try again' } },
    );
    const filter = { before: 'ask', after: 'ask', text: '' } as const;
    expect(brief(await replay(bench.sources({}), undefined, filter))).toEqual(['npm test ×2: ask → ask']);
    const after = bench.sources({ deny: ['Bash(description:*again*)'] });
    expect(brief(await replay(bench.sources({}), after))).toEqual(['npm test ×1: ask → deny']);
  });

  it.each<readonly [what: string, before: Rules, after: Rules, expected: readonly string[]]>([
    ['comes', { deny: ['Read(.env)'] }, { deny: ['Read(.env)', 'Read(!.env)'] }, ['.env ×1: deny → allow']],
    ['goes', { deny: ['Read(.env)', 'Read(!.env)'] }, { deny: ['Read(.env)'] }, ['.env ×1: allow → deny']],
    [
      'goes before its rule',
      { deny: ['Read(.env)', 'Read(!.env)'] },
      { deny: ['Read(!.env)', 'Read(.env)'] },
      ['.env ×1: allow → deny'],
    ],
  ])('change where an exception %s', async (_what, before, after, expected) => {
    bench.index.add({ tool: 'Read', input: { file_path: '.env' } });
    expect(brief(await replay(bench.sources(before), bench.sources(after)))).toEqual(expected);
  });

  it('see calls that come, and only those since a time', async () => {
    const replayer = bench.replayer();
    const sources = bench.sources({});
    const count = async (since: number) => {
      const question = { scope: { folder: bench.folder, since }, filter: changes, offset: 0, limit: 1 };
      return (await replayer.replay(question, bench.policies(sources), noPace)).calls;
    };
    bench.index.add(bash('a'), bash('b'), bash('a'));
    expect([await count(0), await count(2), await count(3)]).toEqual([3, 2, 1]);
    bench.index.add(bash('b'), bash('c', { cwd: '/srv/other' }));
    expect([await count(3), await count(0)]).toEqual([2, 4]);
  });
});

describe('one past call', () => {
  it('is explained with what would be in force', async () => {
    bench.index.add(bash('npm test'));
    const policies = bench.policies(bench.sources({}), bench.sources({ allow: ['Bash(npm test:*)'] }));
    const decision = await bench.replayer().explain('call0', policies, noPace);
    expect(decision).toMatchObject({
      behavior: 'allow',
      why: { rules: [{ rule: { text: 'Bash(npm test:*)' }, standing: 'wins' }] },
    });
    expect(await bench.replayer().explain('gone', policies, noPace)).toBeNull();
  });

  it('of a folder without known rules is not decided', async () => {
    bench.index.add(bash('npm test', { project: '/srv/other' }));
    const asked = bench.replayer().explain('call0', bench.policies(bench.sources({})), noPace);
    await expect(asked).rejects.toMatchObject({ code: 'unavailable' });
  });

  it('sees the disk as it is now', async () => {
    const replayer = createReplayer(bench.index, bench.place);
    bench.index.add({ tool: 'Read', input: { file_path: 'later/a.ts' } });
    const policies = bench.policies(bench.sources({ deny: ['Read(//**/kept.ts)'] }));
    expect(await replayer.explain('call0', policies, noPace)).toMatchObject({ behavior: 'allow' });
    mkdirSync(join(bench.folder, 'later'));
    writeFileSync(join(bench.root, 'kept.ts'), '');
    symlinkSync(join(bench.root, 'kept.ts'), join(bench.folder, 'later', 'a.ts'));
    expect(await replayer.explain('call0', policies, noPace)).toMatchObject({ behavior: 'deny' });
  });
});

describe('usage', () => {
  it('counts what decided or helped', async () => {
    bench.index.add(
      bash('npm test'),
      bash('npm test && make'),
      bash('npm test', { mode: null }),
      bash('git status'),
      bash('rm x'),
      bash('npm test', { project: '/srv/other' }),
    );
    const sources = bench.sources({
      deny: ['Bash(rm:*)'],
      allow: ['Bash(npm test:*)', 'Bash(make)', 'Bash(cargo:*)', 'Bash(rm x)'],
    });
    const usage = await bench
      .replayer()
      .usage({ scope: bench.everything, folder: bench.folder }, bench.policies(sources), noPace);
    expect(usage.map(({ rule, matched, lastUsed }) => [rule.text, matched, lastUsed])).toEqual([
      ['Bash(rm:*)', 1, 5],
      ['Bash(npm test:*)', 3, 3],
      ['Bash(make)', 1, 2],
      ['Bash(cargo:*)', 0, null],
      ['Bash(rm x)', 0, null],
    ]);
  });

  it('counts rules for all projects in every project, by what is in force there', async () => {
    bench.index.add(bash('npm test'), bash('npm test', { project: '/srv/other' }), bash('make', { project: '/srv/x' }));
    const sources = bench.sources({ allow: ['Bash(npm test:*)', 'Bash(make)'] });
    const before = new Map([
      [bench.folder, sources],
      ['/srv/other', sources],
    ]);
    const usage = await bench
      .replayer()
      .usage({ scope: bench.everything, folder: bench.folder }, { before, after: before }, noPace);
    expect(usage.map(({ rule, matched }) => [rule.text, matched])).toEqual([
      ['Bash(npm test:*)', 2],
      ['Bash(make)', 0],
    ]);
  });
});
