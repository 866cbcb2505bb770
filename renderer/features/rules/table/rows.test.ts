import { describe, expect, test } from 'vitest';
import type { DraftedRule } from '#shared/api/rules';
import type { RuleDraft } from '#shared/permissions/ruleEdits';
import type { RuleGrouping, RuleOrder } from '../../../stores/rulesPage';
import { drafted, finding, previewOf, ref } from '../testing/samples';
import { filterRows, linesOf, type RowFilter, type RowSources, rowsOf, sortRows } from './rows';

const all: RowFilter = { sources: [], verdicts: [], search: '' };

function rows(rules: readonly DraftedRule[], more: Partial<RowSources> = {}) {
  return rowsOf({
    preview: previewOf(rules),
    draft: [],
    findings: [],
    usage: [],
    notes: {},
    expiring: [],
    managedOnly: false,
    ...more,
  });
}

const said = (found: ReturnType<typeof rows>) =>
  found.map(({ state, rule }) => `${state === 'same' ? '' : `${state} `}${rule.behavior} ${rule.text}`);

test('stand by source, denials first, then by line; equal rules have rows of their own', () => {
  const found = rows([
    drafted(ref('allow', 'Bash(b)', 'userSettings', 5)),
    drafted(ref('allow', 'Bash(a)', 'userSettings', 4)),
    drafted(ref('allow', 'Bash(a)', 'userSettings', 9)),
    drafted(ref('deny', 'Bash(c)', 'userSettings', 12)),
    drafted(ref('ask', 'Bash(d)', 'policySettings', 2)),
  ]);
  expect(said(found)).toEqual(['ask Bash(d)', 'deny Bash(c)', 'allow Bash(a)', 'allow Bash(b)', 'allow Bash(a)']);
  expect(new Set(found.map(({ key }) => key)).size).toBe(5);
});

test('know what is known of a rule, the worst remark first', () => {
  const git = ref('allow', 'Bash(git *)', 'userSettings', 7);
  const hint = finding(git, { kind: 'neverUsed', severity: 'hint' });
  const warning = finding(git);
  const [row, session] = rows([drafted(git), drafted(ref('allow', 'Edit', 'session'))], {
    findings: [hint, warning, finding(ref('allow', 'Bash(git *)', 'userSettings', 8))],
    usage: [{ rule: git, matched: 17, lastUsed: 1_000 }],
    notes: { 'Bash(git *)': 'for releases' },
    expiring: [{ text: 'Edit', until: 5_000 }],
  });
  expect(row).toEqual({
    key: 'userSettings\nallow\nBash(git *)\n0',
    rule: git,
    tool: 'Bash',
    state: 'same',
    held: '',
    locked: '',
    matched: 17,
    lastUsed: 1_000,
    findings: [warning, hint],
    note: 'for releases',
    until: undefined,
  });
  expect(session).toMatchObject({ matched: 0, lastUsed: null, until: 5_000, note: '' });
});

describe('what a draft takes out', () => {
  const a = ref('allow', 'Bash(a)', 'userSettings', 4);
  const b = ref('allow', 'Bash(b)', 'userSettings', 5);
  const c = ref('allow', 'Bash(c)', 'userSettings', 6);
  const cases: readonly {
    readonly name: string;
    readonly draft: RuleDraft;
    readonly left: readonly DraftedRule[];
    readonly shown: readonly string[];
  }[] = [
    {
      name: 'stays where it stood',
      draft: [{ type: 'remove', rule: b }],
      left: [drafted(a), drafted({ ...c, line: 5 })],
      shown: ['allow Bash(a)', 'removed allow Bash(b)', 'allow Bash(c)'],
    },
    {
      name: 'stays where it stood, with several gone before it',
      draft: [
        { type: 'remove', rule: b },
        { type: 'remove', rule: a },
      ],
      left: [drafted({ ...c, line: 4 })],
      shown: ['removed allow Bash(a)', 'removed allow Bash(b)', 'allow Bash(c)'],
    },
    {
      name: 'stays though nothing else is left',
      draft: [{ type: 'remove', rule: a }],
      left: [],
      shown: ['removed allow Bash(a)'],
    },
    {
      name: 'is no loss when the draft had put it there',
      draft: [
        { type: 'add', source: 'userSettings', behavior: 'allow', text: 'Bash(n)' },
        { type: 'remove', rule: ref('allow', 'Bash(n)', 'userSettings') },
        { type: 'copy', rule: a, to: 'localSettings' },
        { type: 'remove', rule: ref('allow', 'Bash(a)', 'localSettings') },
      ],
      left: [drafted(a)],
      shown: ['allow Bash(a)'],
    },
    {
      name: 'is what stood there before it was changed and moved',
      draft: [
        { type: 'change', rule: a, behavior: 'ask', text: 'Bash(z)' },
        { type: 'move', rule: ref('ask', 'Bash(z)', 'userSettings'), to: 'localSettings' },
        { type: 'remove', rule: ref('ask', 'Bash(z)', 'localSettings') },
      ],
      left: [],
      shown: ['removed allow Bash(a)'],
    },
  ];
  test.each(cases)('$name', ({ draft, left, shown }) => {
    expect(said(rows(left, { draft }))).toEqual(shown);
  });
});

