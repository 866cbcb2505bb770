// What kind of thing a body is: what the server says, corrected by the bytes where these are surely something else.
import { classify } from '../files/contentType';

export type Content =
  | { readonly kind: 'html' | 'plain' | 'binary' | 'pdf'; readonly mediaType: string }
  | { readonly kind: 'image'; readonly mediaType: string };

const htmlTypes = /^(?:text\/html|application\/xhtml\+xml)$/;
const textTypes =
  /^(?:text\/.+|application\/(?:.+\+)?(?:json|xml|yaml|toml)|application\/(?:x-)?(?:ndjson|jsonlines|javascript|ecmascript|typescript|sh|yaml|toml|httpd-php|tex|sql|graphql)|image\/svg\+xml|message\/.+)$/;
const htmlStart = /^<(?:!doctype\s{1,20}html|html|head|body)\b/i;
/** Enough to see how it begins. */
const sampleBytes = 8_192;

/** Judges a body. `mediaType` is what the server said, empty where it said nothing. */
export async function contentOf(body: Buffer, mediaType: string): Promise<Content> {
  const sample = body.subarray(0, sampleBytes);
  const seen = await classify(sample, sample.length === body.length);
  if (seen.kind === 'image') return { kind: 'image', mediaType: seen.mediaType };
  if (sample.subarray(0, 1_024).includes('%PDF-')) return { kind: 'pdf', mediaType: 'application/pdf' };
  if (htmlTypes.test(mediaType)) return { kind: 'html', mediaType };
  if (textTypes.test(mediaType)) return { kind: 'plain', mediaType };
  if (seen.kind === 'binary') return { kind: 'binary', mediaType: mediaType || 'application/octet-stream' };
  // Text that was called something else, or nothing.
  if (looksLikeHtml(sample.toString('latin1'))) return { kind: 'html', mediaType: mediaType || 'text/html' };
  return { kind: 'plain', mediaType: mediaType || 'text/plain' };
}

/** Whether the first thing after blanks and comments is what HTML begins with. */
function looksLikeHtml(text: string): boolean {
  let rest = text.trimStart();
  while (rest.startsWith('<!--')) {
    const end = rest.indexOf('-->');
    if (end === -1) return false;
    rest = rest.slice(end + 3).trimStart();
  }
  return htmlStart.test(rest);
}
