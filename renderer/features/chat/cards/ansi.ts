// Command output → lines of styled text. Only SGR (colour and weight) is interpreted, plus what redraws a line in
// place (carriage return, backspace, moves and erasing within the line); every other escape sequence is dropped,
// never shown or obeyed.

/** A palette index (0 to 15, mapped to the theme) or a fixed colour. */
export type AnsiColor =
  | { readonly kind: 'palette'; readonly index: number }
  | { readonly kind: 'rgb'; readonly r: number; readonly g: number; readonly b: number };

export interface AnsiStyle {
  readonly fg: AnsiColor | null;
  readonly bg: AnsiColor | null;
  readonly bold: boolean;
  readonly dim: boolean;
  readonly italic: boolean;
  readonly underline: boolean;
  readonly inverse: boolean;
  readonly strike: boolean;
}

export interface AnsiSpan {
  readonly text: string;
  readonly style: AnsiStyle;
}
export type AnsiLine = readonly AnsiSpan[];

export const plainStyle: AnsiStyle = {
  fg: null,
  bg: null,
  bold: false,
  dim: false,
  italic: false,
  underline: false,
  inverse: false,
  strike: false,
};

interface Cell {
  readonly char: string;
  readonly style: AnsiStyle;
}

/** A command can print one endless line; beyond this many characters a line is cut, and nobody reads it anyway. */
const maxLineChars = 10_000;

/** Parses text with escape sequences. An incomplete sequence at the end is dropped; a final newline makes no empty line. */
export function parseAnsi(text: string): AnsiLine[] {
  const lines: AnsiLine[] = [];
  let cells: Cell[] = [];
  let column = 0;
  let style = plainStyle;
  let at = 0;

  while (at < text.length) {
    const code = text.codePointAt(at) ?? 0;
    if (code === 0x1b || (code >= 0x80 && code <= 0x9f)) {
      const sequence = readSequence(text, at);
      if (sequence === null) break;
      at = sequence.end;
      if (sequence.final === 'm') style = applySgr(style, sequence.params);
      else if (sequence.final === 'K') cells = eraseInLine(cells, column, sequence.params);
      else column = movedInLine(column, sequence);
      continue;
    }
    at += code > 0xffff ? 2 : 1;
    if (code === 0x0a) {
      lines.push(toSpans(cells));
      cells = [];
      column = 0;
    } else if (code === 0x0d) column = 0;
    else if (code === 0x08) column = Math.max(0, column - 1);
    else if ((code >= 0x20 && code !== 0x7f) || code === 0x09) {
      if (column >= maxLineChars) continue;
      while (cells.length < column) cells.push({ char: ' ', style: plainStyle });
      cells[column] = { char: String.fromCodePoint(code), style };
      column += 1;
    }
  }
  if (cells.length > 0) lines.push(toSpans(cells));
  return lines;
}

/** The text alone, as it stands on screen. */
export function plainText(lines: readonly AnsiLine[]): string {
  return lines.map((line) => line.map((span) => span.text).join('')).join('\n');
}

/** A part of a text with its place in it. */
export interface StyledPiece {
  readonly at: number;
  readonly text: string;
  readonly style: AnsiStyle;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences begin with one.
const colourSequence = /(?:\u001b\[|\u009b)([\d;:]*)m/g;

/**
 * Splits text where its colours change, beginning with a style. Only colour and weight are taken out; every other sequence
 * stays text, as in a file that nobody runs. `style` is the one at the end.
 */
export function colouredPieces(
  text: string,
  before: AnsiStyle = plainStyle,
): { readonly pieces: readonly StyledPiece[]; readonly style: AnsiStyle } {
  const pieces: StyledPiece[] = [];
  let style = before;
  let from = 0;
  for (const match of text.matchAll(colourSequence)) {
    if (match.index > from) pieces.push({ at: from, text: text.slice(from, match.index), style });
    style = applySgr(style, match[1] ?? '');
    from = match.index + match[0].length;
  }
  if (from < text.length) pieces.push({ at: from, text: text.slice(from), style });
  return { pieces, style };
}

/** Text without the sequences for colour and weight. */
export function withoutColours(text: string): string {
  return text.replaceAll(colourSequence, '');
}

interface Sequence {
  readonly end: number;
  /** Final byte of a control sequence; empty for every other kind. */
  readonly final: string;
  readonly params: string;
}

/** Reads one escape sequence at `start`; null when the text ends inside it. */
function readSequence(text: string, start: number): Sequence | null {
  const first = text.charCodeAt(start);
  let at = start + 1;
  let kind: string;
  if (first === 0x1b) {
    if (at >= text.length) return null;
    kind = text.charAt(at);
    at += 1;
  } else {
    // The eight-bit forms of the same introducers: CSI, OSC, DCS, SOS, PM, APC.
    kind = { 155: '[', 157: ']', 144: 'P', 152: 'X', 158: '^', 159: '_' }[first] ?? '';
    if (kind === '') return { end: at, final: '', params: '' };
  }
  if (kind === '[') return readControlSequence(text, at);
  if (']PX^_'.includes(kind)) return readString(text, at);
  // Intermediate bytes (charset selection and the like) precede one final byte.
  if (kind >= ' ' && kind <= '/') {
    while (at < text.length && text.charAt(at) >= ' ' && text.charAt(at) <= '/') at += 1;
    return at < text.length ? { end: at + 1, final: '', params: '' } : null;
  }
  return { end: at, final: '', params: '' };
}

function readControlSequence(text: string, start: number): Sequence | null {
  for (let at = start; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code >= 0x40 && code <= 0x7e) return { end: at + 1, final: text.charAt(at), params: text.slice(start, at) };
    // A byte that cannot belong to a sequence ends it, so that garbage swallows no text.
    if (code < 0x20 || code > 0x3f) return { end: at, final: '', params: '' };
  }
  return null;
}

/** Reads an operating-system command or similar string up to BEL or ST. */
function readString(text: string, start: number): Sequence | null {
  for (let at = start; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 0x07 || code === 0x9c) return { end: at + 1, final: '', params: '' };
    if (code === 0x1b) {
      if (at + 1 >= text.length) return null;
      return text.charAt(at + 1) === '\\' ? { end: at + 2, final: '', params: '' } : { end: at, final: '', params: '' };
    }
  }
  return null;
}

