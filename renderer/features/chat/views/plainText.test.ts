import { expect, it } from 'vitest';
import { plainText } from './plainText';

it.each([
  ['plain\n\ttext', 'plain\n\ttext'],
  ['\u001b[31mred\u001b[0m', 'red'],
  ['\u001b]8;;https://example.com\u0007link\u001b]8;;\u0007', 'link'],
  ['a\u202eb\u200bc', 'abc'],
  ['a\u00a0b', 'a b'],
  ['é😀', 'é😀'],
])('%j', (text, expected) => {
  expect(plainText(text)).toBe(expected);
});
