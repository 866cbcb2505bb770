// Output that is one image and nothing else: the bytes of a picture file, or a data: URL.

/** The API takes 5 MB as base64, which is a third larger than the bytes. */
const largestImage = 3_750_000;
const largestUrl = 5_000_100;

type MediaType = 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp';

export interface ImageOutput {
  readonly mediaType: MediaType;
  readonly base64: string;
}

interface Signature {
  readonly mediaType: MediaType;
  readonly starts: (bytes: Buffer) => boolean;
  /** Length of the image at the start of the bytes, or -1 when it is not whole. */
  readonly length: (bytes: Buffer) => number;
}

const begins = (text: string) => (bytes: Buffer) => bytes.indexOf(text, 0, 'latin1') === 0;
const pngEnd = Buffer.from('IEND\u00aeB`\u0082', 'latin1');

const signatures: readonly Signature[] = [
  {
    mediaType: 'image/png',
    starts: begins('\u0089PNG\r\n\u001a\n'),
    length: (bytes) => endAfter(bytes, pngEnd),
  },
  {
    mediaType: 'image/jpeg',
    starts: begins('\u00ff\u00d8\u00ff'),
    length: (bytes) => endAfter(bytes, Buffer.from([0xff, 0xd9])),
  },
  {
    mediaType: 'image/gif',
    starts: (bytes) => begins('GIF87a')(bytes) || begins('GIF89a')(bytes),
    length: (bytes) => endAfter(bytes, Buffer.from([0x3b])),
  },
  {
    mediaType: 'image/webp',
    starts: (bytes) => begins('RIFF')(bytes) && bytes.indexOf('WEBP', 8, 'latin1') === 8,
    length: (bytes) => (bytes.length >= 12 ? bytes.readUInt32LE(4) + 8 : -1),
  },
];

function endAfter(bytes: Buffer, mark: Buffer): number {
  const at = bytes.lastIndexOf(mark);
  return at < 0 ? -1 : at + mark.length;
}

/** What the first bytes may be, as a terminal shows them, which puts a return before each line feed. */
const couldBegin = /^\s{0,2}(?:\u0089P|\u00ff\u00d8\u00ff|GIF8|RIFF|data:)/;
/** Bytes before a judgement is possible. */
const shortest = 8;
const url = /^data:(image\/(?:png|jpeg|gif|webp));base64,([A-Za-z0-9+/]+={0,2})$/;

/** Keeps output as long as it can still be an image. */
export class ImageSniffer {
  private kept: Buffer[] | undefined = [];
  private length = 0;

  /** Whether the output so far may be an image. */
  get possible(): boolean {
    return this.kept !== undefined;
  }

  /** Takes the next bytes; they may be overwritten afterwards. */
  add(bytes: Buffer): void {
    if (this.kept === undefined) return;
    const judged = this.length >= shortest;
    this.kept.push(Buffer.from(bytes));
    this.length += bytes.length;
    if (this.length > largestUrl + 100_000) this.kept = undefined;
    else if (!judged && this.length >= shortest && !couldBegin.test(Buffer.concat(this.kept).toString('latin1', 0, 12)))
      this.kept = undefined;
  }

  /** The image, when the output was whole and nothing else. */
  end(): ImageOutput | undefined {
    if (this.kept === undefined || this.length < shortest) return undefined;
    const bytes = withoutReturns(Buffer.concat(this.kept));
    this.kept = undefined;
    return imageIn(bytes) ?? imageUrl(bytes);
  }
}

function imageIn(bytes: Buffer): ImageOutput | undefined {
  const signature = signatures.find(({ starts }) => starts(bytes));
  if (signature === undefined) return undefined;
  const length = signature.length(bytes);
  if (length < 0 || length > bytes.length || length > largestImage) return undefined;
  if (bytes.toString('latin1', length).trim() !== '') return undefined;
  return { mediaType: signature.mediaType, base64: bytes.toString('base64', 0, length) };
}

function imageUrl(bytes: Buffer): ImageOutput | undefined {
  const text = bytes.toString('latin1').replace(/\s+/g, '');
  const [, mediaType, base64 = ''] = text.length > largestUrl ? [] : (url.exec(text) ?? []);
  const image = Buffer.from(base64.slice(0, 64), 'base64');
  const signature = signatures.find((each) => each.mediaType === mediaType && each.starts(image));
  return signature === undefined ? undefined : { mediaType: signature.mediaType, base64 };
}

/** Undoes what the terminal did: each line feed came with a return. */
function withoutReturns(bytes: Buffer): Buffer {
  const plain = Buffer.allocUnsafe(bytes.length);
  let length = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0;
    if (byte !== 0x0d || bytes[at + 1] !== 0x0a) plain[length++] = byte;
  }
  return plain.subarray(0, length);
}
