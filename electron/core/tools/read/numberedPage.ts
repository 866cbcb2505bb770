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
    (line, index) => `${String(page.firstLine + index).padStart(6)}\t${cut(line, page.halfLine)}`,
  );
  const next = page.firstLine + page.lines.length;
  if (next <= page.totalLines) {
    const range = `lines ${grouped(page.firstLine)} to ${grouped(next - 1)} of ${grouped(page.totalLines)}`;
    numbered.push('', `[PARTIAL: ${range}. Read on with offset ${next}, or look for what you need with Grep.]`);
  }
  return numbered.join('\n');
}

function cut(line: string, goesOn: boolean): string {
  if (line.length <= maxLineChars) return line;
  return `${headOf(line, maxLineChars)} [line cut: ${goesOn ? 'more than ' : ''}${grouped(line.length)} characters]`;
}
