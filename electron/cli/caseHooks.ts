// What several PreToolUse hooks come to together.
import { z } from 'zod';
import type { HookOpinion } from '../core/permissions/decide';

const Input = z.record(z.string(), z.unknown());

const events = [
  ...['SessionStart', 'SessionEnd', 'UserPromptSubmit', 'PreToolUse', 'PermissionRequest', 'PermissionDenied'],
  ...['PostToolUse', 'PostToolUseFailure', 'PostToolBatch', 'Stop', 'StopFailure', 'SubagentStart', 'SubagentStop'],
  ...['PreCompact', 'PostCompact', 'Notification', 'ConfigChange', 'CwdChanged', 'FileChanged'],
] as const;

const Opinion = {
  permissionDecision: z.enum(['allow', 'ask', 'deny', 'defer']).nullish(),
  permissionDecisionReason: z.string().nullish(),
  updatedInput: Input.nullish(),
};

/** One hook's outcome: its exit code and the fields of the JSON that it printed. */
export const HookResult = z.object({
  event: z.enum(events).default('PreToolUse'),
  exit_code: z.number().int().nullish(),
  stderr: z.string().nullish(),
  ...Opinion,
  hookSpecificOutput: z.object(Opinion).nullish(),
  /** The older words for deny and allow. */
  decision: z.enum(['block', 'approve']).nullish(),
  reason: z.string().nullish(),
  continue: z.boolean().nullish(),
  stopReason: z.string().nullish(),
  timed_out: z.boolean().default(false),
  onFailure: z.enum(['continue', 'block']).default('continue'),
});
export type HookResult = z.infer<typeof HookResult>;

export interface HookOutcome {
  readonly hook?: HookOpinion;
  readonly updatedInput?: Readonly<Record<string, unknown>>;
}

const olderWords = { block: 'deny', approve: 'allow' } as const;

function opinionOf(result: HookResult): HookOpinion | null {
  const exitCode = result.exit_code ?? 0;
  const failed = result.timed_out || (exitCode !== 0 && exitCode !== 2);
  // 1. Exit code 2 beats whatever was printed. 2. A failing gate that must hold. 3. A stop. 4. The decision.
  if (!result.timed_out && exitCode === 2)
    return { behavior: 'deny', detail: result.stderr?.trim() || 'A hook blocked the call.' };
  if (failed && result.onFailure === 'block')
    return { behavior: 'deny', detail: 'A hook failed, and its failing blocks the call.' };
  if (result.timed_out) return null;
  if (result.continue === false)
    return { behavior: 'deny', detail: result.stopReason ?? 'A hook stopped the session.' };
  const said = result.hookSpecificOutput?.permissionDecision ?? result.permissionDecision;
  const older = result.decision ?? null;
  const decision = said ?? (older === null ? null : olderWords[older]);
  if (decision === null) return null;
  const detail =
    result.hookSpecificOutput?.permissionDecisionReason ?? result.permissionDecisionReason ?? result.reason ?? '';
  // Nobody resumes a deferred call here, so a person is asked.
  const behavior = decision === 'defer' ? 'ask' : decision;
  return { behavior, detail: detail || `A hook said ${decision}.` };
}

/** Deny beats ask beats allow; of several rewrites the last one counts, and none of a hook that denies. */
export function combineHooks(results: readonly HookResult[]): HookOutcome {
  const counted = results.filter((result) => result.event === 'PreToolUse');
  const opinions = counted.map(opinionOf);
  const hook = (['deny', 'ask', 'allow'] as const)
    .map((behavior) => opinions.find((opinion) => opinion?.behavior === behavior))
    .find((opinion) => opinion !== undefined && opinion !== null);
  const updatedInput = counted
    .filter((result) => !result.timed_out && result.exit_code !== 2)
    .map((result) => result.hookSpecificOutput?.updatedInput ?? result.updatedInput)
    .findLast((input) => input !== undefined && input !== null);
  return {
    ...(hook === undefined || hook === null ? {} : { hook }),
    ...(updatedInput === undefined || updatedInput === null ? {} : { updatedInput }),
  };
}
