// Copies of files of results: they are read as everything else is, and never written over what is there.
import { constants } from 'node:fs';
import { type FileHandle, lstat, open, rm } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import { RpcError } from '#shared/rpc/errors';
import { OpenedFile } from '../viewer/openedFile';

const chunkBytes = 4_194_304;
const maxNames = 1_000;

/**
 * Copies a file of results into a folder under a free name and gives the copy's path. `names` gives the name for each try,
 * counted from 1. Throws RpcError with the cause.
 */
export async function copyResult(
  file: string,
  into: { readonly folder: string; readonly names?: (count: number) => string },
): Promise<string> {
  const { folder, names = numbered(basename(file)) } = into;
  const stats = await lstat(folder).catch(() => null);
  if (stats === null) throw new RpcError('notFound', `There is no folder ${folder}. Choose another one.`);
  const source = OpenedFile.open({ file });
  try {
    const { handle, path } = await openNew(folder, names);
    try {
      const chunk = Buffer.allocUnsafeSlow(chunkBytes);
      for (let position = 0; position < source.size; ) {
        const read = source.read(chunk, position, Math.min(chunk.length, source.size - position));
        if (read === 0) break;
        await handle.write(chunk, 0, read);
        position += read;
      }
      await handle.close();
      return path;
    } catch (error) {
      await handle.close().catch(() => undefined);
      await rm(path, { force: true });
      throw copyFailed(folder, error);
    }
  } finally {
    source.close();
  }
}

async function openNew(
  folder: string,
  names: (count: number) => string,
): Promise<{ readonly handle: FileHandle; readonly path: string }> {
  for (let count = 1; count <= maxNames; count += 1) {
    const path = join(folder, names(count));
    try {
      return { handle: await open(path, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o600), path };
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw copyFailed(folder, error);
    }
  }
  throw new RpcError('refused', `${folder} holds too many copies of this file already. Choose another folder.`);
}

const numbered =
  (name: string) =>
  (count: number): string => {
    if (count === 1) return name;
    const ending = extname(name);
    return `${name.slice(0, name.length - ending.length)} (${count})${ending}`;
  };

function copyFailed(folder: string, error: unknown): RpcError {
  const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
  const why = code === 'ENOSPC' ? 'the disk is full' : code === 'EACCES' ? 'the folder may not be written to' : code;
  return new RpcError('refused', `The copy could not be written into ${folder}: ${why}. Choose another folder.`);
}
