// A command that goes on after its call has its result.
import { z } from 'zod';

export const BackgroundTask = z.strictObject({
  /** Short and speakable, unique within the session: `b1`, `b2`. */
  taskId: z.string(),
  callId: z.string(),
  command: z.string(),
  description: z.string(),
  status: z.enum(['running', 'completed', 'failed', 'stopped']),
  startedAt: z.number(),
  endedAt: z.number().nullable(),
  exitCode: z.number().int().nullable(),
  /** File that holds the plain text of its output; grows while it runs, up to a cap. Empty: none could be made. */
  outputFile: z.string(),
  /** Known when it has ended; 0 while it runs. */
  outputBytes: z.number().int().nonnegative(),
  /** Why it ended, in words: "exit 0", "stopped by you", "output reached 64 MiB". Empty while it runs. */
  note: z.string(),
});
export type BackgroundTask = z.infer<typeof BackgroundTask>;
