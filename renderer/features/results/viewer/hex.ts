/** Bytes in a row. */
export const rowBytes = 16;

/** Splits bytes that came as base64 into rows. */
export function rowsOfBase64(base64: string): Uint8Array[] {
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  const rows: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; at += rowBytes) rows.push(bytes.subarray(at, at + rowBytes));
  return rows;
}

export interface HexLine {
  /** Place of the first byte, in hexadecimal. */
  readonly place: string;
  /** Two digits for each byte, always as wide. */
  readonly hex: string;
  /** What is printable in ASCII; a dot for the rest. */
  readonly text: string;
}

/** A row of bytes as text; blank where the bytes are not known. */
export function hexLine(bytes: Uint8Array | undefined, row: number, digits: number): HexLine {
  const place = (row * rowBytes).toString(16).padStart(digits, '0');
  const pairs = Array.from({ length: rowBytes }, (_, at) => bytes?.[at]?.toString(16).padStart(2, '0') ?? '  ');
  const half = rowBytes / 2;
  return {
    place,
    hex: `${pairs.slice(0, half).join(' ')}  ${pairs.slice(half).join(' ')}`,
    text: Array.from(bytes ?? [], (byte) => (byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : '.')).join(''),
  };
}
