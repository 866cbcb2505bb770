// What a restore would do to one file: pure, over contents that were read before.
import { createHash } from 'node:crypto';
import type { FileRestore } from '#shared/api/changes';
import type { FileChange, FileContent } from '#shared/session/fileChange';
import type { DiskFile, Identity } from './diskFile';
import { type ChosenHunks, hunksBetween, shownLines } from './hunks';
import { isComparable, isText, linesIn, mergeSides, type Side, type SideFacts, sameContent } from './side';
import type { Conflict, Replacement } from './textMerge';

/** One thing to take back: recorded as `before`, became `after`. */
export interface Piece {
  readonly before: FileContent | null;
  readonly after: FileContent | null;
}

/** What is to happen to one path, found in the session's record. */
export interface Wish {
  readonly path: string;
  /** In the order in which they happened. */
  readonly pieces: readonly Piece[];
  /** As the last recorded change of the path left it. */
  readonly last: FileContent | null;
  /** The changes that it takes back. */
  readonly of: readonly string[];
  /** To be known before: what else goes back with it. */
  readonly remark: string;
}

export interface FilePlan {
  readonly shown: FileRestore;
  readonly of: readonly string[];
  readonly now: Side;
  readonly identity: Identity | null;
  /** The whole result; left out where there is none. */
  readonly result?: { readonly bytes: Buffer | null; readonly mode: number | null };
  readonly replacements: ReadonlyMap<string, Replacement>;
}

/** Lines of a conflict that are shown. */
const mostConflictLines = 200;

/** The changes of one path that follow each other without a gap count as one. */
export function joinPieces(changes: readonly Pick<FileChange, 'before' | 'after'>[]): Piece[] {
  const pieces: Piece[] = [];
  for (const { before, after } of changes) {
    const last = pieces.at(-1);
    if (last !== undefined && sameContent(last.after, before))
      pieces[pieces.length - 1] = { before: last.before, after };
    else pieces.push({ before, after });
  }
  return pieces;
}

/** `read` gives kept bytes, null when they are not there; `room` is the number of lines that may be shown. */
export async function planFile(
  wish: Wish,
  from: {
    readonly disk: DiskFile;
    readonly read: (content: FileContent) => Promise<Buffer | null>;
    readonly room: number;
  },
): Promise<FilePlan> {
  const { disk, room } = from;
  if (!disk.ok) return lost(wish, null, disk.problem);
  const now = disk.side;
  let current: Side = now;
  let whole = false;
  let conflicts: readonly Conflict[] = [];
  for (const piece of [...wish.pieces].reverse()) {
    const sides = await sidesOf(piece, current, from.read);
    if (sides === null) return lost(wish, now, notKept(piece));
    const merged = mergeSides({ ...sides, theirs: current });
    whole ||= merged.whole;
    conflicts = [
      ...conflicts.map((one) => ({ ...one, from: merged.place(one.from), to: merged.place(one.to) })),
      ...merged.conflicts,
    ];
    current = merged.bytes === null ? null : sideOf(merged.bytes, merged.mode);
  }
  return planned({ wish, disk, now, result: current, conflicts, whole, room });
}

function planned(about: {
  readonly wish: Wish;
  readonly disk: Extract<DiskFile, { ok: true }>;
  readonly now: Side;
  readonly result: Side;
  readonly conflicts: readonly Conflict[];
  readonly whole: boolean;
  readonly room: number;
}): FilePlan {
  const { wish, disk, now, result, conflicts, whole, room } = about;
  const binary = !isText(now) || !isText(result);
  const comparable = isComparable(now) && isComparable(result);
  const found: ChosenHunks = comparable
    ? hunksBetween(linesIn(now), linesIn(result), room)
    : { hunks: [], added: 0, removed: 0, truncated: !binary };
  const same = sameContent(now, result) && (now?.mode ?? null) === (result?.mode ?? null);
  const does = same ? 'nothing' : now === null ? 'create' : result === null ? 'delete' : 'change';
  const hunks = found.hunks.map(({ at, newStart, ...hunk }) => {
    const first = newStart + hunk.lines.findIndex(({ sign }) => sign !== ' ') - 1;
    const conflict = conflicts.find((one) => one.from <= first + at.lines.length && first <= one.to);
    return { ...hunk, newStart, conflict: conflict === undefined ? null : shownConflict(conflict) };
  });
  const state = same
    ? 'same'
    : whole || hunks.some(({ conflict }) => conflict !== null) || (found.truncated && conflicts.length > 0)
      ? 'conflict'
      : sameContent(now, wish.last)
        ? 'ready'
        : 'merged';
  return {
    shown: {
      path: wish.path,
      state,
      hunks,
      does,
      added: found.added,
      removed: found.removed,
      binary,
      truncated: found.truncated,
      problem: same ? '' : wish.remark,
      now: fingerprint(now, result),
    },
    of: wish.of,
    now,
    identity: disk.identity,
    result: { bytes: result?.bytes ?? null, mode: result?.mode ?? null },
    replacements: new Map(found.hunks.map(({ hunkId, at }) => [hunkId, at])),
  };
}

/** Both sides of a piece as far as merging with `current` needs their bytes; null when they are not there any more. */
async function sidesOf(
  piece: Piece,
  current: Side,
  read: (content: FileContent) => Promise<Buffer | null>,
): Promise<{ readonly base: Side; readonly mine: Side } | null> {
  const load = async (content: FileContent | null): Promise<Side | undefined> => {
    if (content === null) return null;
    if (sameContent(content, current)) return current === null ? undefined : { ...current, mode: content.mode };
    const bytes = await read(content);
    return bytes === null ? undefined : { hash: content.hash, mode: content.mode, bytes };
  };
  const mine = await load(piece.before);
  if (mine === undefined) return null;
  // Where the file is as it was left, or as it is to be, nothing has to be compared with what was left.
  if (sameContent(piece.after, current))
    return { base: current === null ? null : { ...current, mode: piece.after?.mode ?? null }, mine };
  if (sameContent(piece.before, current)) return { base: mine, mine };
  const base = await load(piece.after);
  return base === undefined ? null : { base, mine };
}

function sideOf(bytes: Buffer, mode: number | null): Side {
  return { bytes, mode, hash: createHash('sha256').update(bytes).digest('hex') };
}

function notKept({ before, after }: Piece): string {
  const missing = before !== null && !before.kept ? before : after !== null && !after.kept ? after : null;
  if (missing !== null && missing.bytes > 20_000_000)
    return 'The file was larger than 20 MB, so what was in it has not been kept.';
  return missing === null
    ? 'What was in the file is no longer kept: the oldest contents of a long session go first.'
    : 'What was in the file could not be kept when it was changed.';
}

function lost(wish: Wish, now: Side, problem: string): FilePlan {
  return {
    shown: {
      path: wish.path,
      state: 'lost',
      hunks: [],
      does: 'nothing',
      added: 0,
      removed: 0,
      binary: false,
      truncated: false,
      problem,
      now: fingerprint(now, null),
    },
    of: wish.of,
    now,
    identity: null,
    replacements: new Map(),
  };
}

function fingerprint(now: SideFacts, result: SideFacts): string {
  const facts = (side: SideFacts) => (side === null ? null : [side.hash, side.mode]);
  return createHash('sha256')
    .update(JSON.stringify([facts(now), facts(result)]))
    .digest('hex');
}

function shownConflict({ base, mine, theirs }: Conflict) {
  return {
    recorded: shownLines(base, mostConflictLines),
    now: shownLines(theirs, mostConflictLines),
    restored: shownLines(mine, mostConflictLines),
  };
}
