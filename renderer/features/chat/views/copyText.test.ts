import { expect, test } from 'vitest';
import type { View } from '#shared/tools/presentation';
import { copyTextOf } from './copyText';

const cases: readonly [name: string, view: View, expected: string | null][] = [
  [
    'a command with output, without escapes, and its exit code',
    { kind: 'terminal', command: 'npm test', output: '\u001b[31mFAIL\u001b[0m\n', exitCode: 1 },
    '$ npm test\nFAIL\n[exit 1]',
  ],
  ['a command that has not run', { kind: 'terminal', command: 'ls' }, '$ ls'],
  [
    'a change',
    {
      kind: 'diff',
      path: '/a.ts',
      created: false,
      hunks: [
        {
          oldStart: 1,
          newStart: 1,
          lines: [
            { sign: ' ', text: 'a' },
            { sign: '-', text: 'b' },
            { sign: '+', text: 'c' },
          ],
        },
      ],
      added: 1,
      removed: 1,
      truncated: false,
    },
    '/a.ts\n a\n-b\n+c',
  ],
  ['text', { kind: 'text', text: 'x\ny' }, 'x\ny'],
  ['a picture', { kind: 'image', mediaType: 'image/png', base64: 'AA==', alt: 'x' }, null],
  ['a table', { kind: 'table', columns: ['a', 'b'], rows: [['1', '2']] }, 'a\tb\n1\t2'],
  ['JSON', { kind: 'json', value: { a: [1] } }, '{\n  "a": [\n    1\n  ]\n}'],
  ['files', { kind: 'files', files: [{ path: '/a' }, { path: '/b', note: '3' }], truncated: false }, '/a\n/b'],
];
test.each(cases)('%s', (_name, view, expected) => {
  expect(copyTextOf(view)).toBe(expected);
});
