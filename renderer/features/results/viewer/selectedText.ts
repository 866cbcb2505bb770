// The text of rows that a selection covers, as it stands in the file and not as it is drawn.

/** What is to be known of a drawn row. */
export interface DrawnRow {
  readonly text: string;
  /** 0: the row begins a line. */
  readonly part: number;
}

/** Text between the ends of a selection inside `box`; null where there is none. */
export function selectedText(
  selection: Selection | null,
  box: Element,
  rowAt: (row: number) => DrawnRow | undefined,
): string | null {
  if (selection === null || selection.isCollapsed || selection.rangeCount === 0) return null;
  const range = selection.getRangeAt(0);
  const start = pointOf(range.startContainer, range.startOffset, box);
  const end = pointOf(range.endContainer, range.endOffset, box);
  if (start === null || end === null) return null;
  let text = '';
  for (let row = start.row; row <= end.row; row += 1) {
    const drawn = rowAt(row);
    if (drawn === undefined) return null;
    if (row > start.row && drawn.part === 0) text += '\n';
    text += drawn.text.slice(row === start.row ? start.at : 0, row === end.row ? end.at : undefined);
  }
  return text;
}

interface Point {
  readonly row: number;
  /** Character in the row's text. */
  readonly at: number;
}

function pointOf(node: Node, offset: number, box: Element): Point | null {
  const element = node instanceof Element ? node : node.parentElement;
  const row = element?.closest('[data-row]');
  if (element === null || row === null || row === undefined || !box.contains(row)) return null;
  const index = Number(row.getAttribute('data-row'));
  if (!(node instanceof Element)) {
    const part = element.closest('[data-at]');
    if (part === null) return { row: index, at: 0 };
    const from = Number(part.getAttribute('data-at'));
    // A token stands for one character, or for two halves of one.
    if (part.hasAttribute('data-token')) return { row: index, at: offset === 0 ? from : nextAfter(part, row) };
    return { row: index, at: from + offset };
  }
  const parts = [...row.querySelectorAll('[data-at]')];
  const mark = node.childNodes[offset] ?? null;
  const next = parts.find((part) =>
    mark === null
      ? (node.compareDocumentPosition(part) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0 && !node.contains(part)
      : mark.contains(part) || (mark.compareDocumentPosition(part) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0,
  );
  return { row: index, at: next === undefined ? Number.MAX_SAFE_INTEGER : Number(next.getAttribute('data-at')) };
}

function nextAfter(part: Element, row: Element): number {
  const parts = [...row.querySelectorAll('[data-at]')];
  const next = parts[parts.indexOf(part) + 1];
  return next === undefined ? Number.MAX_SAFE_INTEGER : Number(next.getAttribute('data-at'));
}
