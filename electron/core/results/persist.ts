// Puts results on disk: private folders and files, whole or not at all, never over what is there.
import { constants } from 'node:fs';
import { type FileHandle, link, lstat, mkdir, open, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** Names given out that are remembered; of older ones the files are there, or will never be. */
const maxGiven = 10_000;
/** Suffixes tried for an id that is used again. */
const maxSuffix = 10_000;

/** Names that were given out and may have no file yet. */
export class ResultNames {
  private readonly given = new Set<string>();

  /** A path that nothing has yet: `<folder>/<name>.<ending>`, or with a number in between. */
  async reserve(folder: string, name: string, ending: 'txt' | 'json'): Promise<string> {
    for (let count = 1; count <= maxSuffix; count += 1) {
      const path = join(folder, count === 1 ? `${name}.${ending}` : `${name}.${count}.${ending}`);
      if (this.given.has(path)) continue;
      this.given.add(path);
      for (const oldest of this.given) {
        if (this.given.size <= maxGiven) break;
        this.given.delete(oldest);
      }
      if (!(await isThere(path))) return path;
    }
    throw Object.assign(new Error(`${name} was used too often`), { code: 'EEXIST' });
  }

  /** The name will not be used, or its file is there. */
  release(path: string): void {
    this.given.delete(path);
  }
}

/** Makes a folder that only its owner may look into, below one that exists. Rejects with the errno error. */
export async function makePrivateFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const found = await lstat(folder);
  if (!found.isDirectory()) throw Object.assign(new Error(`${folder} is no folder`), { code: 'ENOTDIR' });
}

/** Writes a new file, whole or not at all; fails when there is one. Rejects with the errno error. */
export async function writeNew(path: string, text: string): Promise<void> {
  const temporary = join(dirname(path), `.${process.pid}-${Math.random().toString(36).slice(2)}.tmp`);
  try {
    const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL;
    const handle = await open(temporary, flags, 0o600);
    try {
      await handle.writeFile(text, 'utf8');
    } finally {
      await handle.close();
    }
    // Unlike a rename, a link never takes another file's place.
    await link(temporary, path);
  } finally {
    await rm(temporary, { force: true });
  }
}

/** The first and the last `bytes` of a file as text, without halves of characters. Rejects with the errno error. */
export async function readEnds(
  path: string,
  bytes: number,
): Promise<{ readonly head: string; readonly tail: string; readonly size: number }> {
  const handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW);
  try {
    const { size } = await handle.stat();
    const head = await readAt(handle, 0, Math.min(bytes, size));
    const tail = size <= bytes ? Buffer.alloc(0) : await readAt(handle, Math.max(bytes, size - bytes), bytes);
    return { head: decode(head), tail: decode(tail), size };
  } finally {
    await handle.close();
  }
}

async function readAt(handle: FileHandle, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, position);
  return buffer.subarray(0, bytesRead);
}

function decode(bytes: Buffer): string {
  let start = 0;
  while (start < 3 && start < bytes.length && ((bytes[start] ?? 0) & 0xc0) === 0x80) start += 1;
  return new TextDecoder('utf-8').decode(bytes.subarray(start), { stream: true });
}

async function isThere(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return false;
    throw error;
  }
}
