// Changes a settings file: under a lock, on what is in it now, whole or not at all, with a copy of what was there.
import { createHash, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { copyFile, mkdir, open, readdir, readFile, realpath, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { fail, ok, type Result } from '#shared/util/result';
import { type FileLock, lockFile } from './fileLock';

/** Copies kept of each file. */
const keptBackups = 20;

export interface SettingsWriter {
  /**
   * Changes one file. `edit` gets the present text (null: no file) and gives the new one; the same text means that
   * nothing is written. The error is for people.
   */
  change(path: string, edit: (text: string | null) => Result<string>): Promise<Result<{ readonly text: string }>>;
  /**
   * Changes several files together: all or none. `edit` gets the present texts by path and gives the new ones in the same
   * order; null takes a file away. What `edit` refuses is given back as it is.
   */
  changeTogether<Fault>(
    paths: readonly string[],
    edit: (texts: readonly (string | null)[]) => Result<readonly (string | null)[], Fault>,
  ): Promise<Result<readonly FileTexts[], Fault | WriteFault>>;
}

/** A file before and after a change; null = not there. */
export interface FileTexts {
  readonly path: string;
  readonly before: string | null;
  readonly after: string | null;
}

/** Why nothing was written, for people. */
export class WriteFault {
  constructor(readonly message: string) {}
}

function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

function decoded(bytes: Buffer): string {
  return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
}

async function readText(path: string): Promise<string | null> {
  try {
    return decoded(await readFile(path));
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null;
    throw error;
  }
}

/** A link stays a link: its target is written. */
async function targetOf(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return path;
    throw error;
  }
}

async function writeWhole(path: string, text: string): Promise<void> {
  const mode = await stat(path).then(
    (found) => found.mode & 0o777,
    () => 0o644,
  );
  const temporary = join(dirname(path), `.${basename(path)}.${randomUUID()}.tmp`);
  try {
    const handle = await open(temporary, 'wx', mode);
    try {
      await handle.chmod(mode);
      await handle.writeFile(text, 'utf8');
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

async function backUp(path: string, folder: string): Promise<void> {
  const place = join(folder, `${createHash('sha256').update(path).digest('hex').slice(0, 12)}-${basename(path)}`);
  await mkdir(place, { recursive: true, mode: 0o700 });
  const name = `${new Date().toISOString().replace(/[:.]/g, '-')}-${randomUUID().slice(0, 8)}.json`;
  await copyFile(path, join(place, name));
  const all = (await readdir(place)).sort();
  for (const old of all.slice(0, Math.max(0, all.length - keptBackups))) await rm(join(place, old), { force: true });
}

function reasonOf(error: unknown): string {
  const code = errorCode(error);
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS') return 'it may not be written';
  if (code === 'ENOSPC') return 'the disk is full';
  if (error instanceof TypeError) return 'it is not UTF-8 text';
  return error instanceof Error ? error.message : 'unknown reason';
}

interface Target {
  readonly path: string;
  /** Where it lies with links followed. */
  readonly real: string;
  readonly lock: FileLock;
}

/** Locks files in one order for everybody, so that two who want the same ones never wait for each other. */
async function lockAll(paths: readonly string[]): Promise<Result<readonly Target[], WriteFault>> {
  const locked: Target[] = [];
  try {
    const real = new Map<string, string>();
    for (const path of paths) {
      await mkdir(dirname(path), { recursive: true });
      real.set(path, await targetOf(path));
    }
    for (const path of [...paths].sort((a, b) => ((real.get(a) ?? a) < (real.get(b) ?? b) ? -1 : 1))) {
      const target = real.get(path) ?? path;
      const lock = await lockFile(target);
      if (lock === null) {
        await release(locked);
        return fail(
          new WriteFault(`Another program is changing ${path}. Try again; if none is running, delete ${target}.lock.`),
        );
      }
      locked.push({ path, real: target, lock });
    }
    return ok(locked);
  } catch (error) {
    await release(locked);
    throw error;
  }
}

async function release(targets: readonly Target[]): Promise<void> {
  for (const { lock } of targets) await lock.release();
}

async function put(path: string, text: string | null): Promise<void> {
  if (text === null) await rm(path, { force: true });
  else await writeWhole(path, text);
}

/** Makes a writer that keeps its copies in `backups`. */
export function createSettingsWriter(options: { readonly backups: string }): SettingsWriter {
  const writeAll = async (targets: readonly (Target & FileTexts)[]): Promise<Result<null, WriteFault>> => {
    const written: (Target & FileTexts)[] = [];
    try {
      for (const target of targets) if (target.before !== null) await backUp(target.real, options.backups);
      for (const { path, lock } of targets)
        if (!(await lock.isHeld()))
          return fail(new WriteFault(`${path} was being changed by another program. Try again.`));
      for (const target of targets) {
        await put(target.real, target.after);
        written.push(target);
      }
      return ok(null);
    } catch (error) {
      const [first] = targets.slice(written.length);
      for (const target of written.reverse()) await put(target.real, target.before).catch(() => undefined);
      return fail(new WriteFault(`${first?.path ?? 'The file'} was not changed: ${reasonOf(error)}.`));
    }
  };

  const changeTogether: SettingsWriter['changeTogether'] = async (paths, edit) => {
    try {
      const locked = await lockAll(paths);
      if (!locked.ok) return locked;
      try {
        const byPath = new Map(locked.value.map((target) => [target.path, target]));
        const texts: (string | null)[] = [];
        for (const path of paths) texts.push(await readText(byPath.get(path)?.real ?? path));
        const edited = edit(texts);
        if (!edited.ok) return edited;
        const changes = paths.map((path, at) => ({
          path,
          before: texts[at] ?? null,
          after: edited.value[at] ?? null,
        }));
        const written = await writeAll(
          changes.flatMap((change) => {
            const target = byPath.get(change.path);
            return target === undefined || change.before === change.after ? [] : [{ ...target, ...change }];
          }),
        );
        return written.ok ? ok(changes) : written;
      } finally {
        await release(locked.value);
      }
    } catch (error) {
      return fail(new WriteFault(`${paths.join(' and ')} was not changed: ${reasonOf(error)}.`));
    }
  };

  return {
    changeTogether,
    async change(path, edit) {
      const changed = await changeTogether([path], ([text]) => {
        const edited = edit(text ?? null);
        return edited.ok ? ok([edited.value]) : fail(`${path}: ${edited.error}`);
      });
      if (!changed.ok) return fail(changed.error instanceof WriteFault ? changed.error.message : changed.error);
      return ok({ text: changed.value[0]?.after ?? '' });
    },
  };
}

/** The text of a settings file; null when there is none. The error is for people. */
export async function readIfThere(path: string): Promise<Result<string | null>> {
  try {
    return ok(await readText(path));
  } catch (error) {
    return fail(`${path} cannot be read: ${reasonOf(error)}.`);
  }
}

/** The same without waiting, for those who look at many files in one step. */
export function readNow(path: string): Result<string | null> {
  try {
    return ok(decoded(readFileSync(path)));
  } catch (error) {
    const code = errorCode(error);
    return code === 'ENOENT' || code === 'ENOTDIR' ? ok(null) : fail(`${path} cannot be read: ${reasonOf(error)}.`);
  }
}
