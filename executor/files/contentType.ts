import { fileTypeFromBuffer } from 'file-type';

export const utf8Bom = Buffer.from([0xef, 0xbb, 0xbf]);

export type ContentType =
  | { readonly kind: 'text' }
  | { readonly kind: 'image'; readonly mediaType: string }
  | { readonly kind: 'pdf'; readonly guess: string }
  /** `guess` is for people: "PDF document", "binary data". */
  | { readonly kind: 'binary'; readonly guess: string };

const shownImages = new Set(['image/jpeg', 'image/png', 'image/gif', 'image/webp']);
/** Text by its bytes, but of no use as text. */
const binaryThoughPrintable = new Set(['application/postscript']);
/** A file in a one-byte encoding has some bytes that are not UTF-8; binary data has many. */
const mostStrange = 0.1;

/** Judges by the first bytes, never by the name. `whole`: the sample is all of the file. */
export async function classify(sample: Buffer, whole: boolean): Promise<ContentType> {
  const type = await fileTypeFromBuffer(sample);
  if (type !== undefined && shownImages.has(type.mime)) return { kind: 'image', mediaType: type.mime };
  const guess = type === undefined ? undefined : `${type.ext.toUpperCase()} (${type.mime})`;
  if (type?.mime === 'application/pdf') return { kind: 'pdf', guess: guess ?? '' };
  if (type !== undefined && binaryThoughPrintable.has(type.mime)) return { kind: 'binary', guess: guess ?? '' };
  if (isUtf16(sample))
    return { kind: 'binary', guess: 'text in UTF-16; convert it to UTF-8 first, for example with iconv' };
  if (sample.includes(0) || strangeShare(sample, whole) > mostStrange)
    return { kind: 'binary', guess: guess ?? 'binary data' };
  return { kind: 'text' };
}

function isUtf16(sample: Buffer): boolean {
  const [first, second] = sample;
  return (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
}

/** Share of characters that are no text: not UTF-8, or control characters that texts do not hold. */
function strangeShare(sample: Buffer, whole: boolean): number {
  // A character may be cut off where the sample ends.
  const text = new TextDecoder('utf-8').decode(sample, { stream: !whole });
  let strange = 0;
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    const usual = code >= 0x20 || (code >= 0x07 && code <= 0x0d) || code === 0x1b;
    if (!usual || code === 0xfffd) strange += 1;
  }
  return text === '' ? 0 : strange / text.length;
}
