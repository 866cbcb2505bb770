// Commands, inputs of tools and rules as a model and a repository may write them, into the decision about a call.
import fc from 'fast-check';
import type { PermissionMode } from '#shared/permissions/modes';
import { formatRule, parseRule } from '#shared/permissions/rule';
import { fuzzTarget, must, type OpenTargets } from '#shared/testing/fuzzTarget';
import { damagedJson, damagedText, hostileText } from '#shared/testing/hostile';
import { type CaseRules, decideCase, explainCase, type PermissionCase } from '../caseWorld';
import { loadSecondParser } from '../shell/treeSitter';

const strictness = { allow: 0, ask: 1, deny: 2 };
const modes: readonly PermissionMode[] = ['default', 'acceptEdits', 'plan', 'dontAsk', 'auto', 'bypassPermissions'];

const pieces = [
  ...['make', 'git', 'push', 'node', 'rm', '-rf', 'a.txt', '/srv/x', '~', '$HOME', '"$X"', '"a b"', "'c'", 'a\\ b'],
  ...[
    '{a,b}',
    '*.txt',
    '$(make)',
    '`node`',
    '<(make)',
    '.env',
    '.git/config',
    'sudo',
    'env',
    'xargs',
    'bash -c',
    'eval',
  ],
  ...[
    '&&',
    '||',
    ';',
    '|',
    '&',
    '\n',
    '>',
    '>>',
    '<',
    '2>&1',
    '<<EOF\n',
    '\nEOF\n',
    '(',
    ')',
    '{',
    '}',
    'if',
    'then',
    'fi',
  ],
  ...[
    'for',
    'in',
    'do',
    'done',
    'case',
    'esac',
    'function',
    '[[',
    ']]',
    '$((',
    '))',
    '${X:-',
    '}',
    '#',
    '\\\n',
    '!',
    '=',
  ],
];
const command = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 12 }).map((all) => all.join(' ')),
  },
  { weight: 2, arbitrary: fc.array(fc.constantFrom(...pieces), { maxLength: 30 }).map((all) => all.join('')) },
  { weight: 1, arbitrary: hostileText },
  {
    weight: 1,
    arbitrary: fc
      .tuple(
        fc.constantFrom(...pieces, '$(', '`', '"$(', '((', '{ ', "bash -c '", 'if ', '\\'),
        fc.constantFrom(20, 200, 3_000),
      )
      .map(([piece, times]) => `${piece} `.repeat(times)),
  },
);

const content = fc.oneof(
  fc.constantFrom(
    '*',
    'make:*',
    'node *',
    'rm*',
    'git push *',
    '.env',
    '/out',
    '**',
    '//srv/**',
    '~/**',
    '!a.txt',
    '*a*a*a*',
  ),
  fc.constantFrom('*', '**/', '[a-', '{', '\\', 'a*').map((piece) => piece.repeat(40)),
  fc
    .array(fc.constantFrom('a', '*', '**', '/', '?', '[', ']', '!', '{', '}', ',', ':', ' '), { maxLength: 40 })
    .map((all) => all.join('')),
  command,
);
const tools = [
  'Bash',
  'Read',
  'Edit',
  'Write',
  'WebFetch',
  'mcp__db',
  'mcp__db__read',
  'mcp__*',
  '*',
  'Agent',
  'Skill',
];
const rule = fc.oneof(
  fc.constantFrom(...tools),
  fc.tuple(fc.constantFrom(...tools), content).map(([tool, text]) => `${tool}(${text})`),
  fc
    .tuple(fc.constantFrom('mcp__', 'mcp__db__', 'Web'), content)
    .map(([head, text]) => head + text.replaceAll(/[\s()]/g, '*')),
  fc
    .tuple(fc.constantFrom('Bash(command:', 'WebFetch(domain:', 'Agent(prompt:'), content)
    .map(([head, text]) => `${head}${text})`),
  hostileText,
);
const rules: fc.Arbitrary<CaseRules> = fc.record({
  allow: fc.array(rule, { maxLength: 3 }),
  ask: fc.array(rule, { maxLength: 2 }),
  deny: fc.array(rule, { maxLength: 3 }),
});

