// Hook runs of a call: which step each belongs to, how it went in a word, how long it took.
import type { HookEventName, HookRun } from '#shared/session/hookRun';
import type { StepName, ToolCall } from '#shared/session/toolCall';

/** What fires within a step; what is not here fires while the call runs. */
const stepOfEvent: Partial<Readonly<Record<HookEventName, StepName>>> = {
  PreToolUse: 'preHook',
  PermissionRequest: 'permission',
  PermissionDenied: 'permission',
  PostToolUse: 'postHook',
  PostToolUseFailure: 'postHook',
  PostToolBatch: 'postHook',
};

/** The hooks that ran within a step, in the order of their start. */
export function runsOfStep(call: ToolCall, step: StepName): readonly HookRun[] {
  return (call.hooks ?? [])
    .filter((run) => (stepOfEvent[run.event] ?? 'execution') === step)
    .sort((a, b) => a.startedAt - b.startedAt);
}

/** Whether a hook could not do its work; one that says no has done it. */
export function hasFailed({ outcome }: HookRun): boolean {
  return outcome === 'error' || outcome === 'timeout';
}

/** How each outcome is called; the list of shapes is where it is drawn. */
export const outcomeWords: Readonly<Record<HookRun['outcome'], string>> = {
  success: 'done',
  blocked: 'blocked',
  error: 'failed',
  timeout: 'timed out',
  cancelled: 'stopped',
  background: 'in the background',
};

/** "3 hooks, 1 failed"; empty where none ran. */
export function countedHooks(runs: readonly HookRun[]): string {
  if (runs.length === 0) return '';
  const failed = runs.filter(hasFailed).length;
  const counted = `${runs.length} ${runs.length === 1 ? 'hook' : 'hooks'}`;
  return failed === 0 ? counted : `${counted}, ${failed} failed`;
}
