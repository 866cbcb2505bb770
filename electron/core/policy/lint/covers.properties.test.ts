// Whatever is said to have nothing to do can go without any verdict changing.
import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import type { Behavior } from '#shared/permissions/decision';
import type { PermissionMode } from '#shared/permissions/modes';
import { decideCase, type PermissionCase } from '../../permissions/caseWorld';
import type { SourcedRule } from '../../permissions/ruleSet';
import { sourceOrder } from '../../permissions/ruleSet';
import { compileRule } from '../../permissions/rules';
import { loadSecondParser } from '../../permissions/shell/treeSitter';
import { type Cover, findCovers } from './covers';

beforeAll(async () => loadSecondParser());

const folder = '/srv/app';
const home = '/home/kim';

const commands = fc.oneof(
  fc.constantFrom(
    'git push',
    'git push *',
    'git push:*',
    'git *',
    'git*',
    'git pu*',
    'git * main',
    'git push origin main',
    'ls',
    'ls *',
    'ls*',
    'npm test',
    'npm *',
    'npm run *',
    'npm run test:*',
    'timeout *',
    'timeout 5 *',
    'timeout 5 npm *',
    'nice *',
    'npx *',
    'npx eslint',
    'npx eslint *',
    'cat notes.txt',
    'cat *',
    'cat /etc/hosts',
    'rm *',
    'rm -rf *',
    'rm **',
    'a && b',
    'cd x && ls',
    'git push > out',
    'sudo *',
    'sudo rm *',
    'node *',
    'node x.js',
    '* push',
    '*push',
    'time ls',
    'FOO=1 npm *',
    'FOO=1 npm test',
    'xargs *',
    'xargs rm *',
    'bash *',
    'bash -c *',
    './run.sh *',
    './run.sh',
    'git -c *',
  ),
  fc
    .tuple(
      fc.constantFrom('git', 'npm', 'ls', 'rm', 'timeout 5 git'),
      fc.constantFrom('', ' push', ' run', ' -f'),
      fc.constantFrom('', '*', ' *', ':*', '**', ' **', ' * *'),
    )
    .map((parts) => parts.join('')),
);
const paths = fc.oneof(
  fc.constantFrom(
    'src/**',
    '/src/**',
    'src/*.ts',
    'src/a/**',
    '/src/a/*',
    'src',
    '/src',
    '**',
    '/**',
    '//srv/app/**',
    '//srv/**',
    '//**',
    '~/**',
    '~/.ssh/**',
    '~/.ssh/id',
    '*.ts',
    '*.pem',
    '.env',
    '**/.env',
    'src/a/b.ts',
    './src/**',
    '!src/a/**',
    'src/a/b/**',
  ),
  fc
    .tuple(
      fc.constantFrom('', '/', './', '//srv/app/'),
      fc.constantFrom('src', 'lib', 'a b', 'S[r]c'),
      fc.constantFrom('', '/', '/*', '/**', '/a', '/a/**', '/**/a'),
    )
    .map((parts) => parts.join('')),
);
const ruleText = fc.oneof(
  { weight: 6, arbitrary: commands.map((text) => `Bash(${text})`) },
  { weight: 4, arbitrary: fc.tuple(fc.constantFrom('Read', 'Edit'), paths).map(([tool, text]) => `${tool}(${text})`) },
  {
    weight: 2,
    arbitrary: fc
      .constantFrom(
        'example.com',
        '*.example.com',
        '*',
        'a.example.com',
        'a*.example.com',
        '*.com',
        'localhost',
        '127.0.0.1',
        '*ample.com',
        'EXAMPLE.com.',
      )
      .map((host) => `WebFetch(domain:${host})`),
  },
  {
    weight: 3,
    arbitrary: fc.constantFrom(
      'Bash',
      'Bash(*)',
      'Monitor',
      'Read',
      'Edit',
      'Write',
      'WebFetch',
      'Agent',
      'Task',
      'Agent(Explore)',
      'Task(Explore)',
      'Skill',
      'Skill(deploy)',
      'Skill(deploy *)',
      'Skill(deploy prod)',
      'Skill(deploy prod *)',
      'mcp__git',
      'mcp__git__*',
      'mcp__git__push',
      'mcp__git__p*',
      'mcp__*',
      'mcp__g*',
      '*',
      'mcp__git__push*',
      'Grep',
      'PowerShell(rm *)',
      'PowerShell',
      'Bash(run_in_background:true)',
      'Agent(model:opus)',
      'Agent(model:*)',
      'Web*',
    ),
  },
);
const behavior = fc.constantFrom<Behavior>('allow', 'allow', 'ask', 'deny');
const rule = fc.record({
  text: ruleText,
  behavior,
  source: fc.constantFrom(
    'userSettings',
    'projectSettings',
    'localSettings',
    'policySettings',
    'session',
    'cliArg',
    'flagSettings',
  ),
});

