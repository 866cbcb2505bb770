// Works on a file where its path led when that was allowed, or not at all: in between, a command may have put a link in the
// place of a folder. A descriptor stays with what it has opened, and Linux tells where that lies.
import { constants, readlinkSync } from 'node:fs';
import { type FileHandle, lstat, mkdir, open, realpath } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { errnoOf } from '../failure';

/** `path` for messages; `real` is where it led. Left out: nobody decided, and links are followed as they are now. */
export interface Granted {
  readonly path: string;
  readonly real?: string | undefined;
}

const tells = process.platform === 'linux';
/** O_PATH of Linux: a folder that may be walked through but not listed can be opened too. */
const onlyAsPlace = 0o10000000;
const asFolder = tells
  ? onlyAsPlace | constants.O_DIRECTORY | constants.O_NOFOLLOW
  : constants.O_RDONLY | (constants.O_DIRECTORY ?? 0) | (constants.O_NOFOLLOW ?? 0);
/** Non-blocking, so that a pipe without a writer does not hold us up before it is recognised. */
const forReading = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

/** Opens a file for reading. Rejects with ESTALE when it lies elsewhere than was decided. */
export async function openGranted({ path, real }: Granted): Promise<FileHandle> {
  if (real === undefined) return await open(await realpath(path), forReading);
  return await checked(await openKept(real, forReading | (constants.O_NOFOLLOW ?? 0)), real);
}

/** A folder that is held. `at` leads into it whatever becomes of its path; `real` is that path. */
export interface HeldFolder {
  readonly at: string;
  readonly real: string;
  release(): Promise<void>;
}

/** Holds a folder. Rejects with ESTALE when it lies elsewhere than was decided. */
export async function holdFolder({ path, real }: Granted): Promise<HeldFolder> {
  if (real === undefined) return { at: path, real: path, release: async () => undefined };
  return held(await checked(await openKept(real, asFolder), real), real);
}

/** Holds the folder of a file, making those that are missing. */
export async function holdFolderOf({ path, real }: Granted): Promise<HeldFolder> {
  if (real === undefined || !tells) {
    const folder = dirname(real ?? path);
    await mkdir(folder, { recursive: true });
    return await holdFolder({ path: folder, real: real === undefined ? undefined : folder });
  }
  const missing: string[] = [];
  let folder = dirname(real);
  let handle: FileHandle | undefined;
  while (handle === undefined) {
    try {
      handle = await openKept(folder, asFolder);
    } catch (error) {
      if (errnoOf(error) !== 'ENOENT') throw error;
      missing.unshift(basename(folder));
      folder = dirname(folder);
    }
  }
  handle = await checked(handle, folder);
  for (const name of missing) {
    const inner = join(throughDescriptor(handle), name);
    try {
      await mkdir(inner).catch((error: unknown) => {
        if (errnoOf(error) !== 'EEXIST') throw error;
      });
      const next = await open(inner, asFolder);
      await handle.close();
      handle = next;
    } catch (error) {
      await handle.close();
      throw error;
    }
  }
  return held(handle, dirname(real));
}

/** A link in its place is not followed, which has several names among errors. */
async function openKept(real: string, flags: number): Promise<FileHandle> {
  try {
    return await open(real, flags);
  } catch (error) {
    const leads = await realpath(real).catch(() => real);
    throw sameName(leads, real) ? error : stale(real);
  }
}

function held(handle: FileHandle, real: string): HeldFolder {
  return { at: tells ? throughDescriptor(handle) : real, real, release: () => handle.close() };
}

/** What a descriptor has open, as a path that no rename can turn elsewhere. */
export function throughDescriptor(handle: FileHandle): string {
  return `/proc/self/fd/${handle.fd}`;
}

async function checked(handle: FileHandle, real: string): Promise<FileHandle> {
  try {
    if (await liesAt(handle, real)) return handle;
  } catch (error) {
    await handle.close();
    throw error;
  }
  await handle.close();
  throw stale(real);
}

function stale(real: string): Error {
  return Object.assign(new Error(`${real} leads elsewhere.`), { code: 'ESTALE' });
}

async function liesAt(handle: FileHandle, real: string): Promise<boolean> {
  if (tells) return sameName(readlinkSync(throughDescriptor(handle)), real);
  // Elsewhere both are asked for: no link on the way now, and the very file that is open at its end.
  const [opened, named] = [await handle.stat(), await lstat(real)];
  return sameName(await realpath(real), real) && opened.ino === named.ino && opened.dev === named.dev;
}

/** A file system that does not tell upper case from lower names a file as it was made. */
function sameName(one: string, other: string): boolean {
  const plain = (name: string) => name.normalize('NFC').toLowerCase();
  return one === other || plain(one) === plain(other);
}
