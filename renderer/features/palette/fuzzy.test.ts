import { expect, it } from 'vitest';
import { fuzzy, markedPieces } from './fuzzy';

const marked = (text: string, query: string) => {
  const found = fuzzy(text, query);
  return found === null
    ? null
    : markedPieces(text, found.at)
        .map((piece) => (piece.marked ? `[${piece.text}]` : piece.text))
        .join('');
};

it.each([
  ['New session', 'ns', '[N]ew [s]ession'],
  ['New session', 'new', '[New] session'],
  ['New session', 'sess new', '[New] [sess]ion'],
  ['Go to Trace', 'tra', 'Go to [Tra]ce'],
  ['toggleSidebar', 'ts', '[t]oggle[S]idebar'],
  ['Compact conversation', 'cpt', '[C]om[p]ac[t] conversation'],
  ['New session', 'x', null],
  ['New session', 'wsx', null],
  ['Find in this conversation', 'sess', null],
  ['Тема', 'тем', '[Тем]а'],
  ['anything', '', 'anything'],
])('%s by %s', (text, query, expected) => {
  expect(marked(text, query)).toBe(expected);
});

it('puts first what begins with the query, then what has a word that does, then the rest', () => {
  const texts = ['Open the rules', 'Rules', 'Show overruled calls', 'Read unit logs early'];
  const order = texts
    .map((text) => ({ text, score: fuzzy(text, 'rule')?.score ?? Number.NEGATIVE_INFINITY }))
    .sort((a, b) => b.score - a.score)
    .map(({ text }) => text);
  expect(order).toEqual(['Rules', 'Open the rules', 'Show overruled calls', 'Read unit logs early']);
});