test.each([
  ['policySettings', false, 'Managed by the administrator. Copy it to a file of yours to change it there.'],
  ['cliArg', false, 'Given on the command line at launch. Copy it to keep it.'],
  ['userSettings', true, 'The administrator lets only the rules of the policy count.'],
  ['session', false, ''],
] as const)('%s, managed only %s: %s', (source, managedOnly, locked) => {
  expect(rows([drafted(ref('allow', 'Edit', source))], { managedOnly })[0]?.locked).toBe(locked);
});

const mixed = rows(
  [
    drafted(ref('allow', 'Bash(git *)', 'userSettings', 4)),
    drafted(ref('deny', 'Read(.env)', 'userSettings', 9), { held: 'It waits.' }),
    drafted(ref('allow', 'Edit(/src/**)', 'projectSettings', 3)),
  ],
  {
    findings: [finding(ref('allow', 'Bash(git *)', 'userSettings', 4), { severity: 'error' })],
    usage: [
      { rule: ref('allow', 'Bash(git *)', 'userSettings'), matched: 5, lastUsed: 100 },
      { rule: ref('allow', 'Edit(/src/**)', 'projectSettings'), matched: 9, lastUsed: 50 },
    ],
    notes: { 'Edit(/src/**)': 'asked by Ada' },
  },
);

test.each([
  [{ search: 'GIT' }, ['allow Bash(git *)']],
  [{ search: 'overbroad' }, ['allow Bash(git *)']],
  [{ search: 'ada project' }, ['allow Edit(/src/**)']],
  [{ search: 'waits' }, ['deny Read(.env)']],
  [{ search: 'nothing' }, []],
  [{ verdicts: ['deny'] }, ['deny Read(.env)']],
  [{ sources: ['projectSettings'], verdicts: ['allow'] }, ['allow Edit(/src/**)']],
] as const)('filtered by %j', (filter, shown) => {
  expect(said(filterRows(mixed, { ...all, ...filter }))).toEqual(shown);
});

test.each<[RuleOrder, boolean, readonly string[]]>([
  ['place', true, ['Edit(/src/**)', 'Read(.env)', 'Bash(git *)']],
  ['rule', false, ['Bash(git *)', 'Edit(/src/**)', 'Read(.env)']],
  ['matched', true, ['Edit(/src/**)', 'Bash(git *)', 'Read(.env)']],
  ['lastUsed', true, ['Bash(git *)', 'Edit(/src/**)', 'Read(.env)']],
  ['check', true, ['Bash(git *)', 'Read(.env)', 'Edit(/src/**)']],
])('sorted by %s, descending %s', (order, descending, shown) => {
  expect(sortRows(mixed, { order, descending }).map(({ rule }) => rule.text)).toEqual(shown);
});

test.each<[RuleGrouping, Partial<RowFilter>, readonly string[]]>([
  [
    'source',
    {},
    [
      'projectSettings 1',
      'Edit(/src/**)',
      'localSettings 0',
      'userSettings 2',
      'Read(.env)',
      'Bash(git *)',
      'session 0',
    ],
  ],
  ['source', { search: 'e' }, ['projectSettings 1', 'Edit(/src/**)', 'userSettings 2', 'Read(.env)', 'Bash(git *)']],
  ['tool', {}, ['Bash 1', 'Bash(git *)', 'Edit 1', 'Edit(/src/**)', 'Read 1', 'Read(.env)']],
  ['verdict', {}, ['deny 1', 'Read(.env)', 'allow 2', 'Edit(/src/**)', 'Bash(git *)']],
  ['none', {}, ['Edit(/src/**)', 'Read(.env)', 'Bash(git *)']],
])('grouped by %s with %j', (grouping, filter, shown) => {
  const lines = linesOf(mixed, grouping, { ...all, ...filter });
  expect(
    lines.map((line) => (line.kind === 'group' ? `${line.group.name} ${line.group.count}` : line.row.rule.text)),
  ).toEqual(shown);
});
