import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import { formatRule, parseRule } from '#shared/permissions/rule';
import { type CaseFile, type CaseRules, decideCase, memoryView, type PermissionCase } from './caseWorld';
import { decide } from './decide';
import { gatherFacts, type Place } from './facts';
import { buildRuleSet, type SourcedRule } from './ruleSet';
import { loadSecondParser } from './shell/treeSitter';

beforeAll(loadSecondParser);

/** A busy machine tries fewer texts rather than failing. */
const runs = (numRuns: number) => ({ numRuns, seed: 11, interruptAfterTimeLimit: 6_000 });

const strictness = { allow: 0, ask: 1, deny: 2 };

function world(command: string, rules: CaseRules, mode: PermissionCase['mode'] = 'default'): PermissionCase {
  return {
    rules: { userSettings: rules },
    mode,
    workspace: '/ws',
    home: '/home/u',
    tool: 'Bash',
    input: { command },
    files: { 'a.txt': '', link: { symlink: '/srv/x' } },
    trusted: true,
    platform: 'linux',
    ignoreCase: false,
    privateFiles: [],
  };
}

const word = fc.constantFrom(
  ...'make git push node rm -rf a.txt /srv/x ~ $HOME $X "a b" \'c\' a\\ b {a,b} *.txt $(make) `node` <(make) .env'.split(
    / (?=\S)/,
  ),
);
const simple = fc.array(word, { minLength: 1, maxLength: 4 }).map((words) => words.join(' '));
const redirected = fc
  .tuple(simple, fc.constantFrom('', ' > out', ' < a.txt', ' 2>&1', ' >> .git/x', ' > /dev/null'))
  .map((two) => two.join(''));
const line = fc
  .array(fc.tuple(redirected, fc.constantFrom(' && ', ' || ', '; ', ' | ', '\n', ' & ')), {
    minLength: 1,
    maxLength: 3,
  })
  .map((parts) =>
    parts.map(([command, operator], index) => (index === parts.length - 1 ? command : command + operator)).join(''),
  );
const rule = fc.oneof(
  fc.constantFrom(
    'Bash',
    'Bash(*)',
    'Read',
    'Edit(**)',
    'Read(.env)',
    'Edit(/out)',
    '*',
    'Bash(make:*)',
    'Bash(node *)',
    'Bash(rm*)',
  ),
  simple.map((text) => `Bash(${text})`),
  simple.map((text) => `Bash(${text}:*)`),
  fc.string().map((text) => `Bash(${text})`),
);
const rules = fc.record({
  allow: fc.array(rule, { maxLength: 3 }),
  ask: fc.array(rule, { maxLength: 2 }),
  deny: fc.array(rule, { maxLength: 2 }),
});
const mode = fc.constantFrom<PermissionCase['mode']>(
  'default',
  'acceptEdits',
  'plan',
  'bypassPermissions',
  'dontAsk',
  'auto',
);
const behavior = (command: string, given: CaseRules, in_: PermissionCase['mode'] = 'default') =>
  decideCase(world(command, given, in_)).behavior;

const place: Place = {
  folder: '/ws',
  cwd: '/ws',
  home: '/home/u',
  additional: [],
  privateFiles: ['/home/u/.gatehouse/key'],
  platform: 'linux',
  ignoreCase: false,
};
const disk = memoryView(
  new Map<string, CaseFile>([
    ['/ws/a.txt', ''],
    ['/ws/link', { symlink: '/srv/x' }],
  ]),
);

it('never throws, whatever the text', { timeout: 60_000 }, () => {
  const piece = fc.constantFrom(
    ...'; & | ( ) { } < > $ ` " \' \\ # ~ * ? [ ] = ! if then fi for do done case esac rm a $( << EOF @ : - + % é \u202e'.split(
      ' ',
    ),
    '\n',
    ' ',
    '\0',
  );
  const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 60 }),
    fc.array(piece, { maxLength: 20 }).map((parts) => parts.join('')),
    line,
  );
  const sets = fc.sample(rules, { numRuns: 40, seed: 1 }).map((given) =>
    buildRuleSet(
      (['allow', 'ask', 'deny'] as const).flatMap((behavior_) =>
        given[behavior_].map(
          (rule_): SourcedRule => ({
            ref: { text: rule_, behavior: behavior_, source: 'projectSettings' },
            sourceFolder: null,
          }),
        ),
      ),
      place,
      disk,
    ),
  );
  const own = { behavior: 'passthrough' } as const;
  fc.assert(
    fc.property(text, fc.constantFrom(...sets), mode, (command, set, chosen) => {
      const facts = gatherFacts(
        {
          toolName: 'Bash',
          isMcp: false,
          isReadOnly: false,
          input: { command },
          facts: [{ kind: 'command', command, cwd: '/ws' }],
          own,
        },
        place,
        disk,
      );
      decide({ facts, own, rules: set, mode: chosen });
    }),
    { numRuns: 100_000, seed: 11, interruptAfterTimeLimit: 10_000 },
  );
});

