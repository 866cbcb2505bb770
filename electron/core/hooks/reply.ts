// What a handler printed, taken apart: JSON of the documented shape, text, or something broken.
import { z } from 'zod';
import { PermissionMode } from '#shared/permissions/modes';
import { formatRule, parseRule } from '#shared/permissions/rule';
import { type HookEventName, hookEventNames } from '#shared/session/hookRun';
import { isNestedTooDeep } from '#shared/util/nesting';
import { fail, ok, type Result } from '#shared/util/result';
import { eventRules } from './eventRules';
import type { HookOpinion, PermissionUpdate } from './hooks';

/** What the JSON of a handler says, whatever its exit code. */
export interface Reply {
  /** `continue: false`, with its reason (may be empty); null = goes on. */
  readonly stop: string | null;
  readonly systemMessage: string;
  /** Top-level `decision: "block"`, with its reason (may be empty). */
  readonly block: string | null;
  readonly opinion: Pick<HookOpinion, 'behavior' | 'reason'> | null;
  readonly updatedInput: { readonly value: unknown } | null;
  readonly permissionUpdates: readonly PermissionUpdate[];
  readonly interrupt: boolean;
  readonly additionalContext: string;
  readonly updatedOutput: { readonly value: unknown } | null;
  readonly retry: boolean;
}

/** What stands on stdout. */
export type Printed =
  | { readonly kind: 'json'; readonly reply: Reply }
  | { readonly kind: 'text'; readonly text: string }
  /** Looks like JSON and is none, or none of the documented shape. */
  | { readonly kind: 'broken'; readonly problem: string };

/** Nothing said. */
export const silent: Reply = {
  stop: null,
  systemMessage: '',
  block: null,
  opinion: null,
  updatedInput: null,
  permissionUpdates: [],
  interrupt: false,
  additionalContext: '',
  updatedOutput: null,
  retry: false,
};

const Input = z.record(z.string(), z.unknown());

const Universal = z.object({
  continue: z.boolean().optional(),
  stopReason: z.string().optional(),
  systemMessage: z.string().optional(),
  suppressOutput: z.boolean().optional(),
  /** `approve` is the older word for allow; on other events than PreToolUse it says nothing. */
  decision: z.enum(['block', 'approve']).optional(),
  reason: z.string().optional(),
  hookSpecificOutput: Input.optional(),
});

const EventName = z.object({ hookEventName: z.enum(hookEventNames) });

const Context = z.object({ additionalContext: z.string().optional() });

const PreToolUse = Context.extend({
  permissionDecision: z.enum(['allow', 'deny', 'ask', 'defer']).optional(),
  permissionDecisionReason: z.string().optional(),
  updatedInput: Input.optional(),
});

const Rule = z
  .union([
    z.string(),
    z
      .object({ toolName: z.string(), ruleContent: z.string().optional() })
      .transform(({ toolName, ruleContent }) => formatRule({ tool: toolName, content: ruleContent ?? null })),
  ])
  .refine((text) => parseRule(text).ok && !/[\n\r]/.test(text), 'not a rule');
const Update = z.discriminatedUnion('type', [
  z.object({
    type: z.enum(['addRules', 'replaceRules', 'removeRules']),
    behavior: z.enum(['allow', 'ask', 'deny']),
    rules: z.array(Rule),
    destination: z.enum(['session', 'localSettings', 'projectSettings', 'userSettings']),
  }),
  z.object({ type: z.literal('setMode'), mode: PermissionMode }),
  z.object({ type: z.enum(['addDirectories', 'removeDirectories']), directories: z.array(z.string().min(1)) }),
]);

const PermissionRequest = Context.extend({
  decision: z
    .discriminatedUnion('behavior', [
      z.object({
        behavior: z.literal('allow'),
        updatedInput: Input.optional(),
        updatedPermissions: z.array(Update).optional(),
      }),
      z.object({ behavior: z.literal('deny'), message: z.string().optional(), interrupt: z.boolean().optional() }),
    ])
    .optional(),
});

const PostToolUse = Context.extend({
  updatedToolOutput: z.unknown().optional(),
  updatedMCPToolOutput: z.unknown().optional(),
});

const PermissionDenied = Context.extend({ retry: z.boolean().optional() });

function problemOf(error: z.ZodError, prefix: string): string {
  const [issue] = error.issues;
  const path = [prefix, ...(issue?.path ?? [])].filter((part) => part !== '').join('.');
  return `${path === '' ? 'the JSON' : path}: ${issue?.message ?? 'not understood'}`;
}

