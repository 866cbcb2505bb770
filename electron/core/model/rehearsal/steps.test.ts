import { describe, expect, it } from 'vitest';
import { rehearsalPhrases } from '#shared/session/rehearsal';
import type { Step } from './steps';
import { parseSteps } from './steps';

const cases: readonly (readonly [message: string, steps: readonly Step[]])[] = [
  ['read package.json', [{ kind: 'read', files: ['package.json'] }]],
  ['Please read `package.json`.', [{ kind: 'read', files: ['package.json'] }]],
  ['read the file README.md!', [{ kind: 'read', files: ['README.md'] }]],
  ['read a, b and c', [{ kind: 'read', files: ['a', 'b', 'c'] }]],
  ['read "my notes.txt", and ../up.txt', [{ kind: 'read', files: ['my notes.txt', '../up.txt'] }]],
  ['run `npm test`', [{ kind: 'run', command: 'npm test' }]],
  ['run npm test -- --watch=false', [{ kind: 'run', command: 'npm test -- --watch=false' }]],
  ['run `echo now then later`', [{ kind: 'run', command: 'echo now then later' }]],
  ['run `if true; then echo y; fi`', [{ kind: 'run', command: 'if true; then echo y; fi' }]],
  ['run `a\nb`', [{ kind: 'run', command: 'a\nb' }]],
  ['run echo "it is `done`"', [{ kind: 'run', command: 'echo "it is `done`"' }]],
  ['find TODO in src', [{ kind: 'find', text: 'TODO', path: 'src' }]],
  ['find "in order" in "my src"', [{ kind: 'find', text: 'in order', path: 'my src' }]],
  ['find TODO', [{ kind: 'find', text: 'TODO', path: '.' }]],
  ['list src/**/*.js', [{ kind: 'list', pattern: 'src/**/*.js' }]],
  ['list files `*.ts`', [{ kind: 'list', pattern: '*.ts' }]],
  ['replace foo with bar in src/x.js', [{ kind: 'replace', from: 'foo', to: 'bar', file: 'src/x.js', places: 'any' }]],
  [
    'replace all "a with b" with `c in d` in src/x.js.',
    [{ kind: 'replace', from: 'a with b', to: 'c in d', file: 'src/x.js', places: 'all' }],
  ],
  ['replace one x with y in z', [{ kind: 'replace', from: 'x', to: 'y', file: 'z', places: 'one' }]],
  ['write notes.md: Remember the milk.', [{ kind: 'write', file: 'notes.md', text: 'Remember the milk.\n' }]],
  [
    'write notes.md:\nfirst\n  second, then third\nthen read notes.md',
    [
      { kind: 'write', file: 'notes.md', text: 'first\n  second, then third\n' },
      { kind: 'read', files: ['notes.md'] },
    ],
  ],
  ['write a.txt: "read b then read c"', [{ kind: 'write', file: 'a.txt', text: 'read b then read c\n' }]],
  [
    'ask me which colour: blue, green or red',
    [{ kind: 'ask', question: 'Which colour?', options: ['blue', 'green', 'red'] }],
  ],
  ['ask me now?: yes or no', [{ kind: 'ask', question: 'Now?', options: ['yes', 'no'] }]],
  ['ask me: yes or no', [{ kind: 'unknown', text: 'ask me: yes or no' }]],
  ['ask me which: one', [{ kind: 'unknown', text: 'ask me which: one' }]],
  ['plan look around; make it; test it', [{ kind: 'plan', items: ['look around', 'make it', 'test it'] }]],
  ['count to 7', [{ kind: 'count', upTo: 7 }]],
  ['count to 999999999', [{ kind: 'count', upTo: 10_000 }]],
  ['count to zero', [{ kind: 'unknown', text: 'count to zero' }]],
  [
    'read package.json then run `npm test`, then replace foo with bar in src/x.js',
    [
      { kind: 'read', files: ['package.json'] },
      { kind: 'run', command: 'npm test' },
      { kind: 'replace', from: 'foo', to: 'bar', file: 'src/x.js', places: 'any' },
    ],
  ],
  [
    '1. read a\n2. run `ls`\n\n- count to 2',
    [
      { kind: 'read', files: ['a'] },
      { kind: 'run', command: 'ls' },
      { kind: 'count', upTo: 2 },
    ],
  ],
  [
    'Read a. Then run `ls`; and then dance',
    [
      { kind: 'read', files: ['a'] },
      { kind: 'run', command: 'ls' },
      { kind: 'unknown', text: 'dance' },
    ],
  ],
  [
    'use the tool mcp__files__read with {"path": "a then b"} then use `T`',
    [
      { kind: 'use', tool: 'mcp__files__read', input: { path: 'a then b' } },
      { kind: 'use', tool: 'T', input: {} },
    ],
  ],
  ['use X with {broken}', [{ kind: 'unknown', text: 'use X with {broken}' }]],
  ['Hello there', [{ kind: 'unknown', text: 'Hello there' }]],
  ['reading is fun', [{ kind: 'unknown', text: 'reading is fun' }]],
];

describe('parseSteps', () => {
  it.each(cases)('%j', (message, steps) => {
    expect(parseSteps(message)).toEqual(steps);
  });
});

describe('rehearsalPhrases', () => {
  it.each(rehearsalPhrases)('$phrase: its example is understood', ({ example }) => {
    expect(parseSteps(example)).toHaveLength(1);
    expect(parseSteps(example)[0]?.kind).not.toBe('unknown');
  });
});