it('is never made looser by a deny rule', () => {
  fc.assert(
    fc.property(line, rules, rule, mode, (command, given, more, chosen) => {
      const before = behavior(command, given, chosen);
      const after = behavior(command, { ...given, deny: [...given.deny, more] }, chosen);
      expect(strictness[after]).toBeGreaterThanOrEqual(strictness[before]);
    }),
    runs(400),
  );
});

it('never lets an allow rule beat a deny or ask rule', () => {
  fc.assert(
    fc.property(line, rules, rule, (command, given, more) => {
      const before = decideCase(world(command, given));
      if (before.reason.type !== 'rule' || before.behavior === 'allow') return;
      expect(decideCase(world(command, { ...given, allow: [...given.allow, more] }))).toMatchObject({
        behavior: before.behavior,
      });
    }),
    runs(400),
  );
});

it('allows a line only when it allows each of its parts', () => {
  const star = fc.record({
    allow: fc.array(fc.constantFrom('Bash(make:*)', 'Bash(node *)', 'Edit(**)', 'Bash(git push:*)'), { maxLength: 4 }),
  });
  fc.assert(
    fc.property(
      redirected,
      redirected,
      fc.constantFrom(' && ', ' || ', '; ', ' | ', '\n'),
      star,
      (a, b, operator, given) => {
        if (behavior(`${a}${operator}${b}`, given) !== 'allow') return;
        expect([behavior(a, given), behavior(b, given)]).toEqual(['allow', 'allow']);
      },
    ),
    runs(400),
  );
});

const quote = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

