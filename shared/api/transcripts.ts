// Claude Code's transcripts: read like sessions, never written, taken up as a session of one's own.
import { z } from 'zod';
import { call } from '../rpc/contract';
import { SessionState } from '../session/state';

const id = z.string().min(1).max(1_000);
const whole = z.number().int().nonnegative();

export const TranscriptSummary = z.strictObject({
  /** Names it for this page; not a path. */
  id,
  title: z.string(),
  folder: z.string(),
  /** Absolute. */
  file: z.string(),
  bytes: whole,
  updatedAt: z.number(),
  /** When Claude Code's own clean-up takes it, in epoch milliseconds; null where its settings do not say. */
  goesAt: z.number().nullable(),
  /** Sessions of Gatehouse that were begun from it. */
  continuedAs: z.array(z.string()),
});
export type TranscriptSummary = z.infer<typeof TranscriptSummary>;

export const transcriptCalls = {
  /** All of them, last changed first. */
  'transcripts.list': call(
    z.strictObject({}),
    z.strictObject({ transcripts: z.array(TranscriptSummary), truncated: z.boolean() }),
  ),
  /**
   * What a transcript tells, in the shape of a session: its newest `items` entries with their calls. `skipped`: lines that
   * could not be understood, `before`: how many earlier entries there are.
   */
  'transcripts.open': call(
    z.strictObject({ id }),
    z.strictObject({ summary: TranscriptSummary, state: SessionState, skipped: whole }),
  ),
  /** Makes a session of one's own that begins with all of it. The transcript stays as it is. */
  'transcripts.continue': call(z.strictObject({ id }), z.strictObject({ sessionId: z.string() })),
};

export const transcriptEvents = {
  /** Some came, went or grew: list again. */
  'transcripts.changed': z.strictObject({}),
};
