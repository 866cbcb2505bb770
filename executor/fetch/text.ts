// Bytes of a page as text: the header's charset, else a byte order mark, else what the page says of itself, else UTF-8.
import { TextDecoder } from 'node:util';

/** Where a page must state its charset, in bytes. */
const statedWithin = 1_024;

/** Decodes a body. Bytes that are no text become U+FFFD; an unknown charset counts as UTF-8. */
export function textOf(body: Buffer, charset: string | null): string {
  const { encoding, decode } = decoderFor(markOf(body) ?? charset ?? statedIn(body) ?? 'utf-8');
  return (encoding === 'windows-1252' ? westernText(body) : decode(body)).replaceAll('\0', '\u{fffd}');
}

function decoderFor(label: string): { readonly encoding: string; readonly decode: (body: Buffer) => string } {
  let decoder: TextDecoder;
  try {
    decoder = new TextDecoder(label);
  } catch {
    decoder = new TextDecoder('utf-8');
  }
  return { encoding: decoder.encoding, decode: (body) => decoder.decode(body) };
}

/** Characters of the bytes 0x80 to 0x9f in windows-1252. */
const western =
  '\u20ac\u0081\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\u008d\u017d\u008f' +
  '\u0090\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\u009d\u017e\u0178';

/** Also what is called Latin-1 on the web. Node's own decoder reads these bytes as control characters. */
function westernText(body: Buffer): string {
  return body.toString('latin1').replaceAll(/[\x80-\x9f]/g, (found) => western.charAt(found.charCodeAt(0) - 0x80));
}

function markOf(body: Buffer): string | null {
  if (body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf) return 'utf-8';
  if (body[0] === 0xfe && body[1] === 0xff) return 'utf-16be';
  if (body[0] === 0xff && body[1] === 0xfe) return 'utf-16le';
  return null;
}

/** From `<meta charset>`, `<meta http-equiv content>` or an XML declaration. */
function statedIn(body: Buffer): string | null {
  const start = body.subarray(0, statedWithin).toString('latin1');
  const found =
    /^\s*<\?xml[^>]{0,200}?encoding\s*=\s*["']([\w:.-]{1,40})["']/i.exec(start) ??
    /<meta[^>]{0,400}?charset\s*=\s*["']?\s*([\w:.-]{1,40})/i.exec(start);
  const label = found?.[1]?.toLowerCase();
  // A page whose statement could be read as single bytes is not in UTF-16.
  return label?.startsWith('utf-16') ? 'utf-8' : (label ?? null);
}

/** `text/html` and the charset of a `content-type` header; empty and null where it says nothing. */
export function contentTypeOf(header: string): { readonly mediaType: string; readonly charset: string | null } {
  const [type = '', ...parameters] = header.split(';');
  const mediaType = type.trim().toLowerCase();
  const charset = parameters.map((one) => /^\s*charset\s*=\s*"?([\w:.-]{1,40})"?\s*$/i.exec(one)?.[1]).find(Boolean);
  return { mediaType: /^[\w.+-]{1,100}\/[\w.+-]{1,100}$/.test(mediaType) ? mediaType : '', charset: charset ?? null };
}
