import { expect, test } from 'vitest';
import { rowsOf } from '../table/rows';
import { drafted, paths, previewOf, ref } from '../testing/samples';
import { ruleOnLine } from './ruleOnLine';

const rows = rowsOf({
  preview: previewOf([
    drafted(ref('allow', 'Bash(ls *)', 'userSettings', 2)),
    drafted(ref('allow', 'Bash(git\u200bpush)', 'userSettings', 3)),
    drafted(ref('allow', 'Bash(echo "a")', 'userSettings', 4)),
    drafted(ref('allow', 'Bash(ls *)', 'localSettings', 2)),
  ]),
  draft: [],
  findings: [],
  usage: [],
  notes: {},
  expiring: [],
  managedOnly: false,
});

const text = '["allow",\n  "Bash(ls *)",\n  "Bash(git\\u200bpush)",\n  "Bash(echo \\"a\\")",\n  "Bash(new)", "\\x"\n]';

test.each([
  [1, undefined],
  [2, 'Bash(ls *)'],
  [3, 'Bash(git\u200bpush)'],
  [4, 'Bash(echo "a")'],
  [5, undefined],
  [99, undefined],
])('line %i', (line, rule) => {
  expect(ruleOnLine(rows, { path: paths.userSettings ?? '', text, line })?.rule.text).toBe(rule);
});

test('a row of before the text is not meant', () => {
  expect(ruleOnLine(rows, { path: paths.userSettings ?? '', text: '[\n"Bash(touch *)"]', line: 2 })).toBeUndefined();
});
