import { expect, it } from 'vitest';
import { splitForEllipsis } from './MiddleEllipsis';

it.each([
  ['short', 18, { head: '', tail: 'short' }],
  ['/home/ada/code/harbor/src/tide.ts', 12, { head: '/home/ada/code/harbor/src', tail: '/tide.ts' }],
  ['/home/ada/a-very-long-name-of-a-file.ts', 10, { head: '/home/ada/a-very-long-name-of', tail: '-a-file.ts' }],
])('%s keeps its end', (text, keepEnd, expected) => {
  expect(splitForEllipsis(text, keepEnd)).toEqual(expected);
});
