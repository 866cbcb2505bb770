import { expect, test } from 'vitest';
import type { PermissionAsk } from '#shared/session/ask';
import { sampleAsk } from '../testing/samples';
import { askContent } from './askContent';

const diff = (truncated: boolean): PermissionAsk['view'] => ({
  kind: 'diff',
  path: '/p/a.ts',
  created: false,
  hunks: [{ oldStart: 1, newStart: 1, lines: [{ sign: '+', text: 'x' }] }],
  added: 1,
  removed: 0,
  truncated,
});

const cases: readonly [name: string, ask: Partial<PermissionAsk>, expected: Partial<ReturnType<typeof askContent>>][] =
  [
    [
      'the command is drawn, every other argument is written out, unknown ones too',
      {
        view: { kind: 'terminal', command: 'ls' },
        input: { command: 'ls', timeout: 5, unheard_of: { a: 1 } },
      },
      {
        fields: [
          { name: 'timeout', text: '5' },
          { name: 'unheard_of', text: '{\n  "a": 1\n}' },
        ],
        inPicture: [],
        drawView: true,
      },
    ],
    [
      'a command that is not the input is no excuse to hide the input',
      { view: { kind: 'terminal', command: 'ls' }, input: { command: 'rm -rf /' } },
      { fields: [{ name: 'command', text: 'rm -rf /' }] },
    ],
    [
      'a whole diff stands for long texts',
      { view: diff(false), input: { file_path: '/p/a.ts', new_string: 'x\ny', replace_all: true } },
      {
        fields: [
          { name: 'file_path', text: '/p/a.ts' },
          { name: 'replace_all', text: 'true' },
        ],
        inPicture: ['new_string'],
      },
    ],
    [
      'a cut diff does not',
      { view: diff(true), input: { new_string: 'x\ny' } },
      { fields: [{ name: 'new_string', text: 'x\ny' }], inPicture: [] },
    ],
    [
      'a JSON picture would repeat the fields',
      { view: { kind: 'json', value: { a: 1 } }, input: { a: 1 } },
      { fields: [{ name: 'a', text: '1' }], drawView: false },
    ],
    [
      'input that is no object',
      { view: { kind: 'json', value: 'x' }, input: 'x' },
      { fields: [{ name: 'input', text: 'x' }] },
    ],
  ];
test.each(cases)('%s', (_name, ask, expected) => {
  expect(askContent({ ...sampleAsk, ...ask })).toMatchObject(expected);
});
