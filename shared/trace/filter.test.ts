import { expect, it } from 'vitest';
import { closedFields, fitsFilter, parseFilter } from './filter';
import { suggestFilter } from './suggestFilter';
import type { TraceRow } from './traceRow';

const row: TraceRow = {
  callId: 'c1',
  number: 1,
  name: 'mcp__tides__lookup',
  title: 'Look up tides',
  icon: 'plug',
  what: 'git push origin "tides" src/a.ts:12',
  messageId: 'm1',
  agent: { agentId: 'a1', name: 'check the stations', byCall: 'c0' },
  createdAt: 1_000,
  endedAt: 4_000,
  status: 'denied',
  verdict: 'ask',
  cause: 'person',
  because: 'you',
  steps: [],
  prompts: [{ askedAt: 1_100, answeredAt: 3_600, by: 'person' }],
  waitedMs: 2_500,
  hooks: { runs: 2, failed: 1, changed: 0 },
  keptBytes: null,
};
const plain: TraceRow = {
  ...row,
  name: 'Bash',
  title: 'Bash',
  what: 'npm test',
  agent: null,
  status: 'running',
  endedAt: null,
  verdict: 'allow',
  cause: 'rule',
  because: 'Bash(npm test *) · project settings, line 3',
  prompts: [],
  waitedMs: 0,
  hooks: { runs: 0, failed: 0, changed: 0 },
  keptBytes: 5,
};
const now = 5_000;

/** What a filter reads as, and whether it lets the call of the sub-agent and the plain one through. */
const cases: readonly (readonly [text: string, agentCall: boolean, plainCall: boolean])[] = [
  ['', true, true],
  ['tool:Bash', false, true],
  ['tool:bash', false, true],
  ['tool:mcp__*', true, false],
  ['tool:*__tides__*', true, false],
  ['tool:m*s__*p', true, false],
  ['tool:Bas', false, false],
  ['tool:"Look up tides"', true, false],
  ['tool:Read,Bash', false, true],
  ['verdict:ask', true, false],
  ['verdict:allow,ask', true, true],
  ['VERDICT:Ask', true, false],
  ['>2s', true, true],
  ['>3.5s', false, true],
  ['<100ms', false, false],
  ['<1m', true, true],
  ['ran:<1s', true, false],
  ['waited:>2s', true, false],
  ['hook:fail', true, false],
  ['hook:changed', false, false],
  ['hook:none', false, true],
  ['hook:any', true, false],
  ['is:subagent', true, false],
  ['is:denied', true, false],
  ['is:asked', true, false],
  ['is:running', false, true],
  ['is:kept', false, true],
  ['is:waiting', false, false],
  ['status:running', false, true],
  ['cause:rule', false, true],
  ['cause:person,noRule', true, false],
  ['agent:stations', true, false],
  ['push', true, false],
  ['"git push"', true, false],
  ['"push \\"x"', false, false],
  ['\\"tides\\"', false, false],
  ['"\\"tides\\""', true, false],
  ['src/a.ts:12', true, false],
  ['https://x', false, false],
  ['line', false, true],
  ['-tool:Bash', true, false],
  ['-push', false, true],
  ['-"npm test" -is:kept', true, false],
  ['  tool:Bash   npm ', false, true],
  ['tool:Bash verdict:ask', false, false],
];

it.each(cases)('%j', (text, agentCall, plainCall) => {
  const terms = parseFilter(text);
  if (!terms.ok) throw new Error(terms.error.message);
  expect([fitsFilter(terms.value, row, now), fitsFilter(terms.value, plain, now)]).toEqual([agentCall, plainCall]);
});

it('knows where each term stands', () => {
  expect(parseFilter('tool:Bash,"a b"  -ran:>1.5s "x y"')).toEqual({
    ok: true,
    value: [
      { from: 0, to: 15, not: false, kind: 'field', field: 'tool', values: ['Bash', 'a b'] },
      { from: 17, to: 27, not: true, kind: 'length', of: 'ran', than: 'longer', ms: 1_500 },
      { from: 28, to: 33, not: false, kind: 'text', text: 'x y' },
    ],
  });
});

