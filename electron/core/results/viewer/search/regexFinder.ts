// Regular expressions on the lines of a file. Many lines are tried at once, in such a way that each is matched by itself.
import { isAscii } from 'node:buffer';
import type { SearchQuery } from '#shared/api/results';
import { RpcError } from '#shared/rpc/errors';
import { byteAfter } from '../utf8';

/** What was found in a piece of a file, in bytes from the piece's start. */
export type OnMatch = (start: number, length: number) => void;

/** The expression of a query. Throws RpcError `invalid` with what is wrong with it. */
export function expressionOf(query: SearchQuery): RegExp {
  const source = query.regex ? query.text : query.text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
  try {
    return new RegExp(source, query.caseSensitive ? 'gmu' : 'gimu');
  } catch (error) {
    const said = error instanceof Error ? error.message : String(error);
    const what = said.slice(said.lastIndexOf(': ') + 2);
    throw new RpcError('invalid', `This is no regular expression: ${what.charAt(0).toLowerCase()}${what.slice(1)}.`);
  }
}

export class RegexFinder {
  private readonly expression: RegExp;
  /** What looks around sees over line ends; then each line is tried alone. */
  private readonly looksAround: boolean;

  constructor(query: SearchQuery) {
    this.expression = expressionOf(query);
    this.looksAround = query.regex && /\(\?<?[=!]/.test(query.text);
  }

  /**
   * Finds all in `piece`. Up to `context` it was searched before: that much is only looked back at, and the line goes on
   * there when `context` is more than 0. Nothing is told of matches that begin at or after `upTo`.
   */
  find(piece: Buffer, { context, upTo }: { readonly context: number; readonly upTo: number }, onMatch: OnMatch): void {
    const ascii = isAscii(piece);
    const text = piece.toString(ascii ? 'latin1' : 'utf8');
    let knownChar = 0;
    let knownByte = 0;
    const byteOf = (char: number): number => {
      if (ascii) return char;
      if (char < knownChar) return byteAfter(piece, { from: 0, to: piece.length }, char);
      knownByte = byteAfter(piece, { from: knownByte, to: piece.length }, char - knownChar);
      knownChar = char;
      return knownByte;
    };
    const tell = (char: number, length: number): boolean => {
      const start = byteOf(char);
      if (start >= upTo) return false;
      onMatch(start, length === 0 ? 0 : byteOf(char + length) - start);
      return true;
    };

    const begin = ascii || context === 0 ? context : charsUpTo(piece, context);
    if (!this.looksAround) this.findIn(text, { from: begin, to: text.length }, tell);
    else
      for (let from = begin; from < text.length; ) {
        const end = endOfLine(text, from);
        const lineStart = from === begin && context > 0 ? 0 : from;
        if (!this.findAlone(text, { lineStart, from, end: withoutReturn(text, from, end) }, tell)) return;
        from = end + 1;
      }
  }

  /** Tries everything at once; where a match goes over a line end, its line is tried alone. */
  private findIn(text: string, range: { readonly from: number; readonly to: number }, tell: Tell): void {
    const { expression } = this;
    expression.lastIndex = range.from;
    for (let match = expression.exec(text); match !== null; match = expression.exec(text)) {
      const { index } = match;
      const [{ length }] = match;
      const end = endOfLine(text, index);
      if (index + length > end) {
        const lineStart = text.lastIndexOf('\n', index - 1) + 1;
        if (!this.findAlone(text, { lineStart, from: index, end: withoutReturn(text, index, end) }, tell)) return;
        if (end >= text.length) return;
        expression.lastIndex = end + 1;
        continue;
      }
      if (length === 0) {
        // Nothing is a find only where the line begins, or else every line would be full of it.
        if ((index === 0 || text.charCodeAt(index - 1) === 10) && index < text.length && !tell(index, 0)) return;
        expression.lastIndex = index + (isPair(text, index) ? 2 : 1);
        continue;
      }
      const shown =
        text.charCodeAt(index + length - 1) === 13 && text.charCodeAt(index + length) === 10 ? length - 1 : length;
      if (shown > 0 && !tell(index, shown)) return;
    }
  }

  private findAlone(
    text: string,
    { lineStart, from, end }: { readonly lineStart: number; readonly from: number; readonly end: number },
    tell: Tell,
  ): boolean {
    const line = text.slice(lineStart, end);
    const expression = new RegExp(this.expression);
    expression.lastIndex = from - lineStart;
    for (let match = expression.exec(line); match !== null; match = expression.exec(line)) {
      const { index } = match;
      const [{ length }] = match;
      if (length === 0) expression.lastIndex = index + (isPair(line, index) ? 2 : 1);
      if ((length > 0 || index === 0) && !tell(lineStart + index, length)) return false;
    }
    return true;
  }
}

/** Whether to go on. */
type Tell = (char: number, length: number) => boolean;

function endOfLine(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  return end < 0 ? text.length : end;
}

const withoutReturn = (text: string, from: number, end: number): number =>
  end > from && text.charCodeAt(end - 1) === 13 ? end - 1 : end;

function isPair(text: string, at: number): boolean {
  const code = text.codePointAt(at);
  return code !== undefined && code > 0xffff;
}

const charsUpTo = (piece: Buffer, byte: number): number => piece.toString('utf8', 0, byte).length;
