// The index against trying every rule in turn: the whole decision must be the same.
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import type { RuleRef } from '#shared/permissions/decision';
import type { PermissionMode } from '#shared/permissions/modes';
import type { CallFact } from '../tools/tool';
import { type CaseFile, memoryView } from './caseWorld';
import type { CompiledRule, RuleSet } from './compiledRule';
import { decide } from './decide';
import { gatherFacts, type Place } from './facts';
import { finderOf, type Subject, setFinder } from './ruleIndex';
import { buildRuleSet, extendRuleSet, type SourcedRule } from './ruleSet';
import { loadSecondParser } from './shell/treeSitter';

beforeAll(loadSecondParser);

const place: Place = {
  folder: '/ws',
  cwd: '/ws/sub',
  home: '/home/u',
  additional: ['/data'],
  privateFiles: [],
  platform: 'linux',
  ignoreCase: false,
};
const view = memoryView(
  new Map<string, CaseFile>([
    ['/ws/sub/.env', ''],
    ['/ws/a.pem', ''],
    ['/ws/src/a.ts', ''],
    ['/ws/link', { symlink: '/srv/x' }],
  ]),
);

const name = fc.constantFrom('git', 'git push', 'npm run a', 'make', 'mak', 'cat', 'cat .env', 'rm -rf x', 'echo', 'e');
const command = fc.oneof(
  name.map((text) => `Bash(${text})`),
  name.map((text) => `Bash(${text}:*)`),
  name.map((text) => `Bash(${text}*)`),
  name.map((text) => `Bash(*${text})`),
  name.map((text) => `Bash(*${text}*)`),
  fc.tuple(name, name).map(([a, b]) => `Bash(${a} * ${b})`),
  fc.constantFrom('Bash', 'Bash(*)', 'Monitor', 'Bash(* --flag)', 'Bash(git * main*)', 'Bash(git * push*)'),
);
const segment = fc.constantFrom(
  'src',
  'sub',
  '*',
  '**',
  '.env',
  '*.pem',
  '*.ts',
  'a.ts',
  'A.TS',
  's?b',
  '[s]rc',
  'link',
  'é',
);
const path = fc
  .tuple(
    fc.constantFrom('Read', 'Edit'),
    fc.constantFrom('', '', '/', '//ws/', '//', '~/', './', '!'),
    fc.array(segment, { minLength: 1, maxLength: 3 }),
    fc.constantFrom('', '', '/', '/**'),
  )
  .map(([tool, anchor, parts, end]) => `${tool}(${anchor}${parts.join('/')}${end})`);
const host = fc
  .constantFrom('example.org', '*.example.org', '*', 'a*.example.org', '*.org', 'EXAMPLE.org.', '127.1', '*example.org')
  .map((text) => `WebFetch(domain:${text})`);
const tool = fc.constantFrom(
  ...'Read Edit * mcp__* mcp__a mcp__a__* mcp__a__b *query m*y Task Agent(Explore) Task(Explore) Skill(deploy) Agent(model:*) WebFetch Bash(timeout:5)'.split(
    ' ',
  ),
  'Skill(deploy *)',
);
const rule = fc.oneof({ weight: 4, arbitrary: command }, { weight: 4, arbitrary: path }, host, tool);
const ruleList = fc.array(
  fc.record({ text: rule, behavior: fc.constantFrom<RuleRef['behavior']>('allow', 'allow', 'ask', 'deny') }),
  { maxLength: 30 },
);

const line = fc
  .array(
    fc.tuple(
      fc.oneof(
        name,
        name,
        fc.constantFrom(
          'cat ../a.pem',
          'CI=1 make a',
          'sudo git push main',
          'git push --flag',
          'g?t push main',
          'git pus? main',
          'npm r*n ?',
          'sudo git [p]ush',
          'ca* .env',
          'git\\\n push',
        ),
      ),
      fc.constantFrom('', ' main', ' > src/A.ts', ' < .env', ' a\tb', ' "x\ny"', ' $(make)'),
      fc.constantFrom(' && ', '; ', ' | ', '\n', ' ( '),
    ),
    { minLength: 1, maxLength: 3 },
  )
  .map((parts) => parts.map(([a, b, operator], at) => (at === 0 ? a + b : `${operator}${a}${b}`)).join(''));

interface Call {
  readonly toolName: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly facts: readonly CallFact[];
}

