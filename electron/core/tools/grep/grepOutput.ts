import { resolve } from 'node:path';
import type { OperationAnswers, OperationOf } from '#shared/api/executor';
import { shortPath } from '../paths';
import { grouped, headOf } from '../wording';

/** Lines of minified files and data are cut; Read shows them where they matter. */
const maxLineChars = 500;

export interface GrepOutput {
  readonly mode: OperationOf<'search.grep'>['mode'];
  /** Files relative to the current folder, or lines as ripgrep prints them. */
  readonly lines: readonly string[];
  /** The folder that paths in `lines` start from, where that is not the current folder. */
  readonly base: string | null;
  readonly offset: number;
  readonly total: number;
  readonly truncated: boolean;
}

/** What the executor found, in the terms of the current folder. */
export function grepOutput(found: {
  readonly answer: Extract<OperationAnswers['search.grep'], { kind: 'lines' }>;
  readonly mode: OperationOf<'search.grep'>['mode'];
  readonly offset: number;
  /** The folder that the executor's paths start from. */
  readonly base: string;
  readonly cwd: string;
}): GrepOutput {
  const { answer, mode, offset, base, cwd } = found;
  const { total, truncated } = answer;
  if (mode === 'files_with_matches') {
    const lines = answer.lines.map((file) => shortPath(resolve(base, file), cwd));
    return { mode, lines, base: null, offset, total, truncated };
  }
  const shownBase = base === cwd ? null : shortPath(base, cwd);
  return { mode, lines: answer.lines.map(cut), base: shownBase, offset, total, truncated };
}

/** The result as the model reads it. */
export function grepText(output: GrepOutput): string {
  const { lines, base, offset, total, truncated } = output;
  if (lines.length === 0) {
    if (offset > 0 && total > 0)
      return `Only ${grouped(total)} lines of output; offset ${grouped(offset)} is after them.`;
    return 'No matches.';
  }
  const head = base === null ? [] : [`[Paths start from ${base}.]`];
  const next = offset + lines.length;
  const shown = `${grouped(offset + 1)} to ${grouped(next)} of ${grouped(total)}`;
  const rest = truncated ? ['', `[Lines ${shown}. Go on with offset ${next}, or narrow the search.]`] : [];
  return [...head, ...lines, ...rest].join('\n');
}

function cut(line: string): string {
  return line.length <= maxLineChars
    ? line
    : `${headOf(line, maxLineChars)} [line cut: ${grouped(line.length)} characters]`;
}
