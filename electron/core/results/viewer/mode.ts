// How a file can be shown, told by how it begins. Names say nothing: whoever made the file chose them.
import type { ResultMode } from '#shared/api/results';
import { looksLikeText } from './utf8';

/** Enough of a file's start to tell. */
export const sniffBytes = 65_536;
/** Larger files are not taken apart as JSON or a table. */
export const maxStructuredBytes = 67_108_864;

const signatures: readonly (readonly [mediaType: string, fits: (head: Buffer) => boolean])[] = [
  ['image/png', (head) => head.subarray(0, 8).equals(Buffer.from('89504e470d0a1a0a', 'hex'))],
  ['image/jpeg', (head) => head[0] === 0xff && head[1] === 0xd8 && head[2] === 0xff],
  ['image/gif', (head) => /^GIF8[79]a/.test(head.toString('latin1', 0, 6))],
  ['image/webp', (head) => head.toString('latin1', 0, 4) === 'RIFF' && head.toString('latin1', 8, 12) === 'WEBP'],
];

/** The media type of a picture; null when it is none that can be shown. */
export function imageTypeOf(head: Buffer): string | null {
  return signatures.find(([, fits]) => fits(head))?.[0] ?? null;
}

export interface Shape {
  /** The most fitting first. */
  readonly modes: readonly ResultMode[];
  readonly encoding: 'utf-8' | 'binary';
}

/** `head` is the start of a file of `bytes`. */
export function shapeOf(head: Buffer, bytes: number): Shape {
  if (imageTypeOf(head) !== null) return { modes: ['image', 'hex'], encoding: 'binary' };
  if (!looksLikeText(head)) return { modes: ['hex', 'text'], encoding: 'binary' };
  const structured = bytes > maxStructuredBytes ? null : structureOf(head.toString('utf8'), head.length >= bytes);
  switch (structured) {
    case 'object':
      return { modes: ['json', 'text', 'hex'], encoding: 'utf-8' };
    case 'list':
    case 'lines':
      return { modes: ['json', 'table', 'text', 'hex'], encoding: 'utf-8' };
    case 'table':
      return { modes: ['table', 'text', 'hex'], encoding: 'utf-8' };
    case 'maybeTable':
      return { modes: ['text', 'table', 'hex'], encoding: 'utf-8' };
    case null:
      return { modes: ['text', 'hex'], encoding: 'utf-8' };
  }
}

type Structure = 'object' | 'list' | 'lines' | 'table' | 'maybeTable' | null;

function structureOf(head: string, isWhole: boolean): Structure {
  const text = head.replace(/^\ufeff/, '');
  if (/^\s*[{[]/.test(text)) {
    if (isLinesOfJson(text, isWhole)) return 'lines';
    if (isWhole ? isJson(text) : /^\s*(\{\s*"|\[\s*[[{"\d\-tfn])/.test(text))
      return /^\s*\[\s*\{/.test(text) ? 'list' : 'object';
  }
  const separator = separatorOf(text, isWhole);
  return separator === null ? null : separator.sure ? 'table' : 'maybeTable';
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Complete lines of the start, without empty ones. */
function linesOf(text: string, isWhole: boolean): string[] {
  const lines = text.split(/\r?\n/);
  if (!isWhole && lines.length > 1) lines.pop();
  return lines.filter((line) => line.trim() !== '').slice(0, 50);
}

/** Whether a text has a JSON object or list on each line, and at least two. */
export function isLinesOfJson(text: string, isWhole: boolean): boolean {
  const lines = linesOf(text, isWhole);
  return lines.length > 1 && lines.every((line) => /^\s*[{[]/.test(line) && isJson(line));
}

export interface Separator {
  readonly mark: ',' | '\t' | ';';
  /** Whether it is hardly anything but a table. */
  readonly sure: boolean;
}

/** What stands between the cells of a table; null when it is none. */
export function separatorOf(text: string, isWhole: boolean): Separator | null {
  const quoted = /"(?:[^"]|"")*"/g;
  const byLine = linesOf(text, isWhole).map((line) => line.replace(quoted, ''));
  // A cell in quotes may hold line ends.
  return evenly(byLine) ?? (text.includes('"') ? evenly(linesOf(text.replace(quoted, ''), isWhole)) : null);
}

/** What stands equally often in all lines. */
function evenly(all: readonly string[]): Separator | null {
  const lines = all.slice(0, 20);
  if (lines.length < 2) return null;
  for (const mark of ['\t', ',', ';'] as const) {
    const counts = lines.map((line) => line.split(mark).length - 1);
    const [first = 0] = counts;
    if (first === 0 || counts.some((count) => count !== first)) continue;
    // Sentences have commas, too, but hardly as many in each line.
    return { mark, sure: lines.length >= 4 && (mark === '\t' || first >= 2) };
  }
  return null;
}
