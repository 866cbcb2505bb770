// What became of calls, step by step: of one session, of all, to look at and to take along.
import { z } from 'zod';
import { call } from '../rpc/contract';
import { HookRun } from '../session/hookRun';
import { ToolCall } from '../session/toolCall';
import { DecisionCause, TraceRow } from '../trace/traceRow';

const sessionId = z.string().min(1).max(100);
const whole = z.number().int().nonnegative();

/** Something that was taken out, as a sample for the person who exports. */
export const Redaction = z.strictObject({
  /** `api key`, `password`, `home folder`, `e-mail address`, … */
  kind: z.string(),
  count: whole,
  /** The first of them as it will read, with what stands around it; never the secret itself. */
  sample: z.string(),
});
export type Redaction = z.infer<typeof Redaction>;

export const Exported = z.strictObject({
  /** For saving: no folder, no signs that a system refuses. */
  name: z.string(),
  mediaType: z.string(),
  text: z.string(),
  redactions: z.array(Redaction),
  /** What was left out, with numbers: images, thinking, unknown lines. */
  leftOut: z.array(z.strictObject({ what: z.string(), count: whole })),
});
export type Exported = z.infer<typeof Exported>;

export const TraceTotals = z.strictObject({
  calls: whole,
  sessions: whole,
  runningMs: z.number(),
  waitedMs: z.number(),
  prompts: whole,
  /** Prompts for each hour with work in it. */
  promptsPerHour: z.number(),
  /** Middle of the times that a person took to answer, in milliseconds; null: nobody was asked. */
  medianAnswerMs: z.number().nullable(),
  /** Answers in under a second: too fast to have been read. */
  hastyAnswers: whole,
  byTool: z.array(
    z.strictObject({
      tool: z.string(),
      calls: whole,
      runningMs: z.number(),
      waitedMs: z.number(),
      failed: whole,
      denied: whole,
    }),
  ),
  byCause: z.array(z.strictObject({ cause: DecisionCause, verdict: z.enum(['allow', 'ask', 'deny']), calls: whole })),
});
export type TraceTotals = z.infer<typeof TraceTotals>;

export const traceCalls = {
  /**
   * Calls of a session in the order in which they were made, and the hooks that ran for no call: those about which an event
   * after `since` told something. `seq` is the last event that the answer knows; what happens afterwards comes as
   * `session.event` to those who subscribed.
   */
  'trace.rows': call(
    z.strictObject({ sessionId, since: whole.default(0) }),
    z.strictObject({
      seq: whole,
      rows: z.array(TraceRow),
      hooks: z.array(z.strictObject({ seq: whole, run: HookRun })),
    }),
  ),
  /** A call whole. `notFound`: no such call. */
  'trace.call': call(z.strictObject({ sessionId, callId: z.string() }), ToolCall),
  /** Over the calls of one session, or of all since a time. */
  'trace.totals': call(z.strictObject({ sessionId: sessionId.nullable(), since: z.number().nullable() }), TraceTotals),
  /** JSON of our own, or OpenTelemetry's (OTLP/JSON, spans). `callIds` null: all. */
  'trace.export': call(
    z.strictObject({
      sessionId,
      callIds: z.array(z.string()).max(100_000).nullable(),
      format: z.enum(['json', 'otlp']),
      redact: z.boolean(),
    }),
    Exported,
  ),
};
