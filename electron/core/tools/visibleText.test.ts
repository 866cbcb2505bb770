import { expect, it } from 'vitest';
import { visibleText } from './visibleText';

it.each([
  ['plain name.txt', 'plain name.txt'],
  ['back\\slash', 'back\\slash'],
  ['Grüße 日本 🙂', 'Grüße 日本 🙂'],
  ['', ''],
  [' a b ', '\\u{20}a b\\u{20}'],
  ['a\nb\tc\r', 'a\\u{a}b\\u{9}c\\u{d}'],
  ['gpj.\u202eexe', 'gpj.\\u{202e}exe'],
  ['zero\u200bwidth\ufeff', 'zero\\u{200b}width\\u{feff}'],
  ['no\u00a0break', 'no\\u{a0}break'],
  ['\ud800', '\\u{d800}'],
  // What looks like an escape stays apart from one.
  ['\\u{a}\n', '\\\\u{a}\\u{a}'],
])('%j → %j', (text, expected) => {
  expect(visibleText(text)).toBe(expected);
});
