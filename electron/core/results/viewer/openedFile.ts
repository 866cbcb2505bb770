// Opens files of results and nothing else: no link, pipe or device, and only where the list says they lie.
import { closeSync, constants, fstatSync, lstatSync, openSync, readSync, realpathSync, type Stats } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { RpcError } from '#shared/rpc/errors';

/** A file that the core found below one of the places of results. */
export interface ResultPlace {
  /** Absolute; the real folder, without links, is part of it. */
  readonly file: string;
}

/** What became of a file since it was opened. */
export type FileChange = 'same' | 'grew' | 'rewritten' | 'gone';

/** An opened file of results. Positions and sizes are bytes. */
export class OpenedFile {
  private constructor(
    readonly path: string,
    readonly descriptor: number,
    private stats: Stats,
  ) {}

  /** Throws RpcError `notFound` where there is none and `refused` for what is no plain file or may not be read. */
  static open({ file }: ResultPlace): OpenedFile {
    const name = basename(file);
    let descriptor: number;
    try {
      const folder = dirname(file);
      if (realpathSync(folder) !== folder)
        throw new RpcError('refused', `${name} lies behind a link, so it is not opened.`);
      // A pipe must not be waited for.
      descriptor = openSync(join(folder, name), constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    } catch (error) {
      throw openingFailed(name, error);
    }
    try {
      const stats = fstatSync(descriptor);
      const named = lstatSync(file);
      if (!stats.isFile() || named.ino !== stats.ino || named.dev !== stats.dev)
        throw new RpcError('refused', `${name} is no plain file, so it is not opened.`);
      return new OpenedFile(file, descriptor, stats);
    } catch (error) {
      closeSync(descriptor);
      throw openingFailed(name, error);
    }
  }

  /** The size when it was last looked at. */
  get size(): number {
    return this.stats.size;
  }

  /** Epoch milliseconds. */
  get modifiedAt(): number {
    return this.stats.mtimeMs;
  }

  /** Reads into `into` from `position`; how many bytes came. */
  read(into: Buffer, position: number, length = into.length): number {
    let read = 0;
    while (read < length) {
      const bytes = readSync(this.descriptor, into, read, length - read, position + read);
      if (bytes === 0) break;
      read += bytes;
    }
    return read;
  }

  /** The bytes from `position` on, at most `length`. */
  bytes(position: number, length: number): Buffer {
    const wanted = Math.max(0, Math.min(length, this.size - position));
    const buffer = Buffer.allocUnsafeSlow(wanted);
    return buffer.subarray(0, this.read(buffer, position));
  }

  /** Looks again; afterwards size and time are those of now. */
  look(): FileChange {
    const before = this.stats;
    this.stats = fstatSync(this.descriptor);
    const { size, mtimeMs } = this.stats;
    let named: Stats | undefined;
    try {
      named = lstatSync(this.path);
    } catch {
      return 'gone';
    }
    if (named.ino !== before.ino || named.dev !== before.dev) return named.isFile() ? 'rewritten' : 'gone';
    if (size > before.size) return 'grew';
    return size < before.size || mtimeMs !== before.mtimeMs ? 'rewritten' : 'same';
  }

  close(): void {
    closeSync(this.descriptor);
  }
}

function openingFailed(name: string, error: unknown): Error {
  if (error instanceof RpcError) return error;
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code === 'ENOENT' || code === 'ENOTDIR')
    return new RpcError('notFound', `${name} is gone: it was deleted or cleaned up. Load the list again.`);
  if (code === 'ELOOP') return new RpcError('refused', `${name} is a link, so it is not opened.`);
  if (code === 'EACCES' || code === 'EPERM')
    return new RpcError('refused', `${name} may not be read: its permissions forbid it.`);
  if (code === 'ENXIO') return new RpcError('refused', `${name} is no plain file, so it is not opened.`);
  return new RpcError('refused', `${name} cannot be read (${code === '' ? String(error) : code}).`);
}
