// Reads a window of a file while streaming through the whole of it: memory depends on the window alone.
import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import type { OperationAnswers, OperationFailure, OperationOf } from '#shared/api/executor';
import type { CancelSignal } from '#shared/rpc/contract';
import { failure, systemFailure } from '../failure';
import { ColumnWindow } from './columnWindow';
import { classify, utf8Bom } from './contentType';
import { LineWindow } from './lineWindow';
import { openGranted } from './pinned';
import { readShown } from './shown';

const chunkBytes = 262_144;
/** Enough for every signature that file-type knows, and for a judgement on text. */
const sampleBytes = 8_192;

type Answer = OperationAnswers['file.read'];

/** Text by lines, an image whole, a PDF by pages, a notebook by cells, or a guess at what else it is. The hash is that of the whole file. */
export async function readFileWindow(operation: OperationOf<'file.read'>, signal: CancelSignal): Promise<Answer> {
  const { path } = operation;
  let handle: FileHandle | undefined;
  try {
    handle = await openGranted(operation);
    const stats = await handle.stat();
    if (stats.isDirectory()) return failure('isFolder', `${path} is a folder. List it with ListDirectory.`);
    if (!stats.isFile())
      return failure('io', `${path} is a device, a pipe or a socket, which cannot be read as a file.`);
    return await readOpened(handle, operation, signal);
  } catch (error) {
    return systemFailure(error, path);
  } finally {
    await handle?.close();
  }
}

async function readOpened(
  handle: FileHandle,
  operation: OperationOf<'file.read'>,
  signal: CancelSignal,
): Promise<Answer> {
  const { path, firstLine, maxLines, maxBytes, columns } = operation;
  const { size, mtimeMs } = await handle.stat();
  const sample = Buffer.alloc(Math.min(sampleBytes, size));
  const { bytesRead } = await handle.read(sample, 0, sample.length, 0);
  const content = await classify(sample.subarray(0, bytesRead), size <= bytesRead);
  const other = await readShown(handle, operation, { content, signal });
  if (typeof other === 'object') return other;
  const hash = createHash('sha256');
  if (content.kind === 'image') {
    if (size > maxBytes) return tooLargeImage(path, size, maxBytes);
    const bytes = await handle.readFile();
    const facts = { size: bytes.length, mtimeMs, hash: hash.update(bytes).digest('hex') };
    return { kind: 'image', mediaType: content.mediaType, base64: bytes.toString('base64'), ...facts };
  }
  const window =
    columns === undefined
      ? new LineWindow({ firstLine, maxLines, maxBytes })
      : new ColumnWindow({ line: firstLine, firstColumn: columns.first, maxColumns: columns.max });
  let seen = 0;
  const buffer = Buffer.allocUnsafe(chunkBytes);
  while (!signal.cancelled) {
    const { bytesRead: got } = await handle.read(buffer, 0, buffer.length, seen);
    if (got === 0) break;
    const chunk = buffer.subarray(0, got);
    hash.update(chunk);
    if (content.kind === 'text')
      window.add(seen === 0 && chunk.indexOf(utf8Bom) === 0 ? chunk.subarray(utf8Bom.length) : chunk);
    seen += got;
  }
  const facts = { size: seen, mtimeMs, hash: hash.digest('hex') };
  if (content.kind !== 'text') return { kind: 'binary', guess: content.guess, ...facts };
  const noNotebook = other === undefined ? {} : { noNotebook: other };
  return { kind: 'text', firstLine, ...window.result(), ...noNotebook, ...facts };
}

function tooLargeImage(path: string, size: number, maxBytes: number): OperationFailure {
  const megabytes = (bytes: number) => (bytes / 1_000_000).toFixed(1);
  return failure(
    'tooLarge',
    `${path} is an image of ${megabytes(size)} MB; at most ${megabytes(maxBytes)} MB can be shown. Make a smaller copy and read that.`,
  );
}
