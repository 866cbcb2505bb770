import { expect, it } from 'vitest';
import { requiredText } from './requiredText';

it.each([
  ['warn(ing)?', 'warn'],
  ['debug.*\\d{6}', 'debug'],
  ['a|bcd', null],
  ['(a|b)cd', 'cd'],
  ['abc?d', 'ab'],
  ['ab*cde', 'cde'],
  ['abc+de', 'abc'],
  ['ab{2}cd', 'cd'],
  ['x{0,3}yz', 'yz'],
  ['a\\.b\\(c', 'a.b(c'],
  ['\\d+ ms', ' ms'],
  ['[abc]defg', 'defg'],
  ['[\\]x]yz', 'yz'],
  ['(?=abc)xy', 'xy'],
  ['(?!abc)', null],
  ['\\u{1f600}ab\\x41cd\\p{L}e', 'ab'],
  ['(a\\)b)cd', 'cd'],
  ['^error$', 'error'],
  ['é😀!', 'é😀!'],
  ['.', null],
  ['', null],
])('%s', (source, expected) => {
  expect(requiredText(source, true)).toBe(expected);
});

it.each([
  ['Error', 'Error'],
  ['tasked', 'ta'],
  ['größe', 'gr'],
  ['ks', null],
])('%s in any case', (source, expected) => {
  expect(requiredText(source, false)).toBe(expected);
});