function world(
  tool: string,
  input: Readonly<Record<string, unknown>>,
  given: CaseRules,
  mode: PermissionMode,
): PermissionCase {
  return {
    rules: { userSettings: given },
    mode,
    workspace: '/ws',
    home: '/home/u',
    tool,
    input,
    files: { 'a.txt': '', link: { symlink: '/srv/x' }, loop: { symlink: 'loop' } },
    trusted: true,
    platform: 'linux',
    ignoreCase: false,
    privateFiles: ['/home/u/.gatehouse/key'],
  };
}

const path = fc.oneof(
  fc.constantFrom(
    '/ws/a.txt',
    '/ws/link',
    '/ws/loop/x',
    '/srv/x',
    '/ws/.git/config',
    '/home/u/.env',
    '/ws/../ws/.env',
    '',
  ),
  fc.constantFrom('/', '../', 'a/', './').map((piece) => piece.repeat(2_000)),
  hostileText,
);
const call = fc.oneof(
  { weight: 4, arbitrary: command.map((text) => ({ tool: 'Bash', input: { command: text } })) },
  fc
    .tuple(fc.constantFrom('Read', 'Edit', 'Write', 'MultiEdit', 'NotebookEdit', 'Grep', 'Glob', 'LSP'), path, path)
    .map(([tool, file, pattern]) => ({ tool, input: { file_path: file, path: file, pattern, notebook_path: file } })),
  fc.oneof(fc.webUrl(), hostileText).map((url) => ({ tool: 'WebFetch', input: { url } })),
  fc
    .tuple(
      fc.oneof(
        fc.constantFrom('mcp__db__read', `mcp__${'a'.repeat(200)}`, 'Agent', 'Skill', 'REPL', 'PowerShell'),
        hostileText,
      ),
      hostileText,
    )
    .map(([tool, text]) => ({ tool, input: { command: text, prompt: text, skill: text, code: text } })),
);
const isFields = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const decisions = fuzzTarget(fc, {
  name: 'decisions',
  inputs: fc
    .record({ call, given: rules, mode: fc.constantFrom(...modes), explained: fc.boolean() })
    .chain((one) =>
      damagedJson(one.call.input).map((input) => ({ ...one, input: isFields(input) ? input : one.call.input })),
    ),
  corpus: [
    '$('.repeat(3_000),
    '"$('.repeat(2_000),
    'eval '.repeat(2_000),
    '{ '.repeat(4_000),
    'A=1 '.repeat(2_000),
  ].map((text) => ({
    call: { tool: 'Bash', input: { command: text } },
    input: { command: text },
    given: { allow: ['Bash(make:*)'], deny: ['Bash(node:*)'], ask: [] },
    mode: 'default' as const,
    explained: true,
  })),
  check({ call: { tool }, input, given, mode, explained }) {
    const one = world(tool, input, given, mode);
    const decision = decideCase(one);
    if (explained)
      must(explainCase(one).behavior === decision.behavior, 'the explanation decides otherwise', decision.behavior);
  },
});

/** What people do not see, though the shell takes it for a letter. */
const unseen = [
  '\u200b',
  '\u200d',
  '\u2060',
  '\ufeff',
  '\u202e',
  '\u2066',
  '\u00ad',
  '\u00a0',
  '\u3000',
  '\0',
  '\u0085',
  '\u2028',
];
const named: CaseRules = { deny: ['Bash(node:*)', 'Read(.env)'], ask: ['Bash(git push:*)'] };
const broad: CaseRules = { ...named, allow: ['Bash(make:*)', 'Bash(git:*)', 'Bash(rm a.txt)', 'Edit(/out)'] };