/** Reads the part that belongs to the event. */
function specific(event: HookEventName, value: Readonly<Record<string, unknown>>): Result<Partial<Reply>> {
  const where = 'hookSpecificOutput';
  const named = EventName.safeParse(value);
  if (!named.success) return fail(`${where}.hookEventName is missing or names no event`);
  if (named.data.hookEventName !== event)
    return fail(`${where}.hookEventName is ${named.data.hookEventName}, but the event is ${event}`);
  switch (event) {
    case 'PreToolUse': {
      const read = PreToolUse.safeParse(value);
      if (!read.success) return fail(problemOf(read.error, where));
      const { permissionDecision, permissionDecisionReason, updatedInput, additionalContext } = read.data;
      return ok({
        additionalContext: additionalContext ?? '',
        opinion:
          permissionDecision === undefined
            ? null
            : { behavior: permissionDecision, reason: permissionDecisionReason ?? '' },
        updatedInput: updatedInput === undefined ? null : { value: updatedInput },
      });
    }
    case 'PermissionRequest': {
      const read = PermissionRequest.safeParse(value);
      if (!read.success) return fail(problemOf(read.error, where));
      const { decision } = read.data;
      if (decision === undefined) return ok({});
      if (decision.behavior === 'deny')
        return ok({
          opinion: { behavior: 'deny', reason: decision.message ?? '' },
          interrupt: decision.interrupt === true,
        });
      const { updatedInput, updatedPermissions } = decision;
      return ok({
        opinion: { behavior: 'allow', reason: '' },
        updatedInput: updatedInput === undefined ? null : { value: updatedInput },
        permissionUpdates: updatedPermissions ?? [],
      });
    }
    case 'PostToolUse': {
      const read = PostToolUse.safeParse(value);
      if (!read.success) return fail(problemOf(read.error, where));
      const { additionalContext, updatedToolOutput, updatedMCPToolOutput } = read.data;
      const output = updatedToolOutput ?? updatedMCPToolOutput;
      return ok({
        additionalContext: additionalContext ?? '',
        updatedOutput: output === undefined ? null : { value: output },
      });
    }
    case 'PermissionDenied': {
      const read = PermissionDenied.safeParse(value);
      if (!read.success) return fail(problemOf(read.error, where));
      return ok({ additionalContext: read.data.additionalContext ?? '', retry: read.data.retry === true });
    }
    default: {
      const read = Context.safeParse(value);
      return read.success
        ? ok({ additionalContext: read.data.additionalContext ?? '' })
        : fail(problemOf(read.error, where));
    }
  }
}

function readReply(event: HookEventName, value: unknown): Result<Reply> {
  const read = Universal.safeParse(value);
  if (!read.success) return fail(problemOf(read.error, ''));
  const { decision, reason = '', hookSpecificOutput } = read.data;
  const own = hookSpecificOutput === undefined ? ok<Partial<Reply>>({}) : specific(event, hookSpecificOutput);
  if (!own.ok) return own;
  // The older words for deny and allow; the newer ones beside them win.
  const older: Reply['opinion'] =
    event === 'PreToolUse' && decision !== undefined
      ? { behavior: decision === 'block' ? 'deny' : 'allow', reason }
      : null;
  return ok({
    ...silent,
    ...own.value,
    opinion: own.value.opinion ?? older,
    stop: read.data.continue === false ? (read.data.stopReason ?? '') : null,
    systemMessage: read.data.systemMessage ?? '',
    block: decision === 'block' && eventRules[event].decisionBlocks ? reason : null,
  });
}

/**
 * Takes apart what a handler printed. Only text that begins with `{` and ends with `}` (blanks aside) is read as JSON;
 * text before it makes the whole plain text. `cut`: there was more than was kept.
 */
export function readPrinted(event: HookEventName, stdout: string, cut: { readonly cut: boolean }): Printed {
  const text = stdout.trim();
  if (!text.startsWith('{')) return { kind: 'text', text };
  if (cut.cut) return { kind: 'broken', problem: 'it printed too much for JSON' };
  if (!text.endsWith('}')) return { kind: 'text', text };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError || error instanceof RangeError)) throw error;
    return { kind: 'broken', problem: `its output is not valid JSON (${error.message})` };
  }
  if (isNestedTooDeep(value)) return { kind: 'broken', problem: 'its JSON is nested too deep' };
  const reply = readReply(event, value);
  return reply.ok
    ? { kind: 'json', reply: reply.value }
    : { kind: 'broken', problem: `its JSON is not valid: ${reply.error}` };
}
