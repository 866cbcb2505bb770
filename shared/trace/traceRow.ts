// A call in few words, as the trace lists it: times of its seven steps, who decided, who asked for it.
import { z } from 'zod';
import { StepName, StepOutcome } from '../session/toolCall';
import { CardIcon } from '../tools/presentation';

export const TraceStep = z.strictObject({
  step: StepName,
  startedAt: z.number(),
  /** Null: it runs now. */
  endedAt: z.number().nullable(),
  /** Of that, how long a person was waited for, in milliseconds. */
  waitedMs: z.number().nonnegative(),
  outcome: StepOutcome,
});
export type TraceStep = z.infer<typeof TraceStep>;

/** What decided, without its particulars. */
export const DecisionCause = z.enum([
  'rule',
  'mode',
  'readOnly',
  'noPermissionNeeded',
  'safety',
  'tool',
  'hook',
  'classifier',
  'person',
  'noRule',
  'nobodyToAsk',
  'denialLimit',
]);
export type DecisionCause = z.infer<typeof DecisionCause>;

/** A person was asked. `answeredAt` null: the question stands. Answers by a rule were given by one that was saved meanwhile. */
export const TracePrompt = z.strictObject({
  askedAt: z.number(),
  answeredAt: z.number().nullable(),
  by: z.enum(['person', 'rule', 'abort']).nullable(),
  /** `host:port` that the running command waited for; absent where the call itself waited. */
  host: z.string().optional(),
});
export type TracePrompt = z.infer<typeof TracePrompt>;

export const TraceRow = z.strictObject({
  callId: z.string(),
  /** Counted from 1 in the order in which the calls were made. */
  number: z.number().int().positive(),
  /** Name as the model wrote it, and the tool's name for people. */
  name: z.string(),
  title: z.string(),
  icon: CardIcon,
  /** Command, path, pattern: one line, cut after 400 characters. */
  what: z.string(),
  messageId: z.string(),
  /** The sub-agent that makes the call, with its name; null: the session itself. */
  agent: z.strictObject({ agentId: z.string(), name: z.string(), byCall: z.string().nullable() }).nullable(),
  createdAt: z.number(),
  /** Null while it goes on. */
  endedAt: z.number().nullable(),
  status: z.enum(['checking', 'asking', 'running', 'succeeded', 'failed', 'denied', 'interrupted']),
  /** What the permission step said first: `ask` also where a person has answered since. Null: it did not get so far. */
  verdict: z.enum(['allow', 'ask', 'deny']).nullable(),
  cause: DecisionCause.nullable(),
  /** The cause in words: the rule and its place, the mode, the hook. */
  because: z.string(),
  steps: z.array(TraceStep),
  prompts: z.array(TracePrompt),
  /** How long a person was waited for until now; a question that stands counts once it is answered. */
  waitedMs: z.number().nonnegative(),
  hooks: z.strictObject({ runs: z.number().int(), failed: z.number().int(), changed: z.number().int() }),
  /** Bytes of the result that was kept as a file; null: none was. */
  keptBytes: z.number().int().nullable(),
});
export type TraceRow = z.infer<typeof TraceRow>;
