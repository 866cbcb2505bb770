// The seven-segment track: what each pipeline step of a call has come to.
import type { StepName, StepTrace, ToolCall } from '#shared/session/toolCall';
import { stepNames } from '#shared/session/toolCall';

export type SegmentState = 'passed' | 'skipped' | 'touched' | 'waiting' | 'stopped' | 'running' | 'notReached';

export interface Segment {
  readonly step: StepName;
  readonly state: SegmentState;
  readonly trace: StepTrace | null;
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
  touched: 'changed by a hook',
  waiting: 'waiting for you',
  stopped: 'stopped here',
  running: 'running',
  notReached: 'not reached',
};

/** Whether a call has come to its end. */
export function hasEnded(call: ToolCall): call is Extract<ToolCall, { endedAt: number }> {
  return call.status !== 'checking' && call.status !== 'asking' && call.status !== 'running';
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
  return stepNames.map((step) => {
    const trace = traces.get(step) ?? null;
    if (trace !== null) return { step, state: trace.outcome, trace };
    if (call.status === 'asking' && (call.currentStep ?? 'permission') === step)
      return { step, state: 'waiting', trace };
    if (call.status === 'running' && (call.currentStep ?? 'execution') === step)
      return { step, state: 'running', trace };
    if (!hasEnded(call) && call.currentStep === step) return { step, state: 'running', trace };
    return { step, state: step === brokenOffAt ? 'stopped' : 'notReached', trace };
  });
}

/** The whole track in one sentence: "5 of 7 steps, permission waiting for you". */
export function describeTrack(segments: readonly Segment[]): string {
  const done = segments.filter((segment) => segment.trace !== null).length;
  const notable = segments.filter(({ state }) => ['touched', 'waiting', 'stopped', 'running'].includes(state));
  const words = notable.map(({ step, state }) => `${stepLabels[step].toLowerCase()} ${segmentWords[state]}`);
  return [`${done} of 7 steps done`, ...words].join(', ');
}
