// Claude Code's transcripts: read like sessions, never written, taken up as a session of one's own.
import { z } from 'zod';
import { call } from '../rpc/contract';
import { FoundPlaces, SoughtText } from '../session/findPlaces';
import { SessionState } from '../session/state';
import { ToolCall } from '../session/toolCall';
import { ItemWindow, WindowPlace } from '../session/window';

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
  /** When Claude Code's own clean-up takes it, in epoch milliseconds; null where its settings cannot be understood. */
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
   * What a transcript tells, in the shape of a session: so many of its newest items with light calls, as in
   * `sessions.subscribe`. `skipped`: lines that could not be understood. `notFound`: it is gone.
   */
  'transcripts.open': call(
    z.strictObject({ id, items: z.number().int().min(1).max(500).default(200) }),
    z.strictObject({ summary: TranscriptSummary, state: SessionState, skipped: whole }),
  ),
  /** A part of it, as `sessions.items` gives it of a session. */
  'transcripts.items': call(
    z.strictObject({ id, at: WindowPlace, count: z.number().int().min(1).max(500) }),
    ItemWindow,
  ),
  /** Where a text stands in all of it, as `sessions.find` says of a session. */
  'transcripts.find': call(SoughtText.extend({ id }), FoundPlaces),
  /** One call with all its contents. */
  'transcripts.call': call(
    z.strictObject({ id, callId: z.string().min(1).max(300) }),
    z.strictObject({ call: ToolCall }),
  ),
  /**
   * Makes a session of one's own that begins with all of it. The transcript stays as it is. `notFound` / `refused` when its
   * folder cannot be used.
   */
  'transcripts.continue': call(z.strictObject({ id }), z.strictObject({ sessionId: z.string() })),
};

export const transcriptEvents = {
  /** Some came, went or grew: list again. */
  'transcripts.changed': z.strictObject({}),
};
