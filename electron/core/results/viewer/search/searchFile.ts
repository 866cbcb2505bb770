// Reads a file from start to end and finds in it; each step of the generator is short, save for a slow expression.
import { readSync } from 'node:fs';
import type { SearchQuery } from '#shared/api/results';
import { beforeCharacter } from '../utf8';
import type { SearchJob } from './fileSearch';
import { LiteralFinder } from './literalFinder';
import type { MatchBatch } from './matchStore';
import { RegexFinder } from './regexFinder';
import { requiredText } from './requiredText';

const pieceBytes = 524_288;
/** In a longer line, a match of an expression is found where it has at most so many bytes. */
const longestMatch = 65_536;
/** Lines are tried one by one when what they must hold is further apart than so many bytes in the mean. */
const fewBytes = 1_000;
const lineFeed = 10;

/** Whether a text is found without an expression: byte for byte, or in letters of which there are just two cases. */
export const isLiteral = ({ text, regex, caseSensitive }: SearchQuery): boolean =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: ASCII is meant.
  !regex && (caseSensitive || /^[\x00-\x7f]*$/.test(text));

/** Tells what is found, piece by piece. Throws the errno error when the file cannot be read. */
export function searchFile(job: SearchJob): Generator<MatchBatch> {
  return isLiteral(job.query) ? literally(job) : byExpression(job);
}

function readPiece(job: SearchJob, into: Buffer, position: number): number {
  const wanted = Math.min(into.length, job.size - position);
  let read = 0;
  while (read < wanted) {
    const bytes = readSync(job.descriptor, into, read, wanted - read, position + read);
    if (bytes === 0) break;
    read += bytes;
  }
  return read;
}

function* literally(job: SearchJob): Generator<MatchBatch> {
  const { query, size } = job;
  const finder = new LiteralFinder(Buffer.from(query.text), query.caseSensitive);
  const { piece, longest } = finder;
  const lines = new LineEnds();
  for (let position = 0; position < size; ) {
    const read = readPiece(job, piece, position);
    const atEnd = read < piece.length || position + read >= size;
    const found = finder.find(read);
    const bytes = piece.subarray(0, read);
    lines.enter(bytes, { origin: position, from: 0 });
    const starts = new Float64Array(found.length);
    const firsts = new Uint8Array(found.length);
    for (let at = 0; at < found.length; at += 1) {
      const start = found[at] ?? 0;
      starts[at] = position + start;
      firsts[at] = lines.isFirst(bytes, start) ? 1 : 0;
    }
    // What may begin at the end is looked at again with more behind it; what was found is passed.
    const last = found.at(-1);
    const behind = Math.max(read - longest + 1, last === undefined ? 0 : last + longest);
    position = atEnd && !finder.isFull ? size : position + (finder.isFull ? (last ?? 0) + longest : behind);
    yield { starts, lengths: new Uint32Array(found.length).fill(longest), firsts, bytesDone: Math.min(position, size) };
  }
}

function* byExpression(job: SearchJob): Generator<MatchBatch> {
  const { query, size } = job;
  const finder = new RegexFinder(query);
  const required = query.regex ? requiredText(query.text, query.caseSensitive) : null;
  const sieve = required === null ? null : new LiteralFinder(Buffer.from(required), query.caseSensitive, pieceBytes);
  const whole = sieve?.piece ?? Buffer.allocUnsafeSlow(pieceBytes);
  const lines = new LineEnds();
  /** Where the search goes on, and how much before that is looked back at. */
  let position = 0;
  let context = 0;
  while (position < size) {
    const origin = position - context;
    const read = readPiece(job, whole, origin);
    const atEnd = read < whole.length || origin + read >= size;
    const lastLineEnd = whole.subarray(0, read).lastIndexOf(lineFeed);
    const isAligned = atEnd || lastLineEnd >= context;
    const to = atEnd ? read : isAligned ? lastLineEnd + 1 : beforeCharacter(whole, read - 4);
    const upTo = isAligned ? to : beforeCharacter(whole, to - longestMatch);
    const piece = whole.subarray(0, to);
    const starts: number[] = [];
    const lengths: number[] = [];
    const firsts: number[] = [];
    let behind = upTo;
    lines.enter(piece, { origin, from: context });
    const found = (start: number, length: number): void => {
      starts.push(origin + start);
      lengths.push(length);
      firsts.push(lines.isFirst(piece, start) ? 1 : 0);
      behind = Math.max(behind, start + length);
    };
    const few = sieve === null || !isAligned || context > 0 ? null : fewLines(piece, sieve);
    if (few === null) finder.find(piece, { context, upTo }, found);
    else
      for (const { from, end } of few) {
        const line = piece.subarray(from, end);
        finder.find(line, { context: 0, upTo: line.length }, (start, length) => found(from + start, length));
      }
    position = atEnd ? size : origin + behind;
    context = isAligned ? 0 : Math.min(longestMatch, behind);
    yield {
      starts: Float64Array.from(starts),
      lengths: Uint32Array.from(lengths),
      firsts: Uint8Array.from(firsts),
      bytesDone: position,
    };
  }
}

/** The lines that hold what every match holds; null when they are so many that trying all at once is quicker. */
function fewLines(piece: Buffer, sieve: LiteralFinder): { readonly from: number; readonly end: number }[] | null {
  const found = sieve.find(piece.length);
  if (found.length * fewBytes > piece.length) return null;
  const lines: { from: number; end: number }[] = [];
  let behind = 0;
  for (const start of found) {
    if (start < behind) continue;
    const from = piece.lastIndexOf(lineFeed, start) + 1;
    const lineEnd = piece.indexOf(lineFeed, start);
    const end = lineEnd < 0 ? piece.length : lineEnd;
    lines.push({ from, end });
    behind = end;
  }
  return lines;
}

/** Tells whether a match is the first of its line, over all pieces of a file. */
class LineEnds {
  private origin = 0;
  /** Where the line of the last match ends, in bytes of the file; Infinity as long as it has not ended. */
  private end = -1;

  /** A new piece begins; up to `from` it was seen before. */
  enter(piece: Buffer, { origin, from }: { readonly origin: number; readonly from: number }): void {
    this.origin = origin;
    if (this.end === Number.POSITIVE_INFINITY) this.end = this.endFrom(piece, from);
  }

  isFirst(piece: Buffer, start: number): boolean {
    if (this.origin + start <= this.end) return false;
    this.end = this.endFrom(piece, start);
    return true;
  }

  private endFrom(piece: Buffer, from: number): number {
    const end = piece.indexOf(lineFeed, from);
    return end < 0 ? Number.POSITIVE_INFINITY : this.origin + end;
  }
}
