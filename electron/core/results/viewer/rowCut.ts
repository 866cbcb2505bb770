// Where a very long line is cut into rows: never within a character or an escape sequence.
import { beforeCharacter } from './utf8';

/** Bytes of a row; a longer line is cut into parts of about so many. */
export const rowBytes = 4_096;
/** No row is longer, whatever stands in it. */
export const maxRowBytes = 2 * rowBytes;

const ESC = 0x1b;
const BEL = 0x07;
const backslash = 0x5c;

/** The end of the escape sequence at `at`; -1 where none ends before `to`. */
function sequenceEnd(bytes: Uint8Array, at: number, to: number): number {
  const kind = bytes[at + 1] ?? 0;
  let next = at + 2;
  if (kind === 0x5b) {
    while (next < to && (bytes[next] ?? 0) >= 0x20 && (bytes[next] ?? 0) <= 0x3f) next += 1;
    const final = bytes[next] ?? 0;
    return next < to && final >= 0x40 && final <= 0x7e ? next + 1 : -1;
  }
  // Those with a text in them: titles, links.
  if (kind === 0x5d || kind === 0x50 || kind === 0x58 || kind === 0x5e || kind === 0x5f) {
    for (; next < to; next += 1) {
      const byte = bytes[next];
      if (byte === BEL) return next + 1;
      if (byte === ESC) return next + 1 < to && bytes[next + 1] === backslash ? next + 2 : -1;
    }
    return -1;
  }
  if (kind >= 0x20 && kind <= 0x2f) {
    while (next < to && (bytes[next] ?? 0) >= 0x20 && (bytes[next] ?? 0) <= 0x2f) next += 1;
    return next < to ? next + 1 : -1;
  }
  return kind >= 0x30 && kind <= 0x7e && next <= to ? next : -1;
}

/**
 * Where the row ends that begins at `from`, in a line that goes on for more than `rowBytes`. `to` is the line's end, or at
 * least `maxRowBytes` away.
 */
export function rowCut(bytes: Buffer, from: number, to: number): number {
  const wanted = from + rowBytes;
  const most = Math.min(to, from + maxRowBytes);
  const part = bytes.subarray(from, wanted);
  for (let found = part.indexOf(ESC); found >= 0; ) {
    const at = from + found;
    const end = sequenceEnd(bytes, at, most);
    if (end > wanted) return at > from ? at : end;
    found = part.indexOf(ESC, (end < 0 ? at + 1 : end) - from);
  }
  const cut = beforeCharacter(bytes, wanted);
  return cut > from ? cut : wanted;
}
