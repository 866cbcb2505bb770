import { z } from 'zod';

/** Where a session that did not begin empty began. */
export const SessionOrigin = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('branch'),
    sessionId: z.string(),
    /** Of that session, when this one was made. */
    title: z.string(),
    /** The last event that both share. */
    throughSeq: z.number().int().nonnegative(),
  }),
  /** `file`: absolute, as it was. */
  z.strictObject({ kind: z.literal('transcript'), id: z.string(), title: z.string(), file: z.string() }),
]);
export type SessionOrigin = z.infer<typeof SessionOrigin>;
