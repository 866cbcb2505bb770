// A text that streams in is read anew with each piece of it, so it is split where its reading cannot depend on what comes
// before or after: what is finished is then read once, however long the text becomes.

/** A line that may go on with what stands above the blank line before it: of a list, a quote, a table, or indented. */
const mayContinue = /^(?:\s|[-*+>|]|\d+[.)])/;
const fence = /^ {0,3}(`{3,}|~{3,})/;
/** Names an address for links elsewhere in the text, so that all of it belongs together. */
const definition = /^ {0,3}\[[^\]]+\]:/m;
/** A piece of HTML may hold blank lines. */
const html = /^ {0,3}</;

/** Markdown in parts that can be read on their own; joined by blank lines they are the text. The last one may still grow. */
export function markdownParts(text: string): string[] {
  if (definition.test(text)) return [text];
  const parts: string[] = [];
  let part: string[] = [];
  let open: string | null = null;
  let blank = false;
  let isHtml = false;
  for (const line of text.split('\n')) {
    const mark = fence.exec(line)?.[1];
    if (open === null && blank && part.length > 0 && line !== '' && !isHtml && !mayContinue.test(line)) {
      // The blank line between two parts belongs to neither.
      part.pop();
      parts.push(part.join('\n'));
      part = [];
    }
    if (open === null && html.test(line)) isHtml = true;
    if (mark !== undefined) {
      if (open === null) open = mark;
      else if (mark.startsWith(open) && line.trim() === mark) open = null;
    }
    part.push(line);
    blank = line === '';
  }
  parts.push(part.join('\n'));
  return parts;
}
