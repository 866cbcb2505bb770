// The tools of a session as people see them: what each is, whether the model has it, what that costs, which rules name it.
import { z } from 'zod';
import { RuleRef } from '../permissions/decision';
import { call } from '../rpc/contract';

/**
 * `loaded`: its whole definition is in every request; `deferred`: the model knows name and hint and has to search for it;
 * `disabled`: the model does not have it.
 */
export const ToolState = z.enum(['loaded', 'deferred', 'disabled']);
export type ToolState = z.infer<typeof ToolState>;

export const ToolOrigin = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('builtIn') }),
  /** `server` and `tool` as they call themselves. */
  z.strictObject({ kind: z.literal('mcp'), server: z.string(), tool: z.string() }),
]);
export type ToolOrigin = z.infer<typeof ToolOrigin>;

/** What the tool says of itself. What depends on a call's input is judged for each call. */
export const ToolCapabilities = z.strictObject({
  /** Some of its calls only read. */
  canBeReadOnly: z.boolean(),
  /** It needs the person at the screen. */
  asksPerson: z.boolean(),
  /** What a stop does to a running call: ends it, or waits for its end. */
  onStop: z.enum(['cancel', 'block']),
  /** Longest result that the model gets whole; null: it pages by itself. */
  maxResultChars: z.number().int().nullable(),
  alwaysLoad: z.boolean(),
  /** It is found by search unless everything is loaded. */
  shouldDefer: z.boolean(),
});
export type ToolCapabilities = z.infer<typeof ToolCapabilities>;

export const ToolView = z.strictObject({
  /** As the model calls it. */
  name: z.string(),
  aliases: z.array(z.string()),
  /** As permission rules name it. */
  ruleName: z.string(),
  origin: ToolOrigin,
  state: ToolState,
  /** In words: why it is in this state, and for a disabled one what would help. */
  reason: z.string(),
  /** Tokens of its whole definition; an estimate, see `figures.estimate`. */
  tokens: z.number().int().nonnegative(),
  /** What it is for, in a few words: what a search looks at and what the model knows of a deferred tool. */
  hint: z.string(),
  /** The description that the model gets. */
  description: z.string(),
  /** JSON Schema of its input, an object. */
  schema: z.record(z.string(), z.json()),
  /** Rules in force that name the tool, whole or in part, or its whole server. */
  rules: z.array(RuleRef),
  capabilities: ToolCapabilities,
});
export type ToolView = z.infer<typeof ToolView>;

/** Tokens that tools take in the first request of a conversation. */
export const ToolTotals = z.strictObject({
  /** As things are: loaded definitions and the list of deferred names. */
  withDeferral: z.number().int().nonnegative(),
  /** With everything loaded. */
  withoutDeferral: z.number().int().nonnegative(),
  /** `counted` by the model's server, or `estimated` here. */
  source: z.enum(['counted', 'estimated']),
});
export type ToolTotals = z.infer<typeof ToolTotals>;

export const ToolFigures = z.strictObject({
  totals: ToolTotals,
  /** How the estimates are made, in words. */
  estimate: z.string(),
  /** When tools are deferred now, and by whose word, in words. */
  policy: z.string(),
  /** Who loads what the model finds: the model's server, or Gatehouse by adding it to the next request. */
  loadedBy: z.enum(['server', 'gatehouse', 'nobody']),
});
export type ToolFigures = z.infer<typeof ToolFigures>;

const sessionId = z.string().min(1).max(100);

export const toolCalls = {
  /** Built-in tools sorted by name, then MCP tools sorted by name, disabled ones among them. `notFound`: no such session. */
  'tools.list': call(z.strictObject({ sessionId }), z.strictObject({ tools: z.array(ToolView), figures: ToolFigures })),
  /**
   * Runs one call by the person's hand, through the whole pipeline: hooks, rules and asks count as for the model. Answers
   * at once; the call's card, ask and result come as events of the session under `callId`. The model is not told.
   * `conflict` while the session runs.
   */
  'tools.run': call(
    z.strictObject({ sessionId, name: z.string().min(1).max(200), input: z.json() }),
    z.strictObject({ callId: z.string() }),
  ),
};
