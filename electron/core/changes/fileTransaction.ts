// Writes several files or none: everything is made ready beside its place, then moved there; what fails is moved back.
import { randomBytes } from 'node:crypto';
import { chmod, link, lstat, mkdir, open, rename, rmdir, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { resolveReal } from '../executor/realPath';
import { errnoOf } from './contentStore';
import { type Identity, isStill } from './diskFile';
import type { Side } from './side';

export interface FileWrite {
  readonly path: string;
  readonly now: Side;
  readonly identity: Identity | null;
  /** Null deletes the file. */
  readonly bytes: Buffer | null;
  readonly mode: number | null;
}

/** A file is not what it was when the restore was worked out, or cannot be written. The message is a sentence for people. */
export class WriteRefused extends Error {
  override readonly name = 'WriteRefused';
  constructor(
    readonly reason: 'changed' | 'system',
    message: string,
  ) {
    super(message);
  }
}

/** What a name of ours beside a person's file looks like. */
export const leftoverName = /^\.gatehouse-[0-9a-f]{16}\.tmp$/;

interface Prepared {
  readonly write: FileWrite;
  /** Holds the new content until it takes its place. */
  readonly temporary: string | null;
  /** A second name of the old file, so that it can come back as it was. */
  aside: string | null;
  moved: boolean;
}

/** `prepare`, `apply`, then `finish` or `rollback`. */
export class FileTransaction {
  private readonly prepared: Prepared[] = [];
  private readonly made: string[] = [];

  /** Names that a crash may leave behind. */
  get leftovers(): string[] {
    return this.prepared.flatMap(({ temporary, aside }) => [temporary, aside]).filter((name) => name !== null);
  }

  /** Writes the new contents beside their places. Throws WriteRefused, with nothing left behind. */
  async prepare(writes: readonly FileWrite[]): Promise<void> {
    for (const write of writes) {
      try {
        await this.prepareOne(write);
      } catch (error) {
        await this.rollback();
        throw refused(write.path, error);
      }
    }
  }

  /** Moves everything into place, or throws WriteRefused with everything as it was. */
  async apply(): Promise<void> {
    for (const one of this.prepared) {
      try {
        await this.move(one);
      } catch (error) {
        await this.rollback();
        throw refused(one.write.path, error);
      }
    }
  }

  /** Puts back what was there. Idempotent. Throws WriteRefused when something could not be put back. */
  async rollback(): Promise<void> {
    let failed: WriteRefused | null = null;
    for (const one of [...this.prepared].reverse()) {
      if (!one.moved) continue;
      one.moved = false;
      try {
        await putBack(one);
      } catch (error) {
        const kept = one.aside === null ? '' : ` It lies in ${one.aside}.`;
        failed = new WriteRefused(
          'system',
          `What was in ${one.write.path} could not be put back (${errnoOf(error)}).${kept}`,
        );
        one.aside = null;
      }
    }
    await this.clear();
    for (const folder of [...this.made].reverse()) await rmdir(folder).catch(() => undefined);
    if (failed !== null) throw failed;
  }

  /** It stays; nothing of it lies about any more. */
  async finish(): Promise<void> {
    await this.clear();
  }

  private async prepareOne(write: FileWrite): Promise<void> {
    const folder = dirname(write.path);
    if (write.bytes === null) {
      this.prepared.push({ write, temporary: null, aside: besideOf(folder), moved: false });
      return;
    }
    const first = await mkdir(folder, { recursive: true });
    if (first !== undefined) this.made.push(...foldersBetween(first, folder));
    if ((await resolveReal(folder)) !== folder) throw new WriteRefused('changed', moved(write.path));
    const temporary = besideOf(folder);
    this.prepared.push({ write, temporary, aside: write.now === null ? null : besideOf(folder), moved: false });
    const handle = await open(temporary, 'wx', 0o600);
    try {
      await handle.writeFile(write.bytes);
      if (write.identity !== null) {
        const { uid, gid } = write.identity;
        // Without the right to give files away the file becomes ours, as with most editors.
        await handle.chown(uid, gid).catch(ignorePermission);
      }
      if (write.mode !== null) await handle.chmod(write.mode);
      await handle.sync();
    } finally {
      await handle.close();
    }
  }

  private async move(one: Prepared): Promise<void> {
    const { write, temporary, aside } = one;
    const { path } = write;
    if (!(await isStill(path, write.identity))) throw new WriteRefused('changed', moved(path));
    if (aside !== null && !(await linked(path, aside))) one.aside = null;
    if (temporary === null) await unlink(path);
    else if (write.now === null) await takePlace(temporary, path);
    else await rename(temporary, path);
    one.moved = true;
  }

  private async clear(): Promise<void> {
    for (const { temporary, aside } of this.prepared)
      for (const name of [temporary, aside]) if (name !== null) await unlink(name).catch(() => undefined);
  }
}

async function putBack({ write, aside }: Prepared): Promise<void> {
  if (write.now === null) {
    await unlink(write.path).catch(() => undefined);
    return;
  }
  if (aside !== null) {
    await rename(aside, write.path);
    return;
  }
  const temporary = besideOf(dirname(write.path));
  const handle = await open(temporary, 'wx', 0o600);
  try {
    await handle.writeFile(write.now.bytes);
  } finally {
    await handle.close();
  }
  if (write.now.mode !== null) await chmod(temporary, write.now.mode);
  await rename(temporary, write.path);
}

/** A new file never takes the place of one that came meanwhile. */
async function takePlace(temporary: string, path: string): Promise<void> {
  if (await linked(temporary, path)) return;
  if (
    await lstat(path).then(
      () => true,
      () => false,
    )
  )
    throw new WriteRefused('changed', moved(path));
  await rename(temporary, path);
}

/** False where the file system has no second names, or the name is taken. */
async function linked(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to);
    return true;
  } catch (error) {
    if (errnoOf(error) === undefined) throw error;
    return false;
  }
}

function foldersBetween(first: string, last: string): string[] {
  const folders = [last];
  for (let folder = last; folder !== first && folder.length > first.length; ) {
    folder = dirname(folder);
    folders.unshift(folder);
  }
  return folders;
}

const besideOf = (folder: string): string => join(folder, `.gatehouse-${randomBytes(8).toString('hex')}.tmp`);

const moved = (path: string): string => `${path} has changed since the preview. Nothing was changed.`;

const words: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EROFS: 'the file system is read-only',
  EACCES: 'its folder may not be written to',
  EPERM: 'the system refuses it',
};

function refused(path: string, error: unknown): WriteRefused {
  if (error instanceof WriteRefused) return error;
  const errno = errnoOf(error);
  if (errno === undefined) throw error;
  const why = words[errno];
  return new WriteRefused(
    'system',
    `${path} could not be written: ${why === undefined ? errno : `${why}, ${errno}`}. Nothing was changed.`,
  );
}

function ignorePermission(error: unknown): void {
  if (errnoOf(error) !== 'EPERM' && errnoOf(error) !== 'EINVAL') throw error;
}
