import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { Decision } from '#shared/permissions/decision';
import type { WhyTree } from '#shared/permissions/why';
import { decideCase, explainCase } from './caseWorld';
import { explainForPeople } from './explainText';
import { fillIn } from './reported';
import { reportedPlaceCases } from './reportedPlace.cases';
import { reportedRuleCases } from './reportedRule.cases';
import { reportedShellCases } from './reportedShell.cases';
import { reportedTextCases } from './reportedText.cases';
import { loadSecondParser } from './shell/treeSitter';
import type { WhyCase } from './whyCase';
import { whyFitsCases } from './whyFits.cases';
import { whyNearPlaceCases } from './whyNearPlace.cases';
import { whyNearShellCases } from './whyNearShell.cases';

beforeAll(loadSecondParser);

function treeOf(one: Omit<WhyCase, 'expected'>): { readonly decision: Decision; readonly why: WhyTree } {
  const { fits: _fits, near: _near, gates: _gates, doubts: _doubts, ...row } = one;
  const decision = explainCase(fillIn({ about: '', expected: 'ask', ...row }));
  if (decision.why === undefined) throw new Error('The decision has no tree.');
  return { decision, why: decision.why };
}

describe.each([
  ['rules that fit', whyFitsCases],
  ['rules on commands that nearly fit', whyNearShellCases],
  ['rules on places and names that nearly fit', whyNearPlaceCases],
])('%s', (_, cases) => {
  it.each(cases.map((one) => [JSON.stringify(one.call).slice(0, 90), one] as const))('%s', (_call, one) => {
    const { decision, why } = treeOf(one);
    const { expected, fits = [], near = [], gates = [], doubts = [] } = one;
    expect({
      expected: decision.behavior,
      fits: why.rules.map(({ standing, rule, parts, because }) => [
        standing,
        `${rule.behavior} ${rule.text}`,
        parts.join(' | '),
        because,
      ]),
      near: why.nearMisses.map(({ kind, rule, part, because, instead }) => [
        kind,
        rule.text,
        part,
        because,
        ...(instead === undefined ? [] : [instead]),
      ]),
      gates: why.gates.map((gate) => `${gate.decides ? 'decides' : 'stands'}: ${gate.detail}`),
      doubts: why.doubts,
    }).toEqual({ expected, fits, near, gates, doubts });
  });
});

describe.each([
  ...[reportedShellCases, reportedTextCases, reportedPlaceCases, reportedRuleCases].map((cases) => [cases] as const),
])('reported cases', (cases) => {
  it.each(cases.map((one) => [one.about, one] as const))('%s has a tree that agrees with its decision', (_, one) => {
    const question = fillIn(one);
    const { why, ...decision } = explainCase(question);
    expect(decision).toEqual(decideCase(question));
    const winners = (why?.rules ?? []).filter((rule) => rule.standing === 'wins').map((rule) => rule.rule);
    expect(winners).toEqual(decision.reason.type === 'rule' ? [decision.reason.rule] : []);
    // Nothing that a person cannot see.
    expect(explainForPeople({ ...decision, why }, question.tool)).not.toMatch(/[\p{Cf}\p{Zl}\p{Zp}]/u);
  });
});

describe('the whole tree', () => {
  it('holds commands, files, mode and opinions', () => {
    const { why } = treeOf({
      rules: { userSettings: { allow: ['Bash(cp:*)'] } },
      files: { 'link.txt': { symlink: '/srv/a' } },
      hook: { behavior: 'allow', detail: 'the gate agreed' },
      call: 'cp link.txt .npmrc',
    });
    expect(why).toEqual({
      tool: 'Bash',
      mode: 'default',
      modeNote: 'Default: Reads run; everything else asks unless a rule allows it.',
      commands: [
        { text: 'cp link.txt .npmrc', nested: false, readOnly: false, note: 'cp is not in the read-only set' },
      ],
      files: [
        {
          given: 'link.txt',
          real: '/srv/a',
          access: 'read',
          from: 'argument',
          inside: false,
          note: 'outside the working folders; reached through a link',
        },
        {
          given: '.npmrc',
          real: '/ws/.npmrc',
          access: 'write',
          from: 'argument',
          inside: true,
          note: 'protected: .npmrc',
        },
      ],
      hosts: [],
      rules: [
        {
          rule: { text: 'Bash(cp:*)', behavior: 'allow', source: 'userSettings' },
          standing: 'loses',
          parts: ['cp link.txt .npmrc'],
          because: 'No rule opens this gate, only a person.',
        },
      ],
      nearMisses: [],
      gates: [
        {
          check: 'protectedPath',
          detail: '.npmrc is protected (.npmrc): it decides what runs later.',
          decides: true,
        },
      ],
      doubts: [],
      opinions: ['A hook allows: the gate agreed'],
      leftOut: 0,
    });
  });

  it('names what waits for trust', () => {
    const allow = ['Bash(make:*)', 'Bash(node:*)'];
    const { why } = treeOf({ rules: { projectSettings: { allow } }, trusted: false, call: 'make all' });
    expect(why.nearMisses).toEqual([
      {
        rule: { text: 'Bash(make:*)', behavior: 'allow', source: 'projectSettings' },
        kind: 'untrusted',
        part: 'make all',
        because: 'It came with this folder and does not count until you trust the folder.',
      },
    ]);
  });

  it('stays bounded and says how much it leaves out', () => {
    const allow = Array.from({ length: 100 }, (_, index) => `Bash(make target${index} *)`);
    const deny = Array.from({ length: 50 }, (_, index) => `Bash(make${'*'.repeat(index + 1)})`);
    const command = Array.from({ length: 60 }, (_, index) => `make t${index}`).join(' && ');
    const { why } = treeOf({ rules: { userSettings: { allow, deny } }, call: command });
    expect([why.rules.length, why.commands.length, why.nearMisses.length]).toEqual([30, 40, 4]);
    expect(why.leftOut).toBe(20 + 20);
    expect(why.rules[0]?.parts).toHaveLength(8);
  });

  it('looks at no more than the nearest of very many rules, and still finds the one that is meant', () => {
    const allow = Array.from({ length: 10_000 }, (_, index) => `Bash(make target${index} *)`);
    const paths = Array.from({ length: 10_000 }, (_, index) => `Edit(src/f${index}.ts)`);
    const rules = { userSettings: { allow: [...allow, 'Bash(make build:*)', ...paths] } };
    const { why } = treeOf({ rules, call: 'make builder' });
    expect(why.nearMisses[0]).toMatchObject({ rule: { text: 'Bash(make build:*)' }, kind: 'wordBoundary' });
  });

  it('cuts very long parts', () => {
    const { why } = treeOf({ call: `make ${'x'.repeat(9_000)}` });
    expect(why.commands[0]?.text).toHaveLength(301);
    const dynamic = `echo "$(${'x'.repeat(8_000)})" "\${${'y'.repeat(900)}}"`;
    const { why: other } = treeOf({ rules: { userSettings: { allow: ['Bash(echo:*)'] } }, call: dynamic });
    expect(JSON.stringify(other).length).toBeLessThan(6_000);
  });
});

