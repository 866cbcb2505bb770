import { parse } from 'unbash';
import { describe, expect, it } from 'vitest';
import { readWord, spreadBraces } from './words';

function word(text: string) {
  const command = parse(`x ${text}`).commands[0]?.command;
  const arg = command?.type === 'Command' ? command.args[0] : undefined;
  if (arg?.type !== 'Word') throw new Error(`no word in ${text}`);
  const variables = new Map([['V', ['one', 'two']]]);
  const { value, literal, plain, glob, values, known } = readWord(arg, { home: '/home/u', cwds: ['/ws'], variables });
  return {
    value,
    flags: [literal && 'literal', plain && 'plain', glob && 'glob', known && 'known'].filter(Boolean).join(' '),
    values,
  };
}

describe('readWord', () => {
  it.each([
    ['a', 'a', 'literal plain known', ['a']],
    ['"a b"', 'a b', 'literal plain known', ['a b']],
    ["'a $b'", 'a $b', 'literal plain known', ['a $b']],
    ['"a\\"b"', 'a"b', 'literal plain known', ['a"b']],
    ['a\\ b', 'a b', 'literal known', ['a b']],
    ["$'a\\x62'", 'ab', 'literal known', ['ab']],
    ['*.txt', '*.txt', 'plain glob known', ['*.txt']],
    ['~/x', '~/x', 'plain known', ['/home/u/x']],
    ['~root/x', '~root/x', '', ['~root/x']],
    ['$HOME/x', '$HOME/x', 'plain known', ['/home/u/x']],
    ['"$HOME"/x', '$HOME/x', 'plain known', ['/home/u/x']],
    [`\${HOME}/x`, `\${HOME}/x`, 'known', ['/home/u/x']],
    ['$PWD/x', '$PWD/x', 'known', ['/ws/x']],
    ['$V', '$V', 'known', ['one', 'two']],
    ['$W', '$W', '', ['$W']],
    [`\${W:-/}`, `\${W:-/}`, '', ['/']],
    ['{a,b}c', '{a,b}c', 'known', ['ac', 'bc']],
    ['$((1+1))', '$((1+1))', 'plain', ['$((1+1))']],
    ['$((x))', '$((x))', '', ['$((x))']],
    ['$(echo /)', '$(echo /)', '', ['/']],
    ['$(id)', '$(id)', '', ['$(id)']],
    ['"a\n# b"', 'a\n# b', 'literal known', ['a\n# b']],
  ])('%s', (text, value, flags, values) => {
    expect(word(text)).toEqual({ value, flags, values });
  });
});

it.each([
  ['{a,b}', ['a', 'b']],
  ['{1..3}', ['1', '2', '3']],
  ['{3..1}', ['3', '2', '1']],
  ['{a,{b,c}}', ['a', 'b', 'c']],
  ['{1..9999}', null],
  ['{a,$x}', null],
  ['{a}', null],
])('spreads %s', (text, expected) => {
  expect(spreadBraces(text)).toEqual(expected);
});
