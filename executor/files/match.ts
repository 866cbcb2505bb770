// Finds text in a file's bytes without decoding it. A line feed in the text stands for either line ending, so that
// text as a reader sees it matches files of both kinds, also mixed ones.

const carriageReturn = 0x0d;
const lineFeed = 0x0a;

/** One place where the text stands; offsets in bytes. `endings` are its line endings, in order. */
export interface Match {
  readonly start: number;
  readonly end: number;
  readonly endings: readonly LineEnding[];
}

export type LineEnding = '\n' | '\r\n';

/** All places, from the start, without overlaps. `text` must not be empty. */
export function findAll(bytes: Buffer, text: string): Match[] {
  const segments = linesOf(text).map((line) => Buffer.from(line, 'utf8'));
  const matches: Match[] = [];
  for (let from = 0; ; ) {
    const start = nextCandidate(bytes, segments, from);
    if (start < 0) return matches;
    const match = matchAt(bytes, start, segments);
    if (match !== undefined) matches.push(match);
    from = match === undefined ? start + 1 : match.end;
  }
}

/** Lines without their endings. */
export function linesOf(text: string): string[] {
  return text.replaceAll('\r\n', '\n').split('\n');
}

function nextCandidate(bytes: Buffer, segments: readonly Buffer[], from: number): number {
  const [first] = segments;
  if (first !== undefined && first.length > 0) return bytes.indexOf(first, from);
  // The text begins with a line ending.
  const at = bytes.indexOf(lineFeed, from);
  return at > from && bytes[at - 1] === carriageReturn ? at - 1 : at;
}

function matchAt(bytes: Buffer, start: number, segments: readonly Buffer[]): Match | undefined {
  const endings: LineEnding[] = [];
  let at = start;
  for (const [index, segment] of segments.entries()) {
    if (index > 0) {
      const ending = endingAt(bytes, at);
      if (ending === undefined) return undefined;
      endings.push(ending);
      at += ending.length;
    }
    if (bytes.compare(segment, 0, segment.length, at, Math.min(bytes.length, at + segment.length)) !== 0)
      return undefined;
    at += segment.length;
  }
  return { start, end: at, endings };
}

function endingAt(bytes: Buffer, at: number): LineEnding | undefined {
  if (bytes[at] === lineFeed) return '\n';
  return bytes[at] === carriageReturn && bytes[at + 1] === lineFeed ? '\r\n' : undefined;
}

/** The ending of the line at an offset; of the line before when it is the last one; undefined in a file of one line. */
export function endingAround(bytes: Buffer, at: number): LineEnding | undefined {
  const next = bytes.indexOf(lineFeed, at);
  const found = next >= 0 ? next : bytes.lastIndexOf(lineFeed, at);
  if (found < 0) return undefined;
  return found > 0 && bytes[found - 1] === carriageReturn ? '\r\n' : '\n';
}

/** Number of the line at an offset, from 1. */
export function lineAt(bytes: Buffer, offset: number): number {
  let line = 1;
  for (let at = bytes.indexOf(lineFeed); at >= 0 && at < offset; at = bytes.indexOf(lineFeed, at + 1)) line += 1;
  return line;
}
