import { expect, test } from 'vitest';
import { splitFrontMatter, splitOutside } from './frontMatter';

const head = (...lines: string[]) => `---\n${lines.join('\n')}\n---\nBody\n`;

test.each<[string, string, Record<string, unknown>]>([
  [
    'plain, quoted and typed values',
    head('a: one two', 'b: "x: \\"y\\""', "c: 'it''s'", 'd: true', 'e: 5', 'f: null', 'g:'),
    { a: 'one two', b: 'x: "y"', c: "it's", d: true, e: 5, f: null, g: null },
  ],
  ['a colon within a value', head('description: Use this: when it fits'), { description: 'Use this: when it fits' }],
  ['comments', head('# all', 'a: x # not', 'b: "x # y"', 'c: x#y'), { a: 'x', b: 'x # y', c: 'x#y' }],
  [
    'lists',
    head('a: [x, "y, z", Bash(git add:*, b)]', 'b:', '  - x', '  - "y"', 'c:', '- z'),
    { a: ['x', 'y, z', 'Bash(git add:*, b)'], b: ['x', 'y'], c: ['z'] },
  ],
  [
    'long texts',
    head('a: |', '  one', '    two', '', '  three', 'b: >-', '  one', '  two', 'c: one', '  two'),
    { a: 'one\n  two\n\nthree', b: 'one two', c: 'one two' },
  ],
  [
    'hooks',
    head(
      'hooks:',
      '  PreToolUse:',
      '    - matcher: "Bash"',
      '      hooks:',
      '        - type: command',
      '          command: "./x.sh --y"',
      '          timeout: 5',
    ),
    { hooks: { PreToolUse: [{ matcher: 'Bash', hooks: [{ type: 'command', command: './x.sh --y', timeout: 5 }] }] } },
  ],
  [
    'keys with dashes',
    head('allowed-tools: Read, Bash(git *:*)', 'argument-hint: [file] [how]'),
    { 'allowed-tools': 'Read, Bash(git *:*)', 'argument-hint': '[file] [how]' },
  ],
  [
    'a key that means something elsewhere',
    head('__proto__: x', 'constructor: y'),
    Object.fromEntries([
      ['__proto__', 'x'],
      ['constructor', 'y'],
    ]),
  ],
  [
    'lists of words, of quoted words, and over several lines',
    head('a: [\'x\', "y", z ]', 'b: [', '  x,', '  "y",', ']', 'c: []', 'd:', '    - x # said', "    - 'y: z'"),
    { a: ['x', 'y', 'z'], b: ['x', 'y'], c: [], d: ['x', 'y: z'] },
  ],
  [
    'folded and literal texts with blank lines',
    head('a: >', '  one', '  two', '', '  three', 'b: |-', '  one', '  # no comment', '', 'c: x'),
    { a: 'one two\nthree', b: 'one\n# no comment', c: 'x' },
  ],
  [
    'quoted texts over several lines',
    head('a: "one', '  two"', "b: 'one", "  two'", 'c: x'),
    { a: 'one two', b: 'one two', c: 'x' },
  ],
  ['anchors and aliases as text', head('a: &one x', 'b: *one', 'c: !!str 5'), { a: '&one x', b: '*one', c: '!!str 5' }],
  ['a byte order mark', '\uFEFF---\r\na: |\r\n  x\r\n  y\r\nb: [z]\r\n---\r\nBody\n', { a: 'x\ny', b: ['z'] }],
  ['Windows line ends', '---\r\na: x\r\n---\r\nBody\n', { a: 'x' }],
  ['an empty head', '---\n---\nBody\n', {}],
])('reads %s', (_name, file, fields) => {
  expect(splitFrontMatter(file)).toEqual({ fields, body: 'Body\n', problem: '' });
});

test.each([
  ['no head', 'Just text\n---\na: b\n---\n'],
  ['a head that never ends', '---\na: b\nText\n'],
])('%s is all body', (_name, file) => {
  expect(splitFrontMatter(file)).toEqual({ fields: {}, body: file, problem: '' });
});

test.each([
  ['no key', head('just words'), 'line 2 of it is not understood'],
  ['a tab', head('a:', '\tb: c'), 'line 3 is indented with a tab; use spaces'],
  ['a leap in indentation', head('a: [x]', '    b: c'), 'line 3 of it is not understood'],
  [
    'depth',
    head(...Array.from({ length: 20 }, (_, depth) => `${' '.repeat(depth)}k:`), `${' '.repeat(20)}v: x`),
    'its head nests deeper than 12 levels',
  ],
  ['size', head(`a: ${'x'.repeat(20_001)}`), 'its head is longer than 20000 characters'],
])('says what is wrong: %s', (_name, file, problem) => {
  expect(splitFrontMatter(file)).toEqual({ fields: {}, body: 'Body\n', problem });
});

test('a head of any size is read in a moment', () => {
  const started = performance.now();
  splitFrontMatter(head('a: "', ...Array.from({ length: 2_000 }, () => ' - : "x')));
  splitFrontMatter(`---\n${'- '.repeat(9_000)}`);
  splitFrontMatter(head(`a: ${'['.repeat(9_000)}`, `b: ${'"'.repeat(9_000)}`));
  splitFrontMatter(head(`a: ${' #'.repeat(9_000)}`));
  splitFrontMatter(head(`a: b${' '.repeat(19_000)}c`));
  splitFrontMatter(head(`a${' '.repeat(19_000)}b`));
  splitFrontMatter(head(`a: ${'x'.repeat(10_000_000)}`));
  splitFrontMatter(`---\n${'a: b\n'.repeat(2_000_000)}`);
  expect(performance.now() - started).toBeLessThan(1_000);
});

test('keys that mean something elsewhere change no other object', () => {
  const { fields } = splitFrontMatter(
    head('__proto__:', '  polluted: true', 'a: { "__proto__": { "polluted": true } }'),
  );
  expect([Object.getPrototypeOf(fields), 'polluted' in fields, 'polluted' in {}]).toEqual([
    Object.prototype,
    false,
    false,
  ]);
});

test.each<[string, RegExp, string[]]>([
  ['Read, Bash(git add:*, x) Grep', /[\s,]/, ['Read', 'Bash(git add:*, x)', 'Grep']],
  ['one "two three" don\'t', /\s/, ['one', '"two three"', "don't"]],
  ['', /,/, []],
])('parts %j', (text, separator, parts) => {
  expect(splitOutside(text, separator)).toEqual(parts);
});
