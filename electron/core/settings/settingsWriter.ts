// Changes a settings file: under a lock, on what is in it now, whole or not at all, with a copy of what was there.
import { createHash, randomUUID } from 'node:crypto';
import { copyFile, mkdir, open, readdir, realpath, rename, rm, rmdir, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { fail, ok, type Result } from '#shared/util/result';
import { readRegularFile } from '../regularFile';
import { type FileLock, lockFile } from './fileLock';
import { changeAgain } from './revertText';
import { forgetChange, type Noted, noteChange, notedChanges, readNote } from './unfinished';

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
  /**
   * Takes back what a program that ended in the middle of a change left half written. Gives the files that could not be
   * taken back, since others changed them since. Changes wait for it.
   */
  recover(): Promise<readonly string[]>;
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
    return decoded(readRegularFile(path));
  } catch (error) {
    if (errorCode(error) === 'ENOENT' || (await isEmptyFolder(path))) return null;
    throw error;
  }
}

/** It keeps sandboxed commands, while they run, from making the file that is missing there. */
async function isEmptyFolder(path: string): Promise<boolean> {
  return (await readdir(path).catch(() => ['unknown'])).length === 0;
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
    (found) => (found.isFile() ? found.mode & 0o777 : 0o644),
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
    // An empty folder gives way; nothing else is removed by this.
    await rmdir(path).catch(() => undefined);
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
      const twin = locked.find((one) => one.real === target);
      if (twin !== undefined) {
        await release(locked);
        return fail(new WriteFault(`${twin.path} and ${path} are the same file. Change it in one of the two places.`));
      }
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

/** Makes a writer that keeps its copies in `backups`. `onWriting` hears of each file right before it is written. */
export function createSettingsWriter(options: {
  readonly backups: string;
  readonly onWriting?: (change: FileTexts) => void;
}): SettingsWriter {
  /** Puts the texts of a note back that stood there before. Gives the files where that cannot be done any more. */
  const takeBack = async (noted: Noted): Promise<string[]> => {
    const left: string[] = [];
    const present: (string | null)[] = [];
    for (const { real } of noted) present.push(await readText(real));
    // All of it came to the disk: only the note was not taken away.
    if (noted.every(({ after }, at) => present[at] === after)) return left;
    for (const [at, { real, before, after }] of noted.entries()) {
      const now = present[at] ?? null;
      if (now === before) continue;
      const text = changeAgain({ now, from: after, to: before });
      if (text === undefined) left.push(real);
      else await put(real, text);
    }
    return left;
  };

  const recoverOne = async (note: string): Promise<readonly string[]> => {
    const paths = (await readNote(note))?.map(({ real }) => real) ?? [];
    const locked = await lockAll(paths);
    if (!locked.ok) return paths;
    try {
      // Whoever is at work holds the locks: what is still noted now was left behind.
      const noted = await readNote(note);
      if (noted === null) return [];
      const left = await takeBack(noted);
      await forgetChange(note);
      return left;
    } finally {
      await release(locked.value);
    }
  };

  const recoverAll = async (): Promise<readonly string[]> => {
    const left: string[] = [];
    for (const note of await notedChanges(options.backups)) left.push(...(await recoverOne(note)));
    return left;
  };
  let recovered: Promise<readonly string[]> | null = null;
  const recover = (): Promise<readonly string[]> => {
    recovered ??= recoverAll();
    return recovered;
  };

  const writeAll = async (targets: readonly (Target & FileTexts)[]): Promise<Result<null, WriteFault>> => {
    const written: (Target & FileTexts)[] = [];
    let note: string | null = null;
    try {
      for (const target of targets) if (target.before !== null) await backUp(target.real, options.backups);
      if (targets.length > 1) {
        const noted = targets.map(({ real, before, after }) => ({ real, before, after }));
        note = await noteChange(options.backups, noted);
      }
      for (const { path, lock } of targets)
        if (!(await lock.isHeld())) {
          if (note !== null) await forgetChange(note);
          return fail(new WriteFault(`${path} was being changed by another program. Try again.`));
        }
      for (const target of targets) {
        const { path, before, after } = target;
        options.onWriting?.({ path, before, after });
        await put(target.real, after);
        written.push(target);
      }
    } catch (error) {
      const first = targets[written.length];
      const stuck: string[] = [];
      for (const target of written.reverse())
        await put(target.real, target.before).catch(() => void stuck.push(target.path));
      // What could not be put back now is put back at the next start.
      if (note !== null && stuck.length === 0) await forgetChange(note).catch(() => undefined);
      const half = stuck.length === 0 ? '' : ` ${stuck.join(' and ')} could not be put back; its backup is kept.`;
      return fail(new WriteFault(`${first?.path ?? 'The file'} was not changed: ${reasonOf(error)}.${half}`));
    }
    if (note !== null) await forgetChange(note).catch(() => undefined);
    return ok(null);
  };

  const changeTogether: SettingsWriter['changeTogether'] = async (paths, edit) => {
    try {
      await recover();
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
    recover,
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
    return ok(decoded(readRegularFile(path)));
  } catch (error) {
    const code = errorCode(error);
    return code === 'ENOENT' || code === 'ENOTDIR' ? ok(null) : fail(`${path} cannot be read: ${reasonOf(error)}.`);
  }
}
