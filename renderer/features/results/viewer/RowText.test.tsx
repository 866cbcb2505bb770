// @vitest-environment jsdom
import { cleanup, render } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { plainStyle } from '../../chat/cards/ansi';
import { type Mark, partsOf, RowText } from './RowText';
import { selectedText } from './selectedText';

afterEach(cleanup);

const esc = '\u001b';
const mark = (start: number, end: number, isCurrent = false): Mark => ({ start, end, isCurrent });

test('marks and colours cut a text without losing a character', () => {
  const text = `a${esc}[31mred warn${esc}[0m end`;
  const from = text.indexOf('warn');
  const parts = partsOf(text, [mark(from, from + 4), mark(text.length - 3, text.length)], plainStyle);
  expect(parts.map(({ text: part, style, mark: marked }) => [part, style.fg?.kind ?? '', marked !== null])).toEqual([
    ['a', '', false],
    ['red ', 'palette', false],
    ['warn', 'palette', true],
    [' ', '', false],
    ['end', '', true],
  ]);
});

test('a match across a change of colour is marked on both sides', () => {
  const text = `wa${esc}[1mrn`;
  expect(
    partsOf(text, [mark(0, text.length)], plainStyle).map(({ text: part, mark: marked }) => [part, marked?.start]),
  ).toEqual([
    ['wa', 0],
    ['rn', 0],
  ]);
});

test('a match of no characters and one beyond the row mark nothing', () => {
  expect(partsOf('abc', [mark(1, 1), mark(7, 9)], plainStyle).every((part) => part.mark === null)).toBe(true);
});

test('only colours are obeyed; what else a sequence could do stands there as text', () => {
  const { container } = render(<RowText text={`a${esc}[2Kb${esc}]0;title\u0007c\u202Ed<img src=x>`} />);
  expect(container.textContent).toBe(
    'aU+001B escape[2KbU+001B escape]0;titleU+0007 bellcU+202E right-to-left overrided<img src=x>',
  );
  expect(container.querySelector('img')).toBeNull();
});

test('copying takes what stands in the file', () => {
  const texts = [`first ${esc}[32mgreen${esc}[0m`, 'a\u202Eb', 'part one, ', 'part two'];
  const { container } = render(
    <div>
      {texts.map((text, row) => (
        <div key={text} data-row={row}>
          <span>{row}</span>
          <RowText text={text} />
        </div>
      ))}
    </div>,
  );
  const rowAt = (row: number) => {
    const text = texts[row];
    return text === undefined ? undefined : { text, part: row === 3 ? 1 : 0 };
  };
  const textNode = (words: string): Node => {
    const walker = document.createTreeWalker(container, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) if (walker.currentNode.textContent === words) return walker.currentNode;
    throw new Error(`no ${words}`);
  };
  const select = (from: readonly [Node, number], to: readonly [Node, number]) => {
    const selection = window.getSelection();
    selection?.setBaseAndExtent(from[0], from[1], to[0], to[1]);
    return selectedText(selection, container, rowAt);
  };
  expect(select([textNode('green'), 1], [textNode('green'), 4])).toBe('ree');
  expect(select([textNode('green'), 0], [textNode('b'), 1])).toBe(`green${esc}[0m\na\u202Eb`);
  expect(select([textNode('part one, '), 5], [textNode('part two'), 4])).toBe('one, part');
  const rows = container.querySelectorAll('[data-row]');
  expect(select([rows[1] as Node, 0], [rows[2] as Node, 0])).toBe('a\u202Eb\n');
  expect(select([textNode('green'), 1], [textNode('green'), 1])).toBeNull();
});
