import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import { type CaseRules, decideCase, type PermissionCase } from './caseWorld';
import { loadSecondParser } from './shell/treeSitter';

beforeAll(loadSecondParser);

/** A busy machine tries fewer texts rather than failing. */
const runs = (numRuns: number) => ({ numRuns, interruptAfterTimeLimit: 6_000 });

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

it('never throws, whatever the text', () => {
  const piece = fc.constantFrom(
    ...'; & | ( ) { } < > $ ` " \' \\ # ~ * ? [ ] = ! if then fi for do done case esac rm a $( << EOF'.split(' '),
    '\n',
    ' ',
  );
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.array(piece, { maxLength: 30 }).map((parts) => parts.join('')),
    line,
  );
  fc.assert(
    fc.property(text, rules, mode, (command, given, chosen) => void behavior(command, given, chosen)),
    runs(1_500),
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

it('is never made looser by a wrapping', () => {
  const wrapping = fc.constantFrom<(command: string) => string>(
    (command) => `(${command})`,
    (command) => `{ ${command}; }`,
    (command) => `if true; then ${command}\nfi`,
    (command) => `while true; do ${command}\ndone`,
    (command) => `for i in a; do ${command}\ndone`,
    (command) => `true && ${command}`,
    (command) => `echo $(${command}\n)`,
    (command) => `timeout 5 ${command}`,
    (command) => `nohup ${command}`,
    (command) => `sudo ${command}`,
    (command) => `CI=1 ${command}`,
  );
  fc.assert(
    fc.property(simple, wrapping, rules, (command, wrap, given) => {
      const bare = { ...given, allow: given.allow.filter((text) => text.endsWith(':*)')) };
      const before = behavior(command, bare);
      if (before === 'allow') return;
      const after = behavior(wrap(command), bare);
      expect([command, wrap(command), after]).not.toContain('allow');
    }),
    runs(600),
  );
});

it('does not mind blanks and line continuations', () => {
  const blank = fc.constantFrom(' ', '  ', '\t', ' \\\n ', '   ');
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom('rm', '-rf', 'x', 'make', 'a'), { minLength: 1, maxLength: 5 }),
      blank,
      rules,
      (words, gap, given) => {
        if (behavior(words.join(' '), given) === 'deny') expect(behavior(words.join(gap), given)).toBe('deny');
      },
    ),
    runs(200),
  );
});
