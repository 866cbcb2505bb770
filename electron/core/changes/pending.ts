// Changes that were made on disk and not yet written down in the session: a note of each lies beside the contents, so that a
// program that ends in between loses none.
import { lstat, unlink } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { z } from 'zod';
import { FileChange } from '#shared/session/fileChange';
import { hashOf, namesIn, pendingName, readPlain, writePrivate } from './contentStore';
import { leftoverName } from './fileTransaction';

const PendingNote = z.strictObject({ changes: z.array(FileChange), leftovers: z.array(z.string()) });
type PendingNote = z.infer<typeof PendingNote>;

const noteName = /^([A-Za-z0-9_-]{1,100})\.json$/;
/** A note younger than this may belong to a write that is still under way. */
const settledAfterMs = 60_000;

export async function writeNote(folder: string, id: string, note: PendingNote): Promise<void> {
  await writePrivate(join(folder, pendingName, `${id}.json`), Buffer.from(JSON.stringify(note)));
}

/** What the note tells of has been written down, or has not happened. */
export async function removeNote(folder: string, id: string): Promise<void> {
  await unlink(join(folder, pendingName, `${id}.json`)).catch(() => undefined);
}

/**
 * Settles what earlier writes left: of every note the changes that are on the disk go to `record`, temporary files go away,
 * the note goes. `isActive` names writes that somebody still waits for.
 */
export async function settleNotes(
  folder: string,
  options: {
    readonly isActive: (id: string) => boolean;
    readonly isKnown: (changeId: string) => boolean;
    readonly record: (change: FileChange) => void;
    /** Epoch milliseconds. */
    readonly now: number;
  },
): Promise<void> {
  for (const name of (await namesIn(join(folder, pendingName))).sort()) {
    const id = noteName.exec(name)?.[1];
    if (id === undefined || options.isActive(id)) continue;
    const file = join(folder, pendingName, name);
    const note = parsed(await readPlain(file));
    const happened: FileChange[] = [];
    for (const change of note?.changes ?? []) if (await isOnDisk(change)) happened.push(change);
    const young = await isYoung(file, options.now);
    if (note !== null && happened.length === 0 && young) continue;
    for (const change of happened) if (!options.isKnown(change.changeId)) options.record(change);
    for (const leftover of note?.leftovers ?? [])
      if (leftoverName.test(basename(leftover))) await unlink(leftover).catch(() => undefined);
    await unlink(file).catch(() => undefined);
  }
}

function parsed(bytes: Buffer | null): PendingNote | null {
  if (bytes === null) return null;
  try {
    const note = PendingNote.safeParse(JSON.parse(bytes.toString('utf8')));
    return note.success ? note.data : null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

/** Whether the file is as the change left it, which is not how it was before. */
async function isOnDisk({ path, before, after }: FileChange): Promise<boolean> {
  const bytes = await readPlain(path);
  const hash = bytes === null ? null : hashOf(bytes);
  return hash === (after?.hash ?? null) && hash !== (before?.hash ?? null);
}

async function isYoung(file: string, now: number): Promise<boolean> {
  const found = await lstat(file).catch(() => null);
  return found !== null && now - found.mtimeMs < settledAfterMs;
}
