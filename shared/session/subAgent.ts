// A sub-agent of a session: its own conversation with the model, within the same log, rules and trace.
import { z } from 'zod';

export const SubAgent = z.strictObject({
  /** Unique within the session: `a1`, `a2`. */
  agentId: z.string(),
  /** The call that started it. */
  callId: z.string(),
  /** The sub-agent that started it; null: the session itself. */
  parent: z.string().nullable(),
  /** Which kind of agent, and what it is to do in a few words. */
  type: z.string(),
  description: z.string(),
  /** Id of the model that answers. */
  model: z.string(),
  background: z.boolean(),
  status: z.enum(['running', 'completed', 'failed', 'stopped']),
  startedAt: z.number(),
  endedAt: z.number().nullable(),
  /** How it ended, in words; empty while it runs. */
  note: z.string(),
});
export type SubAgent = z.infer<typeof SubAgent>;