const disguised = fuzzTarget(fc, {
  name: 'unseen characters',
  inputs: fc.record({
    // Without files to read or write: by another name they are other files.
    words: fc.array(fc.constantFrom(...pieces.filter((piece) => !/[<>]/.test(piece))), { minLength: 1, maxLength: 12 }),
    at: fc.array(fc.tuple(fc.nat(11), fc.boolean(), fc.constantFrom(...unseen)), { minLength: 1, maxLength: 3 }),
    mode: fc.constantFrom<PermissionMode>('default', 'plan'),
  }),
  corpus: [],
  check({ words, at, mode }) {
    const text = words.join(' ');
    const clean = decideCase(world('Bash', { command: text }, broad, mode));
    // What no shell would run is only asked about because it cannot be read.
    if (clean.behavior === 'allow' || JSON.stringify(clean.reason).includes('not complete shell')) return;
    const changed = [...words];
    // Before a word or behind it: within one it may take the meaning from a variable.
    for (const [place, before, piece] of at) {
      const index = place % words.length;
      changed[index] = before ? piece + (changed[index] ?? '') : (changed[index] ?? '') + piece;
    }
    const other = changed.join(' ');
    const after = decideCase(world('Bash', { command: other }, broad, mode)).behavior;
    must(after !== 'allow', 'unseen characters made the decision more permissive', {
      text,
      other,
      clean: clean.reason,
    });
  },
});

/** Of each: it runs the command in it, whatever stands around it. */
const around: readonly (readonly [string, string])[] = [
  ['', ''],
  ['true; ', ''],
  ['', ' && true'],
  ['true | ', ''],
  ['', ' | cat'],
  ['(', '\n)'],
  ['{ ', '\n}'],
  ['if true; then ', '\nfi'],
  ['while true; do ', '\nbreak; done'],
  ['echo $(', '\n)'],
  ['echo <(', '\n)'],
  ['time ', ''],
  ['env A=1 ', ''],
  ['nohup ', ' &'],
  ['timeout 5 ', ''],
  ['xargs ', ''],
  ['sudo -u root ', ''],
];
const denied = fuzzTarget(fc, {
  name: 'denied whatever stands around it',
  inputs: fc.record({
    wraps: fc.array(fc.constantFrom(...around), { maxLength: 4 }),
    behind: fc.oneof(
      fc.constant(''),
      command.map((text) => `\n${text}`),
    ),
    mode: fc.constantFrom(...modes),
  }),
  corpus: [],
  check({ wraps, behind, mode }) {
    // Programs run programs; only the shell understands its own syntax.
    const isProgram = ([open]: readonly [string, string]) => /^(env|nohup|timeout|xargs|sudo)/.test(open);
    const programs = wraps.filter(isProgram);
    const syntax = wraps.filter((one) => !isProgram(one));
    const inner = [...programs, ...syntax].reduce((text, [open, close]) => open + text + close, 'node x');
    const given: CaseRules = { deny: ['Bash(node:*)'], allow: ['Bash'] };
    const plain = decideCase(world('Bash', { command: inner }, given, mode)).behavior;
    must(plain !== 'allow', 'a denied command is allowed', { inner, mode });
    const whole = decideCase(world('Bash', { command: `true\n${inner}${behind}` }, given, mode)).behavior;
    must(whole !== 'allow', 'text behind a denied command makes it allowed', { inner, behind, mode });
  },
});

const ruleTexts = fuzzTarget(fc, {
  name: 'rule texts',
  inputs: fc.oneof(rule, rule.chain(damagedText)),
  corpus: [],
  check(text) {
    const parsed = parseRule(text);
    if (!parsed.ok) return;
    must(formatRule(parsed.value) === text, 'a rule is written otherwise than it was read', text);
    for (const one of [
      { tool: 'Bash', input: { command: 'a'.repeat(3_000) } },
      { tool: `mcp__db__${'a'.repeat(55)}`, input: { command: 'a'.repeat(3_000), prompt: 'a'.repeat(3_000) } },
      { tool: 'Read', input: { file_path: `/ws/${'a/'.repeat(300)}` } },
      { tool: 'WebFetch', input: { url: `https://${'a.'.repeat(60)}example.org/` } },
      { tool: 'Agent', input: { prompt: 'a'.repeat(3_000), subagent_type: 'a'.repeat(100) } },
    ]) {
      const before = decideCase(world(one.tool, one.input, {}, 'default')).behavior;
      const after = decideCase(world(one.tool, one.input, { deny: [text] }, 'default')).behavior;
      must(strictness[after] >= strictness[before], 'a deny rule made a decision more permissive', {
        text,
        tool: one.tool,
      });
    }
  },
});

export async function open(): Promise<OpenTargets> {
  await loadSecondParser();
  return { targets: [decisions, disguised, denied, ruleTexts] };
}
