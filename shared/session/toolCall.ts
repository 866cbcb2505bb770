// One tool call as a union by status: each status has exactly its own fields.
import { z } from 'zod';
import { Decision } from '../permissions/decision';
import { CallPresentation, View } from '../tools/presentation';
import { Ask } from './ask';
import { HookRun } from './hookRun';
import { NetworkOutcome } from './networkAsk';

/** The seven steps, in order. Result processing belongs to execution. */
export const stepNames = ['lookup', 'input', 'validation', 'preHook', 'permission', 'execution', 'postHook'] as const;
export const StepName = z.enum(stepNames);
export type StepName = z.infer<typeof StepName>;

/** passed · stopped: the call ended here · touched: a hook changed something · skipped: nothing to do here. */
export const StepOutcome = z.enum(['passed', 'stopped', 'touched', 'skipped']);
export type StepOutcome = z.infer<typeof StepOutcome>;

/** One row of the trace. Times are epoch milliseconds with fractions; `waitedMs` is a person's time within the step. */
export const StepTrace = z.strictObject({
  step: StepName,
  startedAt: z.number(),
  endedAt: z.number(),
  waitedMs: z.number().nonnegative().default(0),
  outcome: StepOutcome,
  /** One line for people: "valid, 2 fields". */
  note: z.string(),
  /** What went into the step and what came out, bounded, as far as it explains the outcome. */
  input: z.json().optional(),
  output: z.json().optional(),
});
export type StepTrace = z.infer<typeof StepTrace>;

/** A result kept as a file because it was too long for the model. */
export const PersistedResult = z.strictObject({
  /** Absolute. */
  file: z.string(),
  bytes: z.number().int().nonnegative(),
  /** Characters of it that the model got. */
  previewChars: z.number().int().nonnegative(),
});
export type PersistedResult = z.infer<typeof PersistedResult>;

/** A host that the call's command wanted to reach, and what a person said to it. */
export const AskedHost = z.strictObject({
  askId: z.string(),
  host: z.string(),
  port: z.number().int(),
  askedAt: z.number(),
  /** Null: the command waits. */
  answered: z.strictObject({ at: z.number(), outcome: NetworkOutcome }).nullable(),
});
export type AskedHost = z.infer<typeof AskedHost>;

const base = {
  callId: z.string(),
  messageId: z.string(),
  /** Counts the session's calls from 1, in the order they were made. */
  number: z.number().int().positive().optional(),
  /** Long contents are left out or cut (input, views, result, what steps and hooks got); `sessions.call` gives all. */
  light: z.literal(true).optional(),
  /** The sub-agent that makes the call; absent: the session itself. */
  agentId: z.string().optional(),
  /** Name as the model wrote it. */
  name: z.string(),
  input: z.json(),
  presentation: CallPresentation,
  createdAt: z.number(),
  steps: z.array(StepTrace),
  /** The step that runs now; null before the first and after the last. */
  currentStep: StepName.nullable(),
  decision: Decision.nullable(),
  /** Hook handlers that ran for this call; absent when none did. */
  hooks: z.array(HookRun).optional(),
  /** Hosts that were asked about while its command ran, oldest first; absent when there were none. */
  hosts: z.array(AskedHost).optional(),
};

const ended = {
  ...base,
  endedAt: z.number(),
  view: View.nullable(),
  /** The text the model received. */
  modelText: z.string(),
  /** One line for the card's foot: "exit 1 · 1,204 characters". */
  note: z.string(),
  persisted: PersistedResult.optional(),
  /** A hook put it off: it is taken up again with the session's next turn. */
  deferred: z.literal(true).optional(),
};

/** Kinds of failure shown to people. */
export const FailureKind = z.enum([
  'input',
  'validation',
  'network',
  'timeout',
  'permission',
  'notFound',
  'aborted',
  'executor',
  'mcp',
  /** The MCP server wants a person to sign in. */
  'mcpAuth',
  'tool',
  'internal',
]);
export type FailureKind = z.infer<typeof FailureKind>;

export const ToolCall = z.discriminatedUnion('status', [
  z.strictObject({ status: z.literal('checking'), ...base }),
  z.strictObject({ status: z.literal('asking'), ...base, ask: Ask, askedAt: z.number() }),
  z.strictObject({ status: z.literal('running'), ...base, startedAt: z.number() }),
  z.strictObject({ status: z.literal('succeeded'), ...ended }),
  z.strictObject({ status: z.literal('failed'), ...ended, failure: FailureKind }),
  z.strictObject({ status: z.literal('denied'), ...ended }),
  z.strictObject({ status: z.literal('interrupted'), ...ended }),
]);
export type ToolCall = z.infer<typeof ToolCall>;