const file = fc.constantFrom(
  '/ws/sub/.env',
  '/ws/a.pem',
  '/ws/src/a.ts',
  '/ws/src',
  '/ws/link',
  '/ws',
  '/data/sub/x',
  '/home/u/.env',
  '/',
  '/ws/E\u0301',
  '/ws/SUB/.ENV',
);
const call: fc.Arbitrary<Call> = fc.oneof(
  {
    weight: 4,
    arbitrary: line.map(
      (text): Call => ({
        toolName: 'Bash',
        input: { command: text, timeout: 5 },
        facts: [{ kind: 'command', command: text, cwd: '/ws/sub' }],
      }),
    ),
  },
  fc.tuple(fc.constantFrom('Read', 'Edit', 'Write', 'NotebookEdit', 'mcp__a__query'), file).map(
    ([toolName, at]): Call => ({
      toolName,
      input: { file_path: at },
      facts: [{ kind: 'path', access: toolName === 'Read' ? 'read' : 'write', path: at }],
    }),
  ),
  fc
    .constantFrom('example.org', 'a.example.org', 'abc.example.org.', '127.0.0.1', 'evilexample.org', 'x.org:80')
    .map((at): Call => ({ toolName: 'WebFetch', input: {}, facts: [{ kind: 'host', host: at }] })),
  fc.constantFrom<Call>(
    { toolName: 'Task', input: { subagent_type: 'Explore', model: 'x' }, facts: [] },
    { toolName: 'Agent', input: { subagent_type: 'Plan' }, facts: [] },
    { toolName: 'Skill', input: { skill: 'deploy now' }, facts: [] },
    { toolName: 'mcp__a__b', input: {}, facts: [] },
    { toolName: 'mcp__ab', input: {}, facts: [] },
    { toolName: 'mcp__a___query', input: {}, facts: [] },
  ),
);

/** The same rules, with every one of them tried. */
function linear(rules: RuleSet): RuleSet {
  const copy = (list: readonly CompiledRule[]): readonly CompiledRule[] => {
    const all = [...list];
    setFinder(all, () => all);
    return all;
  };
  return { ...rules, allow: copy(rules.allow), ask: copy(rules.ask), deny: copy(rules.deny) };
}

const sourced = (list: readonly { readonly text: string; readonly behavior: RuleRef['behavior'] }[]): SourcedRule[] =>
  list.map(({ text, behavior }, at) => ({
    ref: { text, behavior, source: at % 2 === 0 ? 'projectSettings' : 'userSettings' },
    sourceFolder: at % 2 === 0 ? null : '/home/u/.claude',
  }));

function decisionOf(rules: RuleSet, one: Call, mode: PermissionMode) {
  const own = { behavior: 'passthrough' } as const;
  const facts = gatherFacts({ ...one, isMcp: one.toolName.startsWith('mcp__'), isReadOnly: false, own }, place, view);
  return decide({ facts, own, rules, mode });
}

describe('rules that are looked up', () => {
  it('decide what rules tried one by one decide', () => {
    let runs = 0;
    let byRule = 0;
    fc.assert(
      fc.property(
        ruleList,
        ruleList,
        call,
        fc.constantFrom<PermissionMode>('default', 'acceptEdits', 'plan', 'dontAsk'),
        (list, more, one, mode) => {
          const rules = extendRuleSet({
            rules: buildRuleSet(sourced(list), place, view),
            more: sourced(more),
            place,
            view,
          });
          const found = decisionOf(rules, one, mode);
          runs++;
          if (found.reason.type === 'rule') byRule++;
          expect(found).toEqual(decisionOf(linear(rules), one, mode));
        },
      ),
      { numRuns: 3_000, seed: 3, interruptAfterTimeLimit: 8_000, markInterruptAsFailure: false },
    );
    // The rules must be about the calls, or nothing is shown. A busy machine gets through fewer runs in its time.
    expect(byRule).toBeGreaterThan(runs / 20);
  });

  it('are few among many', () => {
    const many = Array.from({ length: 5_000 }, (_, at) => [
      `Bash(tool${at} sub:*)`,
      `Bash(npm run job${at})`,
      `Bash(git * --flag${at})`,
      `Bash(*danger${at}*)`,
      `Edit(/src/part${at}/**)`,
      `Read(*.secret${at})`,
      `WebFetch(domain:host${at}.example.org)`,
      `mcp__server${at}__*`,
    ]).flat();
    const { allow } = buildRuleSet(sourced(many.map((text) => ({ text, behavior: 'allow' }))), place, view);
    const wanted: readonly (readonly [subject: Subject, rule: string])[] = [
      [{ commands: ['tool17 sub x'] }, 'Bash(tool17 sub:*)'],
      [{ line: 'npm run job17' }, 'Bash(npm run job17)'],
      [{ commands: ['git log --flag4711'] }, 'Bash(git * --flag4711)'],
      [{ commands: ['some danger4711 here'] }, 'Bash(*danger4711*)'],
      [{ paths: ['/ws/src/part17/a.ts'] }, 'Edit(/src/part17/**)'],
      [{ paths: ['/ws/a.secret17'] }, 'Read(*.secret17)'],
      [{ hosts: ['host17.example.org'] }, 'WebFetch(domain:host17.example.org)'],
      [{ tools: ['mcp__server17__read'] }, 'mcp__server17__*'],
    ];
    const found = wanted.map(([subject, rule]) => {
      const texts = finderOf(allow)(subject).map((one) => one.ref.text);
      return { rule, isThere: texts.includes(rule), few: texts.length <= 6 };
    });
    expect(found).toEqual(wanted.map(([, rule]) => ({ rule, isThere: true, few: true })));
  });
});