const words = fc.constantFrom(
  'push',
  'pus?',
  'p*',
  '*',
  '-f',
  'main',
  'origin',
  'test',
  'run',
  'test:unit',
  'notes.txt',
  '/etc/hosts',
  '"a b"',
  '$X',
  'x',
  'eslint',
  'rm',
  '-rf',
  'src/a',
  '../up',
  '~/.ssh/id',
  'ls',
);
const name = fc.constantFrom(
  'git',
  'npm',
  'ls',
  'lsof',
  'cat',
  'rm',
  'npx',
  'timeout 5 npm',
  'nice git',
  'sudo rm',
  'FOO=1 npm',
  'g?t',
  './run.sh',
  'node',
  'bash -c',
  'xargs rm',
  'time ls',
  'gitk',
);
const simple = fc.tuple(name, fc.array(words, { maxLength: 3 })).map(([first, rest]) => [first, ...rest].join(' '));
const line = fc.oneof(
  { weight: 4, arbitrary: simple },
  {
    weight: 2,
    arbitrary: fc.tuple(simple, fc.constantFrom(' && ', '; ', ' | ', ' || '), simple).map((parts) => parts.join('')),
  },
  { weight: 1, arbitrary: simple.map((text) => `for i in 1 2; do ${text}; done`) },
  { weight: 1, arbitrary: simple.map((text) => `${text} > out`) },
  { weight: 1, arbitrary: simple.map((text) => `cd /tmp && ${text}`) },
  { weight: 1, arbitrary: simple.map((text) => `echo $(${text})`) },
  fc.constantFrom('a && b', 'cd x && ls', 'time ls', 'git push > out'),
);
const file = fc.constantFrom(
  'src/a.ts',
  'src/a/b.ts',
  'src',
  'lib/src/a.ts',
  'lib/a',
  '.env',
  'lib/.env',
  '/etc/passwd',
  '/srv/x',
  '/srv/app',
  '/home/kim/.ssh/id',
  'link/x',
  'a b/c',
  'Src/a.ts',
  'src/link',
  'k.pem',
);
const call = fc.oneof(
  { weight: 5, arbitrary: line.map((command) => ({ tool: 'Bash', input: { command } })) },
  { weight: 1, arbitrary: line.map((command) => ({ tool: 'PowerShell', input: { command } })) },
  { weight: 1, arbitrary: line.map((command) => ({ tool: 'Monitor', input: { command } })) },
  {
    weight: 4,
    arbitrary: fc
      .tuple(fc.constantFrom('Read', 'Edit', 'Write', 'NotebookEdit', 'Grep'), file)
      .map(([tool, file_path]) => ({
        tool,
        input: { file_path, path: file_path, pattern: 'x', notebook_path: file_path },
      })),
  },
  {
    weight: 2,
    arbitrary: fc
      .constantFrom(
        'https://example.com/x',
        'https://a.example.com',
        'https://a.b.example.com',
        'http://localhost:3',
        'http://127.0.0.1',
        'https://sample.com',
        'https://react.dev',
      )
      .map((url) => ({ tool: 'WebFetch', input: { url } })),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom<{ tool: string; input: Record<string, unknown> }>(
      { tool: 'Agent', input: { subagent_type: 'Explore', model: 'opus' } },
      { tool: 'Task', input: { subagent_type: 'Explore' } },
      { tool: 'Skill', input: { skill: 'deploy' } },
      { tool: 'Skill', input: { skill: 'deploy prod' } },
      { tool: 'Skill', input: { skill: 'deploy prod now' } },
      { tool: 'mcp__git__push', input: {} },
      { tool: 'mcp__git__pull', input: {} },
      { tool: 'mcp__gitlab__push', input: {} },
      { tool: 'mcp__git', input: {} },
    ),
  },
);

