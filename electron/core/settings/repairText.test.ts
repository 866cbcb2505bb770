import { expect, it } from 'vitest';
import { checkSettingsText } from './checkText';
import { mergeText } from './mergeText';
import { repairSettingsText } from './repairText';
import { addRules } from './settingsText';

const whole = '{\n  "permissions": {\n    "allow": [\n      "A",\n      "B"\n    ]\n  }\n}\n';

it.each([
  ['a comment on its own line', whole.replace('    "allow"', '    // mine\n    "allow"'), whole],
  ['a comment behind an entry', whole.replace('"A",', '"A", // why'), whole],
  ['a block comment', whole.replace('"A",', '"A", /* why */'), whole],
  ['a comma behind the last entry', whole.replace('"B"', '"B",'), whole],
  ['a comma behind the last name', whole.replace('    ]\n', '    ],\n'), whole],
  ['a missing comma', whole.replace('"A",', '"A"'), whole],
  ['single quotes', whole.replace('"A"', "'A'"), whole],
  ['a bare name', whole.replace('"permissions"', 'permissions'), whole],
  ['a missing colon', whole.replace('"allow":', '"allow"'), whole],
  ['a text that is not closed', whole.replace('"A",', '"A,'), whole],
  ['a list that is not closed before its object is', whole.replace('    ]\n', ''), null],
  ['a bracket of the wrong kind missing on one line', '{ "permissions": { "allow": ["A", "B" } }', null],
  ['a bracket too much', `${whole.trimEnd()}}\n`, `${whole.trimEnd()}\n`],
  ['missing brackets at the end', '{\n  "permissions": {\n    "allow": ["A", "B"', null],
  ['a byte order mark before a comma too much', `\uFEFF${whole.replace('"B"', '"B",')}`, `\uFEFF${whole}`],
  ['Windows line ends', whole.replace('"B"', '"B",').replaceAll('\n', '\r\n'), whole.replaceAll('\n', '\r\n')],
])('mends %s', (_, broken, mended) => {
  const repair = repairSettingsText(broken);
  expect(repair?.notes.length).toBeGreaterThan(0);
  if (mended !== null) expect(repair?.after).toBe(mended);
  expect(JSON.parse((repair?.after ?? '').replace('\uFEFF', ''))).toEqual({ permissions: { allow: ['A', 'B'] } });
});

it.each([
  ['what parses', whole],
  ['no JSON at all', 'hello there'],
  ['a list', '[1,]'],
  ['nothing', ''],
  ['a text nested deeper than anybody writes', '['.repeat(50_000)],
  ['two texts of a merge', '<<<<<<< mine\n{}\n=======\n{}\n>>>>>>> theirs\n'],
])('makes nothing of %s', (_, text) => {
  expect(repairSettingsText(text)).toBe(null);
});

it('says where a text is wrong, in the offsets of the text itself', () => {
  const text = '\uFEFF{\n  "permissions": {\n    "allow": ["Bash(ls", 5],\n    "deny": "x"\n  }\n}\n';
  const problems = checkSettingsText(text);
  expect(problems.map(({ from, to, line, severity }) => [text.slice(from, to), line, severity])).toEqual([
    ['"Bash(ls"', 3, expect.any(String)],
    ['5', 3, 'error'],
    ['"x"', 4, 'error'],
  ]);
  expect(checkSettingsText('{ "a": 1 "b": 2 }')).toEqual([
    { from: 9, to: 12, line: 1, column: 10, severity: 'error', message: 'a comma is missing here' },
  ]);
  expect(checkSettingsText('{ "permissions": { "allow": ["Bash(ls *)"] } }')).toEqual([]);
});

const base = 'a\nb\nc\nd\ne\n';
it.each([
  ['changes far apart', { mine: 'A\nb\nc\nd\ne\n', theirs: 'a\nb\nc\nd\nE\n' }, 'A\nb\nc\nd\nE\n'],
  ['the same change', { mine: 'a\nX\nc\nd\ne\n', theirs: 'a\nX\nc\nd\ne\n' }, 'a\nX\nc\nd\ne\n'],
  ['the same change and another', { mine: 'a\nX\nc\nd\ne\n', theirs: 'a\nX\nc\nd\n' }, 'a\nX\nc\nd\n'],
  ['nothing of mine', { mine: base, theirs: 'x' }, 'x'],
  ['the same line', { mine: 'a\nX\nc\nd\ne\n', theirs: 'a\nY\nc\nd\ne\n' }, null],
  ['lines side by side', { mine: 'a\nX\nc\nd\ne\n', theirs: 'a\nb\nY\nd\ne\n' }, null],
])('joins %s', (_, texts, merged) => {
  expect(mergeText({ base, ...texts })).toBe(merged);
});

it('checks a text that is nested deeper than anybody writes', () => {
  expect(checkSettingsText('{"a":'.repeat(50_000))).toMatchObject([{ line: 1, column: 1, severity: 'error' }]);
});

it('changes no text that is nested deeper than anybody writes', () => {
  expect(addRules(`{"a":${'['.repeat(2_000)}${']'.repeat(2_000)}}`, 'deny', ['Read']).ok).toBe(false);
});
