// Makes an image fit for a model: whole, of bounded size, decoded once so that a broken one is found here and not there.
import type { Sharp, SharpOptions } from 'sharp';
import type { OperationFailure } from '#shared/api/executor';
import { failure } from '../failure';
import { oneAtATime } from './oneAtATime';

/** Pixels of the largest image that is decoded: 10,000 × 10,000. A few hundred megabytes while that lasts. */
const mostPixels = 100_000_000;
/** Larger files are not read at all. */
export const largestImageFile = 100_000_000;
const decodeSeconds = 20;
/** Steps of quality until the bytes fit. */
const qualities = [85, 70, 50, 30];

export interface FittedImage {
  readonly mediaType: string;
  readonly bytes: Buffer;
  readonly width: number;
  readonly height: number;
  /** As it was, where it was changed. */
  readonly original?: { readonly mediaType: string; readonly width: number; readonly height: number };
}

export interface ImageLimits {
  /** Pixels of the longer edge. */
  readonly maxEdge: number;
  readonly maxBytes: number;
}

/**
 * The image as it is when it keeps the limits, else scaled down (never up), turned upright and encoded anew. Of an
 * animation the first picture counts. `named` is what messages call it.
 */
export function fitImage(bytes: Buffer, named: string, limits: ImageLimits): Promise<FittedImage | OperationFailure> {
  return oneAtATime(() => fitted(bytes, named, limits));
}

async function fitted(bytes: Buffer, named: string, limits: ImageLimits): Promise<FittedImage | OperationFailure> {
  const sharp = await decoder();
  const options: SharpOptions = { limitInputPixels: mostPixels, failOn: 'error' };
  try {
    const facts = await sharp(bytes, { ...options, limitInputPixels: false }).metadata();
    const { width, height, format } = facts;
    if (width * height > mostPixels)
      return failure(
        'tooLarge',
        `${named} is an image of ${width} × ${height} pixels; at most ${mostPixels / 1e6} million pixels are decoded. Make a smaller copy with a command and read that.`,
      );
    const mediaType = `image/${format}`;
    const turned = (facts.orientation ?? 1) > 1;
    const animated = (facts.pages ?? 1) > 1 && format === 'webp';
    const image = sharp(bytes, options).timeout({ seconds: decodeSeconds });
    if (Math.max(width, height) <= limits.maxEdge && bytes.length <= limits.maxBytes && !turned && !animated) {
      // Decoding is the proof; of the pixels only an average is kept.
      await image.clone().resize(1, 1, { fit: 'fill' }).raw().toBuffer();
      return { mediaType, bytes, width, height };
    }
    const { maxEdge } = limits;
    const scaled = image
      .autoOrient()
      .resize(maxEdge, maxEdge, { fit: 'inside', withoutEnlargement: true })
      .toColourspace('srgb');
    const encoded = await encode(scaled, { lossless: format !== 'jpeg', alpha: facts.hasAlpha, ...limits });
    if (encoded === null)
      return failure(
        'tooLarge',
        `${named} cannot be made small enough to be shown. Make a smaller copy and read that.`,
      );
    return { ...encoded, original: { mediaType, width, height } };
  } catch (error) {
    return failure(
      'damaged',
      `${named} looks like an image but cannot be decoded (${reasonOf(error)}). The file may be cut off or damaged.`,
    );
  }
}

async function encode(
  image: Sharp,
  how: { readonly lossless: boolean; readonly alpha: boolean; readonly maxBytes: number },
): Promise<Omit<FittedImage, 'original'> | null> {
  const attempts: readonly (readonly [string, (next: Sharp) => Sharp])[] = [
    ...(how.lossless ? [['image/png', (next: Sharp) => next.png()] as const] : []),
    ...qualities.map((quality) =>
      how.alpha
        ? (['image/webp', (next: Sharp) => next.webp({ quality })] as const)
        : (['image/jpeg', (next: Sharp) => next.jpeg({ quality })] as const),
    ),
  ];
  for (const [mediaType, as] of attempts) {
    const { data, info } = await as(image.clone()).toBuffer({ resolveWithObject: true });
    if (data.length <= how.maxBytes) return { mediaType, bytes: data, width: info.width, height: info.height };
  }
  return null;
}

type Decoder = typeof import('sharp').default;
let loaded: Promise<Decoder> | undefined;

/** Loaded on first use: most sessions see no image. Only the four formats that are shown can be decoded at all. */
function decoder(): Promise<Decoder> {
  loaded ??= import('sharp').then(({ default: sharp }) => {
    sharp.cache(false);
    sharp.concurrency(1);
    sharp.block({ operation: ['VipsForeignLoad'] });
    sharp.unblock({
      operation: ['PngBuffer', 'JpegBuffer', 'NsgifBuffer', 'WebpBuffer'].map((name) => `VipsForeignLoad${name}`),
    });
    return sharp;
  });
  return loaded;
}

/** The library's first line, without what it says of itself. */
function reasonOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return (text.split('\n', 1)[0] ?? '').slice(0, 200);
}
