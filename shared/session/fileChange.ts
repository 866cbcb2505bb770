// A change of a file that a tool (or a restore) made, as a step that can be taken back.
import { z } from 'zod';

/** What a file held at a moment. `hash`: SHA-256 of its bytes, in hex, under which the bytes are kept. */
export const FileContent = z.strictObject({
  hash: z.string().regex(/^[0-9a-f]{64}$/),
  bytes: z.number().int().nonnegative(),
  /** Permission bits; null where the system has none. */
  mode: z.number().int().nonnegative().nullable(),
  /** False: too large to be kept, or it could not be read; then this side cannot be restored. */
  kept: z.boolean(),
});
export type FileContent = z.infer<typeof FileContent>;

export const FileChange = z.strictObject({
  changeId: z.string(),
  /** Absolute, links resolved. */
  path: z.string(),
  /** Null: the file was not there. */
  before: FileContent.nullable(),
  after: FileContent.nullable(),
  by: z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('call'), callId: z.string() }),
    /** The person brought something back; `of` names the changes that it took back or made again. All of one restore share `step`. */
    z.strictObject({ kind: z.literal('restore'), step: z.string(), of: z.array(z.string()) }),
  ]),
  /** Lines added and removed; null for what is no text. */
  lines: z.strictObject({ added: z.number().int().nonnegative(), removed: z.number().int().nonnegative() }).nullable(),
});
export type FileChange = z.infer<typeof FileChange>;
