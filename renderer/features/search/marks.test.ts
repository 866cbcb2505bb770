// @vitest-environment jsdom
import { describe, expect, it } from 'vitest';
import { findWords, rangesIn } from './marks';

describe('findWords', () => {
  it.each<[text: string, words: string[], matchCase: boolean, found: string[]]>([
    ['The tide, the TIDE', ['tide'], false, ['tide', 'TIDE']],
    ['The tide, the TIDE', ['tide'], true, ['tide']],
    ['a.b axb', ['a.b'], false, ['a.b']],
    ['low tide at low', ['low', 'tide'], false, ['low', 'tide', 'low']],
    ['tides', ['tide', 'tides'], false, ['tides']],
    ['anything', [''], false, []],
  ])('%s: %j', (text, words, matchCase, found) => {
    expect(findWords(text, words, matchCase).map(({ from, to }) => text.slice(from, to))).toEqual(found);
  });
});

describe('rangesIn', () => {
  it('finds over the borders of elements, and not in what only assistive technology reads', () => {
    const box = document.createElement('div');
    box.innerHTML = '<p>low <b>ti</b>de</p><span class="sr-only">tide</span><i aria-hidden="true">tide</i>';
    expect(rangesIn(box, ['tide'], false).map(String)).toEqual(['tide']);
  });
});
