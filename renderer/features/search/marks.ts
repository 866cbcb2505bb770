// Marks words where they stand on the page, without touching what draws them.

/** Names of the highlights, as in search.css. */
const allName = 'found-words';
const currentName = 'found-current';

/** More marks than anybody can see at once; a word of one letter has many. */
const mostMarks = 5_000;

/** Places of any of the words in a text, in order and without overlap; `matchCase` false takes no heed of case. */
export function findWords(
  text: string,
  words: readonly string[],
  matchCase: boolean,
): { readonly from: number; readonly to: number }[] {
  const sought = words.filter((word) => word !== '').sort((a, b) => b.length - a.length);
  if (sought.length === 0) return [];
  const escaped = sought.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  const pattern = new RegExp(escaped.join('|'), matchCase ? 'gu' : 'giu');
  return Array.from(text.matchAll(pattern), (match) => ({ from: match.index, to: match.index + match[0].length }));
}

/** The ranges of all places of the words inside an element, over the borders of its elements. */
export function rangesIn(element: Element, words: readonly string[], matchCase: boolean): Range[] {
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  const nodes: { readonly node: Text; readonly from: number }[] = [];
  let text = '';
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    if (!(node instanceof Text) || node.parentElement?.closest('.sr-only, [aria-hidden="true"]') !== null) continue;
    nodes.push({ node, from: text.length });
    text += node.data;
  }
  const at = (position: number, end: boolean) => {
    const found = nodes.findLast(({ from }) => (end ? from < position : from <= position));
    return found === undefined ? null : { node: found.node, offset: position - found.from };
  };
  return findWords(text, words, matchCase).flatMap(({ from, to }) => {
    const start = at(from, false);
    const end = at(to, true);
    if (start === null || end === null) return [];
    const range = document.createRange();
    range.setStart(start.node, start.offset);
    range.setEnd(end.node, end.offset);
    return [range];
  });
}

/** Shows these ranges as marks, one of them as the present one. A browser that cannot do so shows none. */
export function showMarks(ranges: readonly Range[], current: Range | null): void {
  if (typeof Highlight === 'undefined') return;
  if (ranges.length === 0) {
    clearMarks();
    return;
  }
  CSS.highlights.set(allName, new Highlight(...ranges.slice(0, mostMarks).filter((range) => range !== current)));
  if (current === null) CSS.highlights.delete(currentName);
  else CSS.highlights.set(currentName, new Highlight(current));
}

export function clearMarks(): void {
  if (typeof Highlight === 'undefined') return;
  CSS.highlights.delete(allName);
  CSS.highlights.delete(currentName);
}
