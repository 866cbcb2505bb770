// One run of one hook handler, as the trace shows it.
import { z } from 'zod';
import { RuleSource } from '../permissions/sources';

/** Event names are literal and case-sensitive. Those Gatehouse fires itself come first; the rest are known names. */
export const hookEventNames = [
  'SessionStart',
  'SessionEnd',
  'UserPromptSubmit',
  'PreToolUse',
  'PermissionRequest',
  'PermissionDenied',
  'PostToolUse',
  'PostToolUseFailure',
  'PostToolBatch',
  'Stop',
  'StopFailure',
  'SubagentStart',
  'SubagentStop',
  'PreCompact',
  'PostCompact',
  'Notification',
  'ConfigChange',
  'CwdChanged',
  'FileChanged',
] as const;
export const HookEventName = z.enum(hookEventNames);
export type HookEventName = z.infer<typeof HookEventName>;

export const HookHandlerType = z.enum(['command', 'http', 'prompt', 'agent', 'mcp_tool']);
export type HookHandlerType = z.infer<typeof HookHandlerType>;

export const HookRun = z.strictObject({
  runId: z.string(),
  event: HookEventName,
  /** The matcher as written; empty = everything. */
  matcher: z.string(),
  handler: HookHandlerType,
  /** What ran, in one line: the command, the URL, the start of the prompt. Secrets in headers are never part of it. */
  label: z.string(),
  source: RuleSource,
  /** Settings file it came from; absent for a flag's JSON. */
  file: z.string().optional(),
  /** Epoch milliseconds. `endedAt` null: still running in the background (async). */
  startedAt: z.number(),
  endedAt: z.number().nullable(),
  outcome: z.enum(['success', 'blocked', 'error', 'timeout', 'cancelled', 'background']),
  exitCode: z.number().int().nullable(),
  /** What it changed, in words: "denied: …", "changed the input", "no opinion", "could not start: …". */
  effect: z.string(),
  /** Bounded to 10,000 characters each. */
  stdin: z.string(),
  stdout: z.string(),
  stderr: z.string(),
});
export type HookRun = z.infer<typeof HookRun>;
