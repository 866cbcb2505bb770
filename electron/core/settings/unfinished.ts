// Changes of several files that are under way, written down first: a program that ends in the middle leaves no half of one.
import { randomUUID } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';

const Noted = z.array(
  z.strictObject({ real: z.string(), before: z.string().nullable(), after: z.string().nullable() }),
);
/** Files of one change, with links followed, and their texts; null = not there. */
export type Noted = z.infer<typeof Noted>;

const name = /^unfinished-[\w-]+\.json$/;

/** Notes a change down before its first file is written. Gives the note's file; throws when it cannot be written. */
export async function noteChange(folder: string, files: Noted): Promise<string> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, `unfinished-${randomUUID()}.json`);
  const handle = await open(`${path}.tmp`, 'wx', 0o600);
  try {
    await handle.writeFile(JSON.stringify(files), 'utf8');
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(`${path}.tmp`, path);
  return path;
}

/** The change is written, or taken back. */
export async function forgetChange(note: string): Promise<void> {
  await rm(note, { force: true });
}

/** Changes that are under way somewhere, or were when a program ended. */
export async function notedChanges(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder).catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  });
  return names.filter((one) => name.test(one)).map((one) => join(folder, one));
}

/** Null when it is finished meanwhile, or cannot be read. */
export async function readNote(note: string): Promise<Noted | null> {
  try {
    return Noted.parse(JSON.parse(await readFile(note, 'utf8')));
  } catch {
    return null;
  }
}
