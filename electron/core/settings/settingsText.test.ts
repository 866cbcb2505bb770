import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addedLines, addRules, readSettingsText, removeRuleText } from './settingsText';

describe('addRules', () => {
  it.each([
    ['no file', null, '{\n  "permissions": {\n    "allow": [\n      "A",\n      "B"\n    ]\n  }\n}\n'],
    ['an empty file', ' \n', '{\n  "permissions": {\n    "allow": [\n      "A",\n      "B"\n    ]\n  }\n}\n'],
    [
      'no permissions',
      '{\n  "model": "x"\n}\n',
      '{\n  "model": "x",\n  "permissions": {\n    "allow": [\n      "A",\n      "B"\n    ]\n  }\n}\n',
    ],
    [
      'an empty list',
      '{\n  "permissions": {\n    "allow": []\n  }\n}',
      '{\n  "permissions": {\n    "allow": [\n      "A",\n      "B"\n    ]\n  }\n}',
    ],
    ['a list on one line', '{"permissions":{"allow":["x"],"z":1}}', '{"permissions":{"allow":["x", "A", "B"],"z":1}}'],
    [
      'tabs and Windows line ends',
      '\uFEFF{\r\n\t"permissions": {\r\n\t\t"allow": [\r\n\t\t\t"x"\r\n\t\t],\r\n\t\t"deny": [ "y" ]\r\n\t}\r\n}',
      '\uFEFF{\r\n\t"permissions": {\r\n\t\t"allow": [\r\n\t\t\t"x",\r\n\t\t\t"A",\r\n\t\t\t"B"\r\n\t\t],\r\n\t\t"deny": [ "y" ]\r\n\t}\r\n}',
    ],
    ['a rule that is there', '{"permissions":{"allow":["A","B"]}}', '{"permissions":{"allow":["A","B"]}}'],
    [
      'the second spelling of the list',
      '{\n  "permissions": {\n    "alwaysAllow": [\n      "x"\n    ]\n  }\n}',
      '{\n  "permissions": {\n    "allow": [\n      "x",\n      "A",\n      "B"\n    ]\n  }\n}',
    ],
  ])('%s', (_, before, after) => {
    expect(addRules(before, 'allow', ['A', 'B', 'A'])).toEqual({ ok: true, value: after });
  });

  it.each([
    ['{ "permissions": { "allow": ["x",] } }', 'not valid JSON (line 1, column'],
    ['{\n  // note\n}', 'line 2, column 3: comments are not allowed'],
    ['[]', 'does not hold a JSON object'],
    ['{"permissions":[]}', '“permissions” in the file is not an object'],
    ['{"permissions":{"allow":"x"}}', '“permissions.allow” in the file is not a list'],
  ])('refuses %s', (text, message) => {
    const result = addRules(text, 'allow', ['A']);
    expect(result.ok ? '' : result.error).toContain(message);
  });

  it('takes back to the same bytes', () => {
    const blank = fc.constantFrom('', ' ', '\n', '\n    ', '\r\n\t', '  \n  ');
    const rule = fc.string({ unit: 'binary', minLength: 1 });
    const file = fc.record({
      rules: fc.array(rule, { maxLength: 4 }),
      blank,
      mark: fc.constantFrom('', '\uFEFF'),
      added: rule,
    });
    fc.assert(
      fc.property(file, ({ rules, blank: gap, mark, added }) => {
        fc.pre(!rules.includes(added));
        const inside = rules.length === 0 ? gap : gap + rules.map((one) => JSON.stringify(one)).join(`,${gap}`) + gap;
        const text = `${mark}{"a": 1,${gap}"permissions": {${gap}"deny": ["x"], "allow": [${inside}]${gap}},"z" : [ 1 ]}\n`;
        const withRule = addRules(text, 'allow', [added]);
        if (!withRule.ok) throw new Error(withRule.error);
        const parsed: unknown = JSON.parse(withRule.value.replace('\uFEFF', ''));
        expect(parsed).toEqual({ a: 1, permissions: { deny: ['x'], allow: [...rules, added] }, z: [1] });
        expect(removeRuleText(withRule.value, { behavior: 'allow', rule: added })).toEqual({ ok: true, value: text });
      }),
    );
  });
});

it.each([
  ['{"permissions":{"allow":["x","y","z"]}}', 'y', { ok: true, value: '{"permissions":{"allow":["x","z"]}}' }],
  ['{"permissions":{"allow":["x","y"]}}', 'x', { ok: true, value: '{"permissions":{"allow":["y"]}}' }],
  ['{"permissions":{"allow":["x"]}}', 'x', { ok: true, value: '{"permissions":{"allow":[]}}' }],
  ['{"permissions":{"alwaysAllow":["x"]}}', 'x', { ok: true, value: '{"permissions":{"alwaysAllow":[]}}' }],
  ['{"permissions":{"deny":["x"]}}', 'x', { ok: false, error: 'gone' }],
  ['{"permissions":', 'x', { ok: false, error: 'broken' }],
])('removes from %s the rule %s', (text, rule, expected) => {
  expect(removeRuleText(text, { behavior: 'allow', rule })).toEqual(expected);
});

it('counts the last of two equal names, as every reader does', () => {
  expect(addRules('{"permissions":{"allow":["a"]},"permissions":{"allow":["b"]}}', 'allow', ['c'])).toEqual({
    ok: true,
    value: '{"permissions":{"allow":["a"]},"permissions":{"allow":["b", "c"]}}',
  });
});

it('names line and column of a fault', () => {
  const read = readSettingsText('{\n  "a": 1\n  "b": 2\n}');
  expect(read).toEqual({ ok: false, error: { line: 3, column: 3, message: 'a comma is missing here' } });
});

it.each(['[01]', `${'['.repeat(200_000)}`, '{"a": "\u0001"}', '{"a": +1}', "{'a': 1}", '{"a": NaN}'])(
  '%.20s is not taken',
  (text) => {
    expect(readSettingsText(text).ok).toBe(false);
  },
);

it('shows the lines that a save adds', () => {
  const before = '{\n  "permissions": {\n    "allow": [\n      "x"\n    ]\n  }\n}\n';
  const after = addRules(before, 'allow', ['A']);
  expect(addedLines(before, after.ok ? after.value : '')).toEqual([
    { line: 4, text: '      "x",' },
    { line: 5, text: '      "A"' },
  ]);
});
