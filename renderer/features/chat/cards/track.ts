// The seven-segment track: what each pipeline step of a call has come to.
import type { StepName, StepTrace, ToolCall } from '#shared/session/toolCall';
import { stepNames } from '#shared/session/toolCall';
import { coveredMs } from '#shared/trace/times';
import { hasFailed, runsOfStep } from './hookRuns';

export type SegmentState = 'passed' | 'skipped' | 'touched' | 'waiting' | 'stopped' | 'running' | 'notReached';

export interface Segment {
  readonly step: StepName;
  readonly state: SegmentState;
  readonly trace: StepTrace | null;
  /** Hooks of the step that could not do their work. */
  readonly failedHooks: number;
}

/** Names of the steps for people. */
export const stepLabels: Readonly<Record<StepName, string>> = {
  lookup: 'Lookup',
  input: 'Input',
  validation: 'Validation',
  preHook: 'Pre-hook and classifier',
  permission: 'Permission',
  execution: 'Execution',
  postHook: 'Post-hook',
};

/** Words for the states, as screen readers and the trace say them. */
export const segmentWords: Readonly<Record<SegmentState, string>> = {
  passed: 'passed',
  skipped: 'nothing to do',
  touched: 'touched by a hook',
  waiting: 'waiting for you',
  stopped: 'stopped here',
  running: 'running',
  notReached: 'not reached',
};

/** Whether a call has come to its end. */
export function hasEnded(call: ToolCall): call is Extract<ToolCall, { endedAt: number }> {
  return call.status !== 'checking' && call.status !== 'asking' && call.status !== 'running';
}

/** How long a person was waited for within the call's steps, in milliseconds: it is not the call's time. */
export function waitedMs(call: ToolCall): number {
  const asked = call.steps.reduce((sum, trace) => sum + trace.waitedMs, 0);
  return asked + hostWaitMs(call);
}

/** How long a person was waited for about hosts while the command ran, in milliseconds; what still waits counts not. */
export function hostWaitMs(call: ToolCall): number {
  // Tasks in the background go on asking after their call has ended.
  const end = hasEnded(call) ? call.endedAt : Number.POSITIVE_INFINITY;
  return coveredMs(
    (call.hosts ?? []).flatMap(({ askedAt, answered }) =>
      answered === null || askedAt >= end ? [] : [[askedAt, Math.min(answered.at, end)] as const],
    ),
  );
}

/** Since when a running command waits for a word about a host; null: it does not. */
export function hostAskedAt(call: ToolCall): number | null {
  if (call.status !== 'running') return null;
  return (call.hosts ?? []).find(({ answered }) => answered === null)?.askedAt ?? null;
}

export function waitsForHost(call: ToolCall): boolean {
  return hostAskedAt(call) !== null;
}

/** One segment for each of the seven steps, in order. */
export function trackOf(call: ToolCall): Segment[] {
  const traces = new Map(call.steps.map((trace) => [trace.step, trace]));
  const stoppedSomewhere = call.steps.some((trace) => trace.outcome === 'stopped');
  // An interrupted call has no trace for the step it was in: the first one without a trace is where it ended.
  const brokenOffAt =
    call.status !== 'succeeded' && hasEnded(call) && !stoppedSomewhere
      ? stepNames.find((step) => !traces.has(step))
      : undefined;
  const withoutTrace = (step: StepName): SegmentState => {
    if (call.status === 'asking' && (call.currentStep ?? 'permission') === step) return 'waiting';
    if (call.status === 'running' && (call.currentStep ?? 'execution') === step)
      return waitsForHost(call) ? 'waiting' : 'running';
    if (!hasEnded(call) && call.currentStep === step) return 'running';
    return step === brokenOffAt ? 'stopped' : 'notReached';
  };
  return stepNames.map((step) => {
    const trace = traces.get(step) ?? null;
    const runs = runsOfStep(call, step);
    // Where a hook answered in place of a person, the step has passed by its word.
    const answered = step === 'permission' && runs.length > 0 && call.decision?.reason.type === 'hook';
    const state =
      trace === null ? withoutTrace(step) : trace.outcome === 'passed' && answered ? 'touched' : trace.outcome;
    return { step, state, trace, failedHooks: runs.filter(hasFailed).length };
  });
}

/** The whole track in one sentence: "5 of 7 steps, permission waiting for you". */
export function describeTrack(segments: readonly Segment[]): string {
  const done = segments.filter((segment) => segment.trace !== null).length;
  const notable = segments.filter(({ state }) => ['touched', 'waiting', 'stopped', 'running'].includes(state));
  const words = notable.map(({ step, state }) => `${stepLabels[step].toLowerCase()} ${segmentWords[state]}`);
  const failed = segments.reduce((sum, { failedHooks }) => sum + failedHooks, 0);
  const failures = failed === 0 ? [] : [`${failed} ${failed === 1 ? 'hook' : 'hooks'} failed`];
  return [`${done} of 7 steps done`, ...words, ...failures].join(', ');
}
