// Why text was not found, in words that help to find it at the next try.
import { linesOf } from './match';

/** Larger files are not searched for near misses. */
const largestSearched = 5_000_000;

/** One or two sentences: what comes close, and what to do. */
export function explainMiss(bytes: Buffer, oldString: string): string {
  const again = 'Read the file again and copy the text exactly as it stands there.';
  if (bytes.length > largestSearched) return again;
  const file = linesOf(bytes.toString('utf8'));
  const wanted = linesOf(oldString);
  const spaced = findLoosely(file, wanted, collapseSpace);
  if (spaced !== undefined) {
    const line = file[spaced.line + spaced.differs] ?? '';
    return `Line ${spaced.line + 1} has the same text with other white space (there: ${show(line)}, given: ${show(wanted[spaced.differs] ?? '')}). Copy blanks and tabs exactly.`;
  }
  const numbered = wanted.map((line) => line.replace(/^\s*\d+(\t|→|\| ?|: ?)/, ''));
  if (
    numbered.some((line, index) => line !== wanted[index]) &&
    findLoosely(file, numbered, collapseSpace) !== undefined
  )
    return 'It is there without the line numbers at the start of the lines. Leave the numbers out.';
  const unescaped = linesOf(oldString.replaceAll('\\n', '\n').replaceAll('\\t', '\t').replaceAll('\\"', '"'));
  if (findLoosely(file, unescaped, collapseSpace) !== undefined)
    return 'It is there without the backslashes (as real line ends, tabs or quotes). Give the text unescaped.';
  const typographic = findLoosely(file, wanted, (line) => collapseSpace(plainQuotes(line)));
  if (typographic !== undefined)
    return `Line ${typographic.line + 1} has the same text with other quotation marks or dashes (there: ${show(file[typographic.line + typographic.differs] ?? '')}). Copy them exactly.`;
  const otherCase = findLoosely(file, wanted, (line) => collapseSpace(line).toLowerCase());
  if (otherCase !== undefined)
    return `Line ${otherCase.line + 1} has the same text in other upper and lower case. Copy it exactly.`;
  const partial = longestStart(file, wanted);
  if (partial !== undefined)
    return `From line ${partial.line + 1} on ${partial.lines} ${partial.lines === 1 ? 'line agrees' : 'lines agree'}; then the file has ${show(file[partial.line + partial.lines] ?? '')} where the text has ${show(wanted[partial.lines] ?? '')}. ${again}`;
  return again;
}

interface Near {
  /** Index of the file's line where it begins. */
  readonly line: number;
  /** Index within the text of the first line that is not exactly the same. */
  readonly differs: number;
}

function findLoosely(
  file: readonly string[],
  wanted: readonly string[],
  norm: (line: string) => string,
): Near | undefined {
  const loose = trimEmpty(wanted.map(norm));
  const [first] = loose.lines;
  if (first === undefined) return undefined;
  const single = loose.lines.length === 1;
  for (let line = 0; line + loose.lines.length <= file.length; line += 1) {
    const fits = loose.lines.every((text, index) => {
      const have = norm(file[line + index] ?? '');
      return (
        have === text ||
        ((single || index === 0 || index === loose.lines.length - 1) && text !== '' && have.includes(text))
      );
    });
    if (!fits) continue;
    const start = line - loose.skipped;
    const differs = wanted.findIndex((text, index) => !(file[start + index] ?? '').includes(text));
    return { line: start, differs: Math.max(0, differs) };
  }
  return undefined;
}

/** How many lines agree from the text's first line on, where that is most. */
function longestStart(file: readonly string[], wanted: readonly string[]): { line: number; lines: number } | undefined {
  let best: { line: number; lines: number } | undefined;
  if ((wanted[0] ?? '').trim() === '') return undefined;
  for (let line = 0; line < file.length; line += 1) {
    let lines = 0;
    while (lines < wanted.length && line + lines < file.length && file[line + lines] === wanted[lines]) lines += 1;
    if (lines > (best?.lines ?? 0)) best = { line, lines };
  }
  return best;
}

function trimEmpty(lines: readonly string[]): { readonly lines: readonly string[]; readonly skipped: number } {
  const start = lines.findIndex((line) => line !== '');
  const end = lines.findLastIndex((line) => line !== '');
  return start < 0 ? { lines: [], skipped: 0 } : { lines: lines.slice(start, end + 1), skipped: start };
}

function collapseSpace(line: string): string {
  return line.replace(/\s+/g, ' ').trim();
}

function plainQuotes(line: string): string {
  return line
    .replace(/[\u2018\u2019\u201B]/g, "'")
    .replace(/[\u201C\u201D]/g, '"')
    .replace(/[\u2010-\u2015]/g, '-')
    .replace(/\u2026/g, '...');
}

function show(line: string): string {
  return JSON.stringify(line.length > 120 ? `${line.slice(0, 120)}…` : line);
}
