import { describe, expect, it } from 'vitest';
import type { Decision, PartVerdict } from '#shared/permissions/decision';
import type { WhyTree } from '#shared/permissions/why';
import { explainForModel, explainForPeople } from './explainText';

const deny = { text: 'Bash(rm:*)', behavior: 'deny', source: 'projectSettings', file: '/p/s.json', line: 12 } as const;
const allow = { text: 'Bash(make:*)', behavior: 'allow', source: 'userSettings' } as const;

const tree: WhyTree = {
  tool: 'Bash',
  mode: 'default',
  modeNote: 'Default: Reads run.',
  commands: [],
  files: [],
  hosts: [],
  rules: [],
  nearMisses: [],
  gates: [],
  doubts: [],
  opinions: [],
  leftOut: 0,
};

const denied: Decision = {
  behavior: 'deny',
  reason: { type: 'rule', rule: deny },
  parts: [
    { text: 'make', kind: 'command', behavior: 'allow', reason: { type: 'rule', rule: allow } },
    { text: 'rm -rf x', kind: 'command', behavior: 'deny', reason: { type: 'rule', rule: deny } },
  ],
};

function open(detail: string, parts: Decision['parts'] = []): Decision {
  return { behavior: 'ask', reason: { type: 'noRule', detail }, parts };
}

describe('explainForPeople', () => {
  it('draws the whole tree', () => {
    const why: WhyTree = {
      ...tree,
      commands: [
        { text: 'make', nested: false, readOnly: false, note: 'make is not in the read-only set' },
        { text: 'rm -rf x', nested: true, readOnly: false, note: '' },
      ],
      files: [
        { given: 'x', real: '/p/x', access: 'write', from: 'argument', inside: true, note: '' },
        { given: '$Y', real: null, access: 'read', from: 'argument', inside: false, note: 'not known' },
      ],
      hosts: ['example.org'],
      rules: [{ rule: deny, standing: 'wins', parts: ['rm -rf x'], because: 'Deny beats ask and allow.' }],
      nearMisses: [
        { rule: allow, kind: 'moreWords', part: 'make all', because: 'More words.', instead: 'Bash(make all)' },
      ],
      gates: [{ check: 'criticalRemoval', detail: 'This removes /p.', decides: false }],
      doubts: ['the two shell parsers find different commands in it'],
      opinions: ['A hook allows: fine'],
      leftOut: 3,
    };
    expect(explainForPeople({ ...denied, why }, 'Bash')).toBe(`DENY: Bash may not do this
├─ by the rule Bash(rm:*) · project, /p/s.json:12
├─ 2 parts, each with its own verdict
│  ├─ allow: run make
│  │  └─ by the rule Bash(make:*) · user (~/.claude/settings.json)
│  └─ deny: run rm -rf x
│     └─ by the rule Bash(rm:*) · project, /p/s.json:12
├─ checks above all allow rules
│  └─ This removes /p.
├─ why no rule may allow the line as a whole
│  └─ the two shell parsers find different commands in it
├─ rules that fit
│  └─ decides: deny Bash(rm:*) · project, /p/s.json:12
│     ├─ fits rm -rf x
│     └─ Deny beats ask and allow.
├─ rules that nearly fit
│  └─ allow Bash(make:*) · user (~/.claude/settings.json)
│     ├─ make all: More words.
│     └─ the form that fits: Bash(make all)
├─ commands found
│  ├─ make (make is not in the read-only set)
│  └─ rm -rf x · run by another command
├─ files touched
│  ├─ write x → /p/x
│  └─ read $Y (not known)
├─ hosts reached
│  └─ example.org
├─ said by others
│  └─ A hook allows: fine
├─ mode Default: Reads run.
└─ 3 more entries are not shown`);
  });

  it('cannot be painted over by what a command holds', () => {
    const text = 'echo a\u001b[2K\u200b\nrm x';
    const one = open('No rule.', [
      { text, kind: 'command', behavior: 'ask', reason: { type: 'noRule', detail: 'No.' } },
    ]);
    expect(explainForPeople(one, 'Bash\u202e')).toBe(`ASK: a person must agree before Bash\\u{202e} does this
├─ No rule.
└─ the call
   └─ ask: run echo a\\u{1b}[2K\\u{200b}
      │  rm x
      └─ No.`);
  });
});

