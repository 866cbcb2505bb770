// Reads a body up to a limit. What is compressed is counted twice: as it comes, and as it grows.
import { Readable, type Transform, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { FetchStopped } from './failure';

/** More layers than any server needs; each could make the next one grow. */
const maxLayers = 2;

/** What is asked for; `encodingsOf` and `decoder` know no others. */
export const acceptedEncodings = 'gzip, br';

/** The whole body, decompressed. Throws FetchStopped beyond `maxBytes` and for encodings that were not asked for. */
export async function readBody(
  body: Readable,
  options: { readonly encodings: readonly string[]; readonly maxBytes: number },
): Promise<Buffer> {
  const { encodings, maxBytes } = options;
  try {
    if (encodings.length > maxLayers)
      throw new FetchStopped('badAnswer', `The server compressed its answer ${encodings.length} times over.`);
    const decoders = encodings.toReversed().map(decoder);
    const pieces: Buffer[] = [];
    let length = 0;
    const collector = new Writable({
      write(piece: Buffer, _, done) {
        length += piece.length;
        pieces.push(piece);
        done(length > maxBytes ? tooLarge(maxBytes) : null);
      },
    });
    await pipeline([Readable.from(bounded(body, maxBytes), { objectMode: false }), ...decoders, collector]);
    return Buffer.concat(pieces);
  } finally {
    // What was not read to its end holds its connection.
    body.destroy();
  }
}

async function* bounded(source: AsyncIterable<unknown>, maxBytes: number): AsyncGenerator<Buffer> {
  let length = 0;
  for await (const piece of source) {
    if (!(piece instanceof Uint8Array)) continue;
    length += piece.length;
    if (length > maxBytes) throw tooLarge(maxBytes);
    yield Buffer.from(piece);
  }
}

/** The failure of a body that is longer than may be. */
export function tooLarge(maxBytes: number): FetchStopped {
  const most = maxBytes >= 1_000_000 ? `${Math.floor(maxBytes / 1_000_000)} MB` : `${maxBytes} bytes`;
  return new FetchStopped('tooLarge', `The page is larger than ${most}, which is the most that is fetched.`);
}

/** The layers of a `content-encoding` header, in the order in which they were put on. */
export function encodingsOf(header: string): string[] {
  return header
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && name !== 'identity');
}

function decoder(encoding: string): Transform {
  switch (encoding) {
    case 'gzip':
    case 'x-gzip':
      return createGunzip();
    case 'br':
      return createBrotliDecompress();
    case 'deflate':
      return createInflate();
    default:
      throw new FetchStopped(
        'badAnswer',
        `The server compressed its answer in a way that was not asked for (${encoding.slice(0, 40)}).`,
      );
  }
}