type Written = { readonly text: string; readonly behavior: Behavior; readonly source: SourcedRule['ref']['source'] };

const files = {
  'src/a.ts': '',
  'src/a/b.ts': '',
  link: { symlink: '/etc' },
  'src/link': { symlink: '/srv/x' },
  push: '',
  '/etc/passwd': '',
  'notes.txt': { symlink: '/etc/passwd' },
};

function caseOf(
  rules: readonly Written[],
  one: { tool: string; input: Record<string, unknown> },
  mode: PermissionMode,
): PermissionCase {
  const lists: PermissionCase['rules'] = {};
  for (const source of sourceOrder)
    Object.assign(lists, {
      [source]: Object.fromEntries(
        (['allow', 'ask', 'deny'] as const).map((list) => [
          list,
          rules.filter((rule) => rule.source === source && rule.behavior === list).map((rule) => rule.text),
        ]),
      ),
    });
  return {
    rules: lists,
    mode,
    workspace: folder,
    home,
    ...one,
    files,
    trusted: true,
    platform: 'linux',
    ignoreCase: false,
    privateFiles: [],
  };
}

function coversOf(rules: readonly Written[]): readonly Cover[] {
  const inOrder = sourceOrder.flatMap((source) =>
    (['allow', 'ask', 'deny'] as const).flatMap((list) =>
      rules.filter((one) => one.source === source && one.behavior === list),
    ),
  );
  const compiled = inOrder.flatMap(
    (ref, order) =>
      compileRule({
        ref,
        group: `${ref.source}  ${ref.behavior}`,
        order,
        sourceFolders: [ref.source === 'userSettings' ? `${home}/.claude` : folder],
        ignoreCase: false,
      }) ?? [],
  );
  return findCovers(compiled, folder);
}

const modes = fc.constantFrom<PermissionMode>('default', 'acceptEdits', 'plan', 'dontAsk', 'auto', 'bypassPermissions');

test('rules that are shadowed, covered or doubled for certain change no verdict when all of them go', () => {
  let reported = 0;
  fc.assert(
    fc.property(
      fc.array(rule, { minLength: 2, maxLength: 12 }),
      fc.array(call, { minLength: 12, maxLength: 12 }),
      modes,
      (rules, calls, mode) => {
        const written: readonly Written[] = rules;
        const certain = coversOf(written).filter((cover) => cover.unless === '');
        reported += certain.length;
        if (certain.length === 0) return;
        const gone = new Set<unknown>(certain.map((cover) => cover.rule));
        const left = written.filter((one) => !gone.has(one));
        for (const one of calls) {
          const before = decideCase(caseOf(written, one, mode));
          const after = decideCase(caseOf(left, one, mode));
          if (before.behavior !== after.behavior)
            throw new Error(
              JSON.stringify({ one, mode, before: before.behavior, after: after.behavior, certain }, null, 1),
            );
        }
      },
    ),
    { numRuns: 400 },
  );
  expect(reported).toBeGreaterThan(80);
});

test('taking out an allow rule never makes anything more allowed, and an exact one covered by a star changes no plain call', () => {
  const plain = fc.constantFrom(
    'git push',
    'git push origin main',
    'npm test',
    'npm run test:unit',
    'ls',
    'rm x',
    'npx eslint x',
  );
  fc.assert(
    fc.property(fc.array(rule, { minLength: 2, maxLength: 10 }), plain, plain, (rules, one, other) => {
      const covers = coversOf(rules).filter((cover) => cover.rule.behavior === 'allow');
      const gone = new Set<unknown>(covers.map((cover) => cover.rule));
      const left = rules.filter((written) => !gone.has(written));
      for (const command of [one, `${one} && ${other}`]) {
        const before = decideCase(caseOf(rules, { tool: 'Bash', input: { command } }, 'default'));
        const after = decideCase(caseOf(left, { tool: 'Bash', input: { command } }, 'default'));
        expect([command, after.behavior]).toEqual([command, before.behavior]);
      }
    }),
    { numRuns: 150 },
  );
});
