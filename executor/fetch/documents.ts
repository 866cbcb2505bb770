// Images and PDF files from the web, with the same readers as those of the disk.
import type { FetchResult } from '#shared/api/executor';
import { CancelSource } from '#shared/rpc/cancel';
import { fitImage } from '../files/image';
import { readPdf } from '../files/pdf';
import { FetchStopped } from './failure';

/** What a model takes: pixels of the longer edge, and bytes. */
const imageLimits = { maxEdge: 1_568, maxBytes: 3_750_000 };
/** As many as Read shows at once. */
const maxPages = 20;

type Answered = Pick<Extract<FetchResult, { kind: 'image' }>, 'url' | 'status' | 'mediaType' | 'bytes'>;

/** An image that a model can take. Throws FetchStopped for a broken one. */
export async function imageOf(body: Buffer, answered: Answered): Promise<FetchResult> {
  const fitted = await fitImage(body, answered.url, imageLimits);
  if ('kind' in fitted) throw new FetchStopped('unreadable', fitted.message);
  return { kind: 'image', ...answered, mediaType: fitted.mediaType, base64: fitted.bytes.toString('base64') };
}

/** The text of the first pages of a PDF, each under its number. Throws FetchStopped for one that cannot be read. */
export async function pdfText(
  body: Buffer,
  about: { readonly named: string; readonly maxChars: number; readonly signal: AbortSignal },
): Promise<string> {
  const { named, maxChars, signal } = about;
  const cancel = new CancelSource();
  const onAbort = (): void => cancel.cancel();
  if (signal.aborted) onAbort();
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    const request = { bytes: new Uint8Array(body), pages: { first: 1, last: maxPages }, unasked: maxPages, maxChars };
    const read = await readPdf(request, named, cancel);
    if ('kind' in read) throw new FetchStopped('unreadable', read.message);
    const { pages, totalPages } = read;
    const texts = pages.map(({ page, text, cut }) => `Page ${page} of ${totalPages}\n\n${text}${cut ? '…' : ''}`);
    const last = pages.at(-1)?.page ?? 0;
    if (last < totalPages) texts.push(`[Pages ${last + 1} to ${totalPages} are not shown.]`);
    return texts.join('\n\n').slice(0, maxChars);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}
