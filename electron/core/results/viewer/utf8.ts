// UTF-8 by hand where positions in bytes and in characters must be turned into one another; damage counts as decoders count it.

/** Bytes of the character at `at`: of damage, those that stand for one U+FFFD. */
function sizeAt(bytes: Uint8Array, at: number, to: number): number {
  const lead = bytes[at] ?? 0;
  if (lead < 0x80) return 1;
  let low = 0x80;
  let high = 0xbf;
  let more = 0;
  if (lead >= 0xc2 && lead <= 0xdf) more = 1;
  else if (lead >= 0xe0 && lead <= 0xef) {
    more = 2;
    if (lead === 0xe0) low = 0xa0;
    else if (lead === 0xed) high = 0x9f;
  } else if (lead >= 0xf0 && lead <= 0xf4) {
    more = 3;
    if (lead === 0xf0) low = 0x90;
    else if (lead === 0xf4) high = 0x8f;
  } else return 1;
  let size = 1;
  while (size <= more && at + size < to) {
    const byte = bytes[at + size] ?? 0;
    if (byte < low || byte > high) break;
    low = 0x80;
    high = 0xbf;
    size += 1;
  }
  return size;
}

/** A four-byte character is two of UTF-16. */
const charsOf = (size: number, lead: number): number => (size === 4 && lead >= 0xf0 ? 2 : 1);

/** How many UTF-16 characters the bytes from `from` to `to` decode to. */
export function charsBetween(bytes: Uint8Array, from: number, to: number): number {
  let chars = 0;
  for (let at = from; at < to; ) {
    const lead = bytes[at] ?? 0;
    const size = lead < 0x80 ? 1 : sizeAt(bytes, at, to);
    chars += size === 1 ? 1 : charsOf(size, lead);
    at += size;
  }
  return chars;
}

/** Where the byte lies that is `chars` characters after `from`; at most `to`. */
export function byteAfter(bytes: Uint8Array, range: { readonly from: number; readonly to: number }, chars: number) {
  const { from, to } = range;
  let left = chars;
  let at = from;
  while (at < to && left > 0) {
    const lead = bytes[at] ?? 0;
    const size = lead < 0x80 ? 1 : sizeAt(bytes, at, to);
    left -= size === 1 ? 1 : charsOf(size, lead);
    at += size;
  }
  return at;
}

const isContinuation = (byte: number | undefined): boolean => byte !== undefined && (byte & 0xc0) === 0x80;

/** `at`, or the start of the character that `at` lies within. */
export function beforeCharacter(bytes: Uint8Array, at: number): number {
  if (!isContinuation(bytes[at])) return at;
  for (let back = 1; back <= 3; back += 1) {
    const lead = bytes[at - back];
    if (isContinuation(lead)) continue;
    return lead !== undefined && lead >= 0xc2 && at - back + sizeAt(bytes, at - back, at + 4) > at ? at - back : at;
  }
  return at;
}

/** Whether the bytes are text: no NUL, and hardly anything that is not UTF-8. */
export function looksLikeText(bytes: Uint8Array): boolean {
  if (bytes.includes(0)) return false;
  let damaged = 0;
  for (let at = 0; at < bytes.length; ) {
    const lead = bytes[at] ?? 0;
    const size = lead < 0x80 ? 1 : sizeAt(bytes, at, bytes.length);
    const whole = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
    // What is cut at the very end is no damage.
    if (lead >= 0x80 && size < whole && at + size < bytes.length) damaged += 1;
    at += size;
  }
  return damaged * 20 <= bytes.length;
}