const word = fc.constantFrom(
  ...'make git push node rm -rf a.txt /srv/x ~ $X "a b" {a,b} *.txt $(make) `node` .env'.split(/ (?=\S)/),
);
const simple = fc.array(word, { minLength: 1, maxLength: 4 }).map((words) => words.join(' '));
const line = fc
  .array(
    fc.tuple(
      simple,
      fc.constantFrom('', ' > out', ' < a.txt', ' 2>&1', ' >> .git/x'),
      fc.constantFrom(' && ', '; ', ' | '),
    ),
    {
      minLength: 1,
      maxLength: 3,
    },
  )
  .map((parts) => `${parts.map((part) => [part[0], part[1], part[2]].join('')).join('')}true`);
const rule = fc.oneof(
  fc.constantFrom('Bash', 'Read', 'Edit(**)', 'Read(.env)', 'Edit(/out)', '*', 'Bash(make:*)', 'Bash(rm*)', 'Write(a)'),
  simple.map((text) => `Bash(${text})`),
  simple.map((text) => `Bash(${text}:*)`),
  fc.string().map((text) => `Bash(${text})`),
  fc.string(),
);
const rules = fc.record({
  allow: fc.array(rule, { maxLength: 4 }),
  ask: fc.array(rule, { maxLength: 2 }),
  deny: fc.array(rule, { maxLength: 2 }),
});
const mode = fc.constantFrom('default', 'acceptEdits', 'plan', 'bypassPermissions', 'dontAsk', 'auto');
const call = fc.oneof(
  line,
  fc.constantFrom('.env', 'a.txt', '/srv/x', '/ws/out').map((path) => ['Read', { file_path: path }] as const),
  fc.constantFrom('.env', 'a.txt', '/srv/x', '/ws/out').map((path) => ['Write', { file_path: path }] as const),
);

it('names the rule that decided as the winner, and no other', () => {
  fc.assert(
    fc.property(call, rules, rules, mode, (given, user, project, chosen) => {
      const { decision, why } = treeOf({
        rules: { userSettings: user, projectSettings: project },
        mode: chosen,
        call: given,
      });
      const winners = why.rules.filter((one) => one.standing === 'wins').map((one) => one.rule);
      expect(winners).toEqual(decision.reason.type === 'rule' ? [decision.reason.rule] : []);
      if (winners.length > 0) expect(why.rules[0]?.standing).toBe('wins');
    }),
    { numRuns: 1_000, interruptAfterTimeLimit: 8_000 },
  );
});

it('never calls a rule near that fits, and is valid data', () => {
  fc.assert(
    fc.property(call, rules, mode, (given, user, chosen) => {
      const { decision, why } = treeOf({ rules: { userSettings: user }, mode: chosen, call: given });
      const fitting = why.rules.map((one) => JSON.stringify(one.rule));
      for (const miss of why.nearMisses) expect(fitting).not.toContain(JSON.stringify(miss.rule));
      expect(Decision.parse(JSON.parse(JSON.stringify(decision)))).toEqual(decision);
      const deciding = why.gates.filter((gate) => gate.decides);
      expect(deciding).toHaveLength(
        decision.reason.type === 'safety' && decision.behavior !== 'allow' ? deciding.length : 0,
      );
    }),
    { numRuns: 500, interruptAfterTimeLimit: 8_000 },
  );
});
