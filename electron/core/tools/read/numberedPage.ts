import { grouped, headOf } from '../wording';

/** Longer lines are cut; what matters in them is better found with Grep. */
const maxLineChars = 2_000;

/** Lines with their numbers as `cat -n` prints them, and a notice when the file goes on. */
export function numberedPage(page: {
  readonly lines: readonly string[];
  readonly firstLine: number;
  readonly totalLines: number;
  /** The page is the start of one line that is longer than a page. */
  readonly halfLine: boolean;
}): string {
  const numbered = page.lines.map(
    (line, index) =>
      `${String(page.firstLine + index).padStart(6)}\t${cut(line, { number: page.firstLine + index, goesOn: page.halfLine })}`,
  );
  const next = page.firstLine + page.lines.length;
  if (next <= page.totalLines) {
    const range = `lines ${grouped(page.firstLine)} to ${grouped(next - 1)} of ${grouped(page.totalLines)}`;
    numbered.push('', `[PARTIAL: ${range}. Read on with offset ${next}, or look for what you need with Grep.]`);
  }
  return numbered.join('\n');
}

function cut(line: string, { number, goesOn }: { readonly number: number; readonly goesOn: boolean }): string {
  if (line.length <= maxLineChars) return line;
  const shown = headOf(line, maxLineChars);
  const length = `${goesOn ? 'more than ' : ''}${grouped(line.length)} characters`;
  return `${shown} [line cut: ${length}; read on with offset ${number} and column ${shown.length + 1}]`;
}

/** Characters of one long line, and a notice when it goes on. */
export function columnPage(page: {
  readonly text: string;
  readonly line: number;
  /** Of the first character, from 1. */
  readonly column: number;
  readonly lineChars: number;
  readonly totalLines: number;
}): string {
  const { text, line, column, lineChars, totalLines } = page;
  const next = column + text.length;
  const range = `characters ${grouped(column)} to ${grouped(next - 1)} of ${grouped(lineChars)} in line ${grouped(line)}`;
  if (next <= lineChars) {
    return `${text}\n\n[PARTIAL: ${range}. Read on with offset ${line} and column ${next}, or look for what you need with Grep.]`;
  }
  const after = line < totalLines ? ` The next line has offset ${line + 1}.` : '';
  return `${text}\n\n[${range}, its end.${after}]`;
}
