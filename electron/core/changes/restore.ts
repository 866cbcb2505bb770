// Writes what was chosen of a restore, all or nothing, and records it like any other change.
import { RpcError } from '#shared/rpc/errors';
import type { FileChange, FileContent } from '#shared/session/fileChange';
import { newId } from '../ids';
import { errnoOf, hashOf, keepBytes, makeHistory, maxFileBytes } from './contentStore';
import { FileTransaction, type FileWrite, WriteRefused } from './fileTransaction';
import { applyHunks } from './hunks';
import { removeNote, writeNote } from './pending';
import type { FilePlan } from './plan';
import { isText, linesIn, type Side } from './side';
import { replacements } from './textMerge';

interface Chosen {
  readonly plan: FilePlan;
  readonly hunkIds: readonly string[] | null;
}

/** Throws RpcError; then nothing has changed. Files that stay as they are give no change. */
export async function restoreFiles(request: {
  readonly step: string;
  readonly plans: readonly Chosen[];
  /** The session's folder of contents. */
  readonly folder: string;
  /** Throws when nothing may be written now. */
  readonly stillFree: () => void;
  readonly append: (change: FileChange) => void;
}): Promise<FileChange[]> {
  const { step, folder, append } = request;
  const writes = request.plans.flatMap((chosen) => {
    const write = writeOf(chosen);
    return write === null ? [] : [{ write, of: chosen.plan.of }];
  });
  if (writes.length === 0) return [];
  const changes = await keepSides({ step, folder, writes });
  const transaction = new FileTransaction();
  try {
    await transaction.prepare(writes.map(({ write }) => write));
    await noteIt(transaction, () => writeNote(folder, step, { changes, leftovers: transaction.leftovers }));
    request.stillFree();
    await transaction.apply();
  } catch (error) {
    await transaction.rollback();
    await removeNote(folder, step);
    throw asRpcError(error);
  }
  const written: FileChange[] = [];
  try {
    for (const change of changes) {
      append(change);
      written.push(change);
    }
  } catch (error) {
    // What the session could not write down must not have happened; the part that it did write down is taken out again.
    await transaction.rollback();
    for (const change of written.reverse()) appendQuietly(append, change, step);
    await removeNote(folder, step);
    throw error;
  }
  await transaction.finish();
  await removeNote(folder, step);
  return changes;
}

function asRpcError(error: unknown): unknown {
  if (!(error instanceof WriteRefused)) return error;
  return new RpcError(error.reason === 'changed' ? 'conflict' : 'refused', error.message);
}

function appendQuietly(append: (change: FileChange) => void, change: FileChange, step: string): void {
  const { path, before, after, lines, changeId } = change;
  try {
    append({
      changeId: newId('f'),
      path,
      before: after,
      after: before,
      by: { kind: 'restore', step, of: [changeId] },
      lines: lines === null ? null : { added: lines.removed, removed: lines.added },
    });
  } catch {
    // The session cannot be written to at all, which the error that is on its way says.
  }
}

/** A note that cannot be written is no reason to leave things half done. */
async function noteIt(transaction: FileTransaction, write: () => Promise<void>): Promise<void> {
  try {
    await write();
  } catch (error) {
    await transaction.rollback();
    throw notKept(error);
  }
}

function writeOf({ plan, hunkIds }: Chosen): FileWrite | null {
  const { shown, now, identity, result } = plan;
  if (result === undefined || shown.does === 'nothing') return null;
  const write = { path: shown.path, now, identity, ...result };
  if (hunkIds === null) return write;
  const all = plan.replacements;
  const chosen = hunkIds.flatMap((id) => all.get(id) ?? []);
  if (chosen.length !== new Set(hunkIds).size)
    throw new RpcError('conflict', `${shown.path} has changed since the preview. Nothing was changed.`);
  if (chosen.length === all.size && !shown.truncated) return write;
  if (shown.does !== 'change' || shown.binary)
    throw new RpcError('invalid', `${shown.path} can only be restored as a whole.`);
  if (chosen.length === 0) return null;
  const bytes = Buffer.from(applyHunks(linesIn(now), chosen));
  return { ...write, bytes, mode: now?.mode ?? result.mode };
}

/** Keeps what is there and what comes, so that the restore itself can be taken back; without that it is not made. */
async function keepSides(about: {
  readonly step: string;
  readonly folder: string;
  readonly writes: readonly { readonly write: FileWrite; readonly of: readonly string[] }[];
}): Promise<FileChange[]> {
  const { step, folder, writes } = about;
  try {
    await makeHistory(folder);
    const changes: FileChange[] = [];
    for (const { write, of } of writes) {
      const after = write.bytes === null ? null : { hash: hashOf(write.bytes), bytes: write.bytes, mode: write.mode };
      const [before, kept] = [await keepSide(folder, write.now), await keepSide(folder, after)];
      const by = { kind: 'restore' as const, step, of: [...of] };
      const lines = linesBetween(write.now, after);
      changes.push({ changeId: newId('f'), path: write.path, before, after: kept, by, lines });
    }
    return changes;
  } catch (error) {
    throw notKept(error);
  }
}

async function keepSide(folder: string, side: Side): Promise<FileContent | null> {
  if (side === null) return null;
  const { bytes, mode } = side;
  if (bytes.length > maxFileBytes)
    throw new RpcError('refused', 'A file would be larger than 20 MB. Nothing was changed.');
  return { hash: await keepBytes(folder, bytes), bytes: bytes.length, mode, kept: true };
}

function linesBetween(before: Side, after: Side): FileChange['lines'] {
  if (!isText(before) || !isText(after)) return null;
  const found = replacements(linesIn(before), linesIn(after));
  return {
    added: found.reduce((sum, { lines }) => sum + lines.length, 0),
    removed: found.reduce((sum, { from, to }) => sum + to - from, 0),
  };
}

function notKept(error: unknown): unknown {
  const errno = errnoOf(error);
  if (errno === undefined || error instanceof RpcError) return error;
  const why = errno === 'ENOSPC' ? 'the disk is full' : errno;
  return new RpcError('refused', `What is in the files now could not be kept (${why}), so nothing was changed.`);
}