/** Each runs the command, or may. */
const wrappings: readonly ((command: string) => string)[] = [
  (command) => `(${command}\n)`,
  (command) => `{ ${command}\n}`,
  (command) => `if true; then ${command}\nfi`,
  (command) => `if ${command}\nthen true; fi`,
  (command) => `if false; then true; else ${command}\nfi`,
  (command) => `while true; do ${command}\ndone`,
  (command) => `until ${command}\ndo true; done`,
  (command) => `for i in a; do ${command}\ndone`,
  (command) => `case x in *) ${command}\n;; esac`,
  (command) => `f() { ${command}\n}; f`,
  (command) => `true && ${command}`,
  (command) => `false || ${command}`,
  (command) => `true; ${command}`,
  (command) => `true | ${command}`,
  (command) => `${command} | cat`,
  (command) => `${command} &`,
  (command) => `! ${command}`,
  (command) => `time ${command}`,
  (command) => `coproc ${command}`,
  (command) => `echo $(${command}\n)`,
  (command) => `echo "\`${command.replace(/[`\\$"]/g, '\\$&')}\`"`,
  (command) => `cat <(${command}\n)`,
  (command) => `bash -c ${quote(command)}`,
  (command) => `sh -ec ${quote(command)}`,
  (command) => `eval ${quote(command)}`,
  (command) => `bash <<'EOF'\n${command}\nEOF`,
  (command) => `echo ${quote(command)} | sh`,
  (command) => `trap ${quote(command)} EXIT`,
  (command) => `timeout 5 bash -c ${quote(command)}`,
  (command) => `find . -exec sh -c ${quote(command)} \\;`,
];
const prefixes =
  'timeout 5|nohup|nice -n 5|stdbuf -oL|command|exec|sudo|sudo -u root|env|env A=1|doas|setsid|ionice -c 3|xargs|watch|strace|npx|CI=1|FOO=1'.split(
    '|',
  );
const syntax = fc.constantFrom(...wrappings);
const prefix = fc.constantFrom(...prefixes).map((words_) => (command: string) => `${words_} ${command}`);
const wrapping = fc.oneof({ weight: 3, arbitrary: syntax }, { weight: 2, arbitrary: prefix });

it('is never made looser by a wrapping', () => {
  fc.assert(
    fc.property(simple, wrapping, rules, (command, wrap, given) => {
      const bare = { ...given, allow: given.allow.filter((text) => text.endsWith(':*)')) };
      const before = behavior(command, bare);
      if (before === 'allow') return;
      const after = behavior(wrap(command), bare);
      expect([command, wrap(command), after]).not.toContain('allow');
    }),
    runs(1_200),
  );
});

it('asks for what an ask rule names and denies what a deny rule names, however it is wrapped', () => {
  const program = fc.constantFrom('node', 'n"o"de', '\\node', "'node'", 'n\\ode', '/usr/bin/node', "$'node'");
  const args = fc.constantFrom('', ' x', ' "a b"', ' $HOME', ' -e 1');
  fc.assert(
    fc.property(
      fc.tuple(program, args).map((two) => two.join('')),
      // Programs run programs; only the shell understands its own syntax.
      fc.array(prefix, { maxLength: 2 }),
      fc.array(syntax, { maxLength: 2 }),
      fc.constantFrom('Bash(node:*)', 'Bash(node *)', 'Bash(node*)'),
      fc.constantFrom('Bash', 'Bash(*)'),
      (command, before, around, named, broad) => {
        const wraps = [...before, ...around];
        const text = wraps.reduce((inner, wrap) => wrap(inner), command);
        expect([text, behavior(text, { allow: [broad], ask: [named] })]).not.toContain('allow');
        // What cannot be read is put before a person; what can be read is denied.
        expect([text, behavior(text, { allow: [broad], deny: [named] })]).not.toContain('allow');
        if (wraps.length <= 1) expect([text, behavior(text, { deny: [named] }, 'bypassPermissions')]).toContain('deny');
      },
    ),
    runs(800),
  );
});

it('does not mind blanks and line continuations', () => {
  const gap = fc.constantFrom(' ', '  ', '\t', ' \\\n ', '   ', ' \\\n');
  const token = fc.constantFrom(
    'rm',
    '-rf',
    'x',
    'make',
    'a',
    '&&',
    ';',
    '|',
    '>out',
    '(',
    ')',
    '"q r"',
    'sudo',
    'node',
  );
  fc.assert(
    fc.property(
      fc.array(fc.tuple(token, gap), { minLength: 1, maxLength: 7 }),
      rules,
      fc.constantFrom('Bash(rm:*)', 'Bash(node x)', 'Bash(make a *)', 'Edit(out)'),
      (tokens, given, more) => {
        const with_ = { ...given, deny: [...given.deny, more] };
        const plain = tokens.map(([text]) => text).join(' ');
        const spread = tokens.map(([text, blank]) => text + blank).join('');
        if (behavior(plain, with_) === 'deny') expect([spread, behavior(spread, with_)]).toEqual([spread, 'deny']);
      },
    ),
    runs(600),
  );
});

it('reads back every rule that it writes', () => {
  fc.assert(
    fc.property(
      fc.stringMatching(/^[^\s()]+$/),
      fc.option(fc.oneof(fc.string({ unit: 'binary' }), simple), { nil: null }),
      (tool, content) => {
        expect(parseRule(formatRule({ tool, content }))).toEqual({ ok: true, value: { tool, content } });
      },
    ),
    runs(1_000),
  );
});

it('is never made looser by a deny rule, nor turned round by an allow rule, for other tools', () => {
  const path = fc.constantFrom(
    '/ws/a.txt',
    '/ws/link',
    '/srv/x',
    '/ws/.git/config',
    '/ws/src/deep/b.ts',
    '/home/u/.env',
  );
  const call = fc.oneof(
    fc.tuple(fc.constantFrom('Read', 'Edit', 'Write', 'NotebookEdit'), path).map(([tool, file_path]) => ({
      tool,
      input: tool === 'NotebookEdit' ? { notebook_path: file_path } : { file_path },
    })),
    fc
      .constantFrom('https://example.org/', 'http://a.example.org', 'https://react.dev')
      .map((url) => ({ tool: 'WebFetch', input: { url } })),
    fc
      .constantFrom('mcp__db__read', 'Agent', 'Skill', 'TodoWrite', 'WebSearch')
      .map((tool) => ({ tool, input: { skill: 'deploy', subagent_type: 'Explore' } })),
  );
  const other = fc.constantFrom(
    ...'Read Edit Write Edit(**) Read(*.txt) Read(//srv/**) Edit(/src/**) Edit(~/**) Read(!a.txt) Read(.env) WebFetch WebFetch(domain:*.example.org) WebFetch(domain:react.dev) mcp__db mcp__* * Agent(Explore) Skill(deploy) Agent Skill WebSearch TodoWrite'.split(
      ' ',
    ),
  );
  const lists = fc.record({
    allow: fc.array(other, { maxLength: 4 }),
    ask: fc.array(other, { maxLength: 2 }),
    deny: fc.array(
      other.filter((text) => !text.includes('(!')),
      { maxLength: 2 },
    ),
  });
  fc.assert(
    fc.property(call, lists, other, mode, (one, given, more, chosen) => {
      const decided = (rules_: CaseRules) => decideCase({ ...world('', rules_, chosen), ...one });
      const before = decided(given);
      const allowed = decided({ ...given, allow: [...given.allow, more] });
      if (before.reason.type === 'rule' && before.behavior !== 'allow') expect(allowed.behavior).toBe(before.behavior);
      // An exception (!) is there to take back a deny of its own list.
      if (more.includes('(!')) return;
      const denied = decided({ ...given, deny: [...given.deny, more] });
      expect(strictness[denied.behavior]).toBeGreaterThanOrEqual(strictness[before.behavior]);
    }),
    runs(1_500),
  );
});