const problems: readonly (readonly [text: string, from: number, to: number, message: string])[] = [
  ['npm "git pu', 4, 11, 'The quote has no end.'],
  ['tool:"x', 5, 7, 'The quote has no end.'],
  ['a ""', 2, 4, 'There is nothing between the quotes.'],
  ['npm -', 4, 5, 'Say behind “-” what you do not want.'],
  [
    'npm colour:red',
    4,
    11,
    'There is no “colour:”. Known: tool, verdict, is, hook, status, cause, agent, ran, waited. Put quotes around text with a colon.',
  ],
  ['verdict:', 0, 8, 'Say which: verdict:allow, verdict:ask, verdict:deny.'],
  ['tool:Bash,', 0, 10, 'Say which: tool:Bash, or tool:mcp__* for several.'],
  ['x verdict:maybe', 2, 15, '“verdict:maybe” means nothing. Known: allow, ask, deny.'],
  ['>2', 0, 2, 'A length of time is written as >2s or <100ms.'],
  ['>', 0, 1, 'A length of time is written as >2s or <100ms.'],
  ['>2constructor', 0, 13, 'A length of time is written as >2s or <100ms.'],
  ['waited:5s', 0, 9, 'A length of time is written as waited:>2s or waited:<100ms.'],
  [
    'constructor:x',
    0,
    12,
    'There is no “constructor:”. Known: tool, verdict, is, hook, status, cause, agent, ran, waited. Put quotes around text with a colon.',
  ],
];

it.each(problems)('says what is wrong with %j', (text, from, to, message) => {
  expect(parseFilter(text)).toEqual({ ok: false, error: { from, to, message } });
});

it('reads long hostile texts in time', () => {
  for (const piece of ['"a" ', 'tool:*a', 'a,', '-', 'a '])
    expect(parseFilter(piece.repeat(2_000).slice(0, 4_000)).ok).toBeTypeOf('boolean');
  const stars = parseFilter(`tool:${'*a'.repeat(2_000)}`);
  expect(stars.ok && fitsFilter(stars.value, { ...row, name: 'a'.repeat(1_000) }, now)).toBe(false);
});

const known = { tools: ['Bash', 'Read', 'Look up tides'], agents: ['explore'] };
const inserted = (text: string, caret = text.length) =>
  suggestFilter(text, caret, known).options.map(({ insert }) => insert);

it('suggests names, then values, for the word at the caret', () => {
  expect(inserted('')).toEqual([
    'tool:',
    'verdict:',
    'is:',
    'hook:',
    'status:',
    'cause:',
    'agent:',
    'ran:',
    'waited:',
    '>1s',
    '<100ms',
  ]);
  expect(inserted('tool:Bash ve')).toEqual(['verdict:']);
  expect(suggestFilter('tool:Bash ve x', 12, known)).toMatchObject({ from: 10, to: 12 });
  expect(inserted('tool:')).toEqual(['tool:Bash', 'tool:Read', 'tool:"Look up tides"']);
  expect(inserted('tool:Bash,R')).toEqual(['tool:Bash,Read']);
  expect(inserted('-is:sub')).toEqual(['-is:subagent']);
  expect(inserted('>')).toEqual(['>100ms', '>1s', '>10s', '>1m']);
  expect(inserted('nothing:')).toEqual([]);
  expect(inserted('verdict:ask')).toEqual([]);
});

it('can read everything that it suggests', () => {
  const words = Object.entries(closedFields).flatMap(([field, values]) => values.map((value) => `${field}:${value}`));
  for (const word of [...words, ...inserted('tool:'), ...inserted('ran:'), ...inserted('<')])
    expect(parseFilter(word)).toMatchObject({ ok: true });
});
