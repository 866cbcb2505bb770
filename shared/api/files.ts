// A file that a call is about, for the person to look at.
import { z } from 'zod';
import { call } from '../rpc/contract';

const sessionId = z.string().min(1).max(100);
const whole = z.number().int().nonnegative();

export const ShownFile = z.strictObject({
  /** Absolute, links resolved. */
  path: z.string(),
  bytes: whole,
  /** Epoch milliseconds. */
  modifiedAt: z.number(),
  content: z.discriminatedUnion('kind', [
    z.strictObject({
      kind: z.literal('text'),
      /** Lines as they stand in the file, without their ends. */
      lines: z.array(z.string()),
      /** Number of the first of them, from 1. */
      firstLine: z.number().int().positive(),
      /** Lines of the whole file. */
      total: whole,
      eol: z.enum(['lf', 'crlf', 'mixed', 'none']),
      /** Whether the last line ends with a line break. */
      endsWithBreak: z.boolean(),
      /** A line was longer than can be shown and was cut. */
      cutLines: z.boolean(),
    }),
    z.strictObject({ kind: z.literal('binary') }),
    /** More bytes than are read here. */
    z.strictObject({ kind: z.literal('large'), limit: whole }),
  ]),
});
export type ShownFile = z.infer<typeof ShownFile>;

export const fileCalls = {
  /**
   * A text file of the session's working folders as it is now: at most 5,000 lines around `line`. A relative path counts from
   * the session's current folder, then from its first one. `notFound`: there is none; `refused`: outside the working folders,
   * private, or no plain file.
   */
  'files.read': call(
    z.strictObject({ sessionId, path: z.string().min(1).max(4_096), line: z.number().int().positive().optional() }),
    ShownFile,
  ),
};
