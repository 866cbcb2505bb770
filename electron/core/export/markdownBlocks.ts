// The little of Markdown that matters for reading: blocks of code, headings, items of lists, paragraphs.

export type MarkdownBlock =
  | { readonly kind: 'code' | 'heading' | 'text'; readonly text: string }
  | { readonly kind: 'item'; readonly mark: string; readonly depth: number; readonly text: string };

/** Takes a text apart, in order; nothing of its words is lost. */
export function markdownBlocks(text: string): MarkdownBlock[] {
  const blocks: MarkdownBlock[] = [];
  let paragraph: string[] = [];
  const endParagraph = (): void => {
    if (paragraph.length > 0) blocks.push({ kind: 'text', text: paragraph.join('\n') });
    paragraph = [];
  };
  let fence: { readonly mark: string; readonly lines: string[] } | null = null;
  for (const line of text.split('\n')) {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    if (fence !== null) {
      if (mark?.startsWith(fence.mark) === true && line.trim() === mark) {
        blocks.push({ kind: 'code', text: fence.lines.join('\n') });
        fence = null;
      } else fence.lines.push(line);
      continue;
    }
    if (mark !== undefined) {
      endParagraph();
      fence = { mark, lines: [] };
      continue;
    }
    const heading = /^ {0,3}#{1,6} +(.*?)(?: +#+)?$/.exec(line)?.[1];
    const item = /^( *)([-*+]|\d{1,9}[.)]) +(.*)$/.exec(line);
    if (line.trim() === '') endParagraph();
    else if (heading !== undefined) {
      endParagraph();
      blocks.push({ kind: 'heading', text: heading });
    } else if (item !== null) {
      endParagraph();
      const [, blanks = '', sign = '', words = ''] = item;
      blocks.push({
        kind: 'item',
        mark: /\d/.test(sign) ? sign : '•',
        depth: Math.floor(blanks.length / 2),
        text: words,
      });
    } else paragraph.push(line);
  }
  endParagraph();
  // One that was never ended has its words all the same.
  if (fence !== null) blocks.push({ kind: 'code', text: fence.lines.join('\n') });
  return blocks;
}
