// A command in the sandbox wants to reach a host that no list speaks of; only a person can say whether it may.
import { z } from 'zod';

export const NetworkAsk = z.strictObject({
  askId: z.string(),
  /** The call whose command waits. */
  callId: z.string(),
  /** A name in lower case and without a dot at its end, in ASCII whatever script it is of, or an address. */
  host: z.string(),
  port: z.number().int().min(1).max(65_535),
  /** The name in its own script where that is another one. */
  readable: z.string().optional(),
  /** An address of a private network that the name leads to. Then it is asked about a second time. */
  address: z.string().optional(),
  /** What to think of first: a look-alike name, a place within the own network. */
  warning: z.string().optional(),
  /** The whole command or code. */
  command: z.string(),
  /** Name of the sub-agent whose command it is; null for the session itself. */
  agent: z.string().nullable(),
  /** Patterns that may be saved, narrow to broad; empty when nothing may. */
  patterns: z.array(z.string()),
});
export type NetworkAsk = z.infer<typeof NetworkAsk>;

/** Where an allowed pattern can be saved. */
export const NetworkSavable = z.enum(['localSettings', 'userSettings']);
export type NetworkSavable = z.infer<typeof NetworkSavable>;

export const NetworkAnswer = z.discriminatedUnion('kind', [
  /** For this command until it ends. */
  z.strictObject({ kind: z.literal('deny') }),
  /** For this command until it ends. */
  z.strictObject({ kind: z.literal('allowOnce') }),
  z.strictObject({ kind: z.literal('allowSession') }),
  /** `pattern`: one of the ask's. */
  z.strictObject({ kind: z.literal('allowAlways'), pattern: z.string().min(1).max(300), source: NetworkSavable }),
]);
export type NetworkAnswer = z.infer<typeof NetworkAnswer>;

/** How an ask ended. `rule`: another answer or a changed list settled it; `abort`: the command does not want it any more. */
export const NetworkOutcome = z.strictObject({
  by: z.enum(['person', 'rule', 'abort']),
  allowed: z.boolean(),
  /** How long it counts where a person said it. */
  lasts: z.enum(['once', 'session', 'always']).optional(),
  /** What was saved. */
  pattern: z.string().optional(),
});
export type NetworkOutcome = z.infer<typeof NetworkOutcome>;
