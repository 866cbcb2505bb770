// What tools changed in files, and taking it back: by file, by hunk, and back again.
import { z } from 'zod';
import { call } from '../rpc/contract';
import { FileChange } from '../session/fileChange';
import { DiffHunk } from '../tools/presentation';

const sessionId = z.string().min(1).max(100);
const whole = z.number().int().nonnegative();

export const TimelineEntry = z.strictObject({
  /** The event's number in the session. */
  seq: whole,
  at: z.number(),
  change: FileChange,
  /** Title and summary of the call; of a restore what it did, in words. */
  title: z.string(),
  /** The sub-agent that made it. */
  agentId: z.string().nullable(),
});
export type TimelineEntry = z.infer<typeof TimelineEntry>;

/** A call that may have changed files behind Gatehouse's back: a command, a server's tool. Nothing of it can be taken back here. */
export const NotCovered = z.strictObject({ callId: z.string(), at: z.number(), title: z.string(), what: z.string() });
export type NotCovered = z.infer<typeof NotCovered>;

/** A hunk that can be chosen. */
export const RestoreHunk = DiffHunk.extend({
  hunkId: z.string(),
  /** Null where nobody else changed these lines. Else the three texts that do not go together, line by line, cut. */
  conflict: z
    .strictObject({
      /** As the recorded change left it. */
      recorded: z.array(z.string()),
      /** As it is on disk. */
      now: z.array(z.string()),
      /** As it would be again. */
      restored: z.array(z.string()),
    })
    .nullable(),
});
export type RestoreHunk = z.infer<typeof RestoreHunk>;

export const FileRestore = z.strictObject({
  path: z.string(),
  /**
   * ready: the file is as the last recorded change left it · merged: somebody changed it since, and both fit together ·
   * conflict: they do not; `hunks` show what would be written if the restore wins in those places ·
   * same: nothing to do · lost: the content was not kept, or the file cannot be read; `problem` says which.
   */
  state: z.enum(['ready', 'merged', 'conflict', 'same', 'lost']),
  /** From what is on disk now to what would be written. */
  hunks: z.array(RestoreHunk),
  /** The file is made, deleted, or its lines change. */
  does: z.enum(['create', 'delete', 'change', 'nothing']),
  added: whole,
  removed: whole,
  /** Not text: only the whole file can be chosen. */
  binary: z.boolean(),
  truncated: z.boolean(),
  /** Why it cannot be restored; else what should be known before, or nothing. */
  problem: z.string(),
  /** Fingerprint of what is on disk and of what would be written; a restore that finds something else is refused. */
  now: z.string(),
});
export type FileRestore = z.infer<typeof FileRestore>;

/** What a restore goes back to. */
export const RestoreTarget = z.discriminatedUnion('kind', [
  /** All files as they were right before this event of the session (a message, a call, a change). */
  z.strictObject({ kind: z.literal('before'), seq: whole }),
  /** Just these changes taken back, the rest left. */
  z.strictObject({ kind: z.literal('undo'), changeIds: z.array(z.string()).min(1).max(1_000) }),
  /** The last restore of that step taken back. */
  z.strictObject({ kind: z.literal('redo'), step: z.string() }),
]);
export type RestoreTarget = z.infer<typeof RestoreTarget>;

export const changeCalls = {
  'changes.list': call(
    z.strictObject({ sessionId }),
    z.strictObject({ entries: z.array(TimelineEntry), notCovered: z.array(NotCovered) }),
  ),
  /** What one recorded change did. */
  'changes.diff': call(
    z.strictObject({ sessionId, changeId: z.string() }),
    z.strictObject({ hunks: z.array(DiffHunk), truncated: z.boolean(), binary: z.boolean(), problem: z.string() }),
  ),
  /** What a restore would do, file by file. Nothing is changed. */
  'changes.preview': call(
    z.strictObject({ sessionId, target: RestoreTarget }),
    z.strictObject({ files: z.array(FileRestore) }),
  ),
  /**
   * Restores the chosen files and hunks as one step, all or nothing. `conflict` while a turn runs, or when a file is no longer
   * what the preview showed; then nothing has changed.
   */
  'changes.restore': call(
    z.strictObject({
      sessionId,
      target: RestoreTarget,
      files: z
        .array(
          z.strictObject({
            path: z.string(),
            now: z.string(),
            /** Only these hunks, where the file is not made, deleted or binary; null: all. */
            hunkIds: z.array(z.string()).nullable(),
          }),
        )
        .min(1)
        .max(1_000),
    }),
    z.strictObject({ step: z.string(), changes: z.array(FileChange) }),
  ),
};