describe('explainForModel', () => {
  const part = (text: string, behavior: 'allow' | 'ask', kind: PartVerdict['kind'] = 'command'): PartVerdict => ({
    text,
    kind,
    behavior,
    reason: behavior === 'allow' ? { type: 'rule', rule: allow } : { type: 'noRule', detail: 'No rule allows it.' },
  });
  const redirect = { given: 'o', real: '/p/o', access: 'write', from: 'redirect', inside: true, note: '' } as const;

  it.each<[string, Decision, string]>([
    ['an allowed call', { ...denied, behavior: 'allow' }, ''],
    [
      'a deny rule on one part',
      denied,
      'Denied by the rule Bash(rm:*) · project, line 12, for its part `rm -rf x`. This is about this call, not about ' +
        'Bash as a whole. Do not try the same with other words; reach the goal another way, or ask the person.',
    ],
    [
      'a deny rule on the tool',
      { behavior: 'deny', reason: { type: 'rule', rule: { ...deny, text: 'Bash' } }, parts: [] },
      'Denied by the rule Bash · project, line 12. The rule is about Bash as a whole: use another tool. ' +
        'Do not try the same with other words; reach the goal another way, or ask the person.',
    ],
    [
      'a substitution',
      open('No rule with a star covers this: it stands in a substitution.', [part('echo $(x)', 'ask')]),
      'A person must allow this: No rule with a star covers this: it stands in a substitution. This is about this call, ' +
        'not about Bash as a whole. Write it without $(…), backticks and variables: run the inner command on its own ' +
        'first, then put its output in as plain text.',
    ],
    [
      'a redirect',
      {
        ...open('No rule allows writing o.', [part('make', 'allow'), part('o', 'ask', 'write')]),
        why: { ...tree, files: [redirect] },
      },
      'A person must allow this: No rule allows writing o. This is about this call, not about Bash as a whole. Only the ' +
        'redirect is in the way: run the command without it, and write files with the Write tool.',
    ],
    [
      'parts of which some are allowed',
      open('No rule allows it.', [part('make', 'allow'), part('curl x', 'ask')]),
      'A person must allow this: No rule allows it. This is about this call, not about Bash as a whole. ' +
        'Allowed on their own: `make`.',
    ],
    [
      'plan mode',
      { behavior: 'deny', reason: { type: 'mode', mode: 'plan' }, parts: [] },
      'Denied: the session is in plan mode. This is about this call, not about Bash as a whole. Finish the plan first: ' +
        'changes are possible once the person has left plan mode.',
    ],
    [
      'a critical removal',
      { behavior: 'ask', reason: { type: 'safety', check: 'criticalRemoval', detail: 'This removes /.' }, parts: [] },
      'A person must allow this: This removes /. This is about this call, not about Bash as a whole. ' +
        'Name the exact files to remove.',
    ],
    [
      'two parsers that disagree',
      open('No rule can allow this line: the two shell parsers find different commands in it.', [part('x', 'ask')]),
      'A person must allow this: No rule can allow this line: the two shell parsers find different commands in it. This ' +
        'is about this call, not about Bash as a whole. Write it in simpler shell, one command for each call.',
    ],
    [
      'a tool that no rule names',
      open('No rule allows mcp__a__b.'),
      'A person must allow this: No rule allows mcp__a__b.',
    ],
  ])('%s', (_, decision, expected) => {
    expect(explainForModel(decision, 'Bash')).toBe(expected);
  });
});