function eraseInLine(cells: readonly Cell[], column: number, params: string): Cell[] {
  if (params === '' || params === '0') return cells.slice(0, column);
  if (params === '2') return [];
  if (params === '1') return cells.map((cell, index) => (index <= column ? { char: ' ', style: plainStyle } : cell));
  return [...cells];
}

/** Spinners and bars go back by a sequence as often as by a carriage return. */
function movedInLine(column: number, { final, params }: Sequence): number {
  const number = /^\d{0,5}$/.test(params) ? Math.max(1, Number(params)) : null;
  if (number === null) return column;
  if (final === 'G') return Math.min(number - 1, maxLineChars);
  if (final === 'C') return Math.min(column + number, maxLineChars);
  if (final === 'D') return Math.max(0, column - number);
  return column;
}

function toSpans(cells: readonly Cell[]): AnsiLine {
  const spans: { text: string; style: AnsiStyle }[] = [];
  for (const cell of cells) {
    const last = spans.at(-1);
    if (last !== undefined && last.style === cell.style) last.text += cell.char;
    else spans.push({ text: cell.char, style: cell.style });
  }
  return spans;
}

function applySgr(before: AnsiStyle, params: string): AnsiStyle {
  // Private parameters such as `>4;2` are key modes of other programs, not colours.
  if (/[^\d;:]/.test(params)) return before;
  const numbers = params.split(/[;:]/).map((part) => (part === '' ? 0 : Number(part)));
  let style = before;
  for (let index = 0; index < numbers.length; index += 1) {
    const number = numbers[index] ?? 0;
    if (number === 38 || number === 48) {
      const extended = readExtendedColor(numbers, index + 1);
      index = extended.last;
      if (extended.color !== null) style = { ...style, [number === 38 ? 'fg' : 'bg']: extended.color };
    } else style = applyOne(style, number);
  }
  return style;
}

function applyOne(style: AnsiStyle, number: number): AnsiStyle {
  if (number >= 30 && number <= 37) return { ...style, fg: { kind: 'palette', index: number - 30 } };
  if (number >= 90 && number <= 97) return { ...style, fg: { kind: 'palette', index: number - 82 } };
  if (number >= 40 && number <= 47) return { ...style, bg: { kind: 'palette', index: number - 40 } };
  if (number >= 100 && number <= 107) return { ...style, bg: { kind: 'palette', index: number - 92 } };
  switch (number) {
    case 0:
      return plainStyle;
    case 1:
      return { ...style, bold: true };
    case 2:
      return { ...style, dim: true };
    case 3:
      return { ...style, italic: true };
    case 4:
      return { ...style, underline: true };
    case 7:
      return { ...style, inverse: true };
    case 9:
      return { ...style, strike: true };
    case 22:
      return { ...style, bold: false, dim: false };
    case 23:
      return { ...style, italic: false };
    case 24:
      return { ...style, underline: false };
    case 27:
      return { ...style, inverse: false };
    case 29:
      return { ...style, strike: false };
    case 39:
      return { ...style, fg: null };
    case 49:
      return { ...style, bg: null };
    default:
      return style;
  }
}

/** `5;n` or `2;r;g;b` after 38 or 48. `last` is the index of the last number that belongs to it. */
function readExtendedColor(numbers: readonly number[], at: number): { color: AnsiColor | null; last: number } {
  if (numbers[at] === 5) {
    const index = numbers[at + 1];
    return { color: index === undefined || index > 255 ? null : fromTable(index), last: at + 1 };
  }
  if (numbers[at] === 2) {
    const [r, g, b] = numbers.slice(at + 1, at + 4);
    const valid = r !== undefined && g !== undefined && b !== undefined && Math.max(r, g, b) <= 255;
    return { color: valid ? { kind: 'rgb', r, g, b } : null, last: at + 3 };
  }
  return { color: null, last: at };
}

function fromTable(index: number): AnsiColor {
  if (index < 16) return { kind: 'palette', index };
  if (index >= 232) {
    const grey = 8 + (index - 232) * 10;
    return { kind: 'rgb', r: grey, g: grey, b: grey };
  }
  const cube = index - 16;
  const level = (step: number) => (step === 0 ? 0 : 55 + step * 40);
  return {
    kind: 'rgb',
    r: level(Math.floor(cube / 36)),
    g: level(Math.floor(cube / 6) % 6),
    b: level(cube % 6),
  };
}
