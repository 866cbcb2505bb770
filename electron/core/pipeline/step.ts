// What each step gives back, and the recorder that turns steps into the trace.
import type { DecisionReason } from '#shared/permissions/decision';
import type { ResultBlock, SessionEventBody } from '#shared/session/events';
import type { FailureKind, StepName } from '#shared/session/toolCall';
import type { View } from '#shared/tools/presentation';
import type { JsonValue } from '#shared/util/json';

/** How a call ends: exactly one per call, whatever happens. */
export interface CallEnd {
  readonly status: 'succeeded' | 'failed' | 'denied' | 'interrupted';
  readonly failure?: FailureKind;
  readonly content: readonly ResultBlock[];
  readonly view: View | null;
  readonly note: string;
  /** The person said no without a word: the turn ends after this message's calls. */
  readonly stopTurn?: boolean;
}

export type StepEnd<Value> =
  | {
      readonly outcome: 'passed' | 'touched' | 'skipped';
      readonly note: string;
      readonly value: Value;
      readonly output?: JsonValue;
      readonly waitedMs?: number;
    }
  | {
      readonly outcome: 'stopped';
      readonly note: string;
      readonly end: CallEnd;
      readonly output?: JsonValue;
      readonly waitedMs?: number;
    };

/** Steps that may take long enough to be seen running. */
const announced: ReadonlySet<StepName> = new Set(['preHook', 'execution', 'postHook']);

/** Records the steps of one call, each once, in order. */
export class CallTrace {
  constructor(
    private readonly callId: string,
    private readonly append: (body: SessionEventBody) => void,
    private readonly now: () => number,
  ) {}

  async step<Value>(
    step: StepName,
    input: JsonValue | undefined,
    run: () => StepEnd<Value> | Promise<StepEnd<Value>>,
  ): Promise<StepEnd<Value>> {
    if (announced.has(step)) this.append({ type: 'call.stepStarted', callId: this.callId, step });
    const startedAt = this.now();
    const end = await run();
    this.append({
      type: 'call.stepEnded',
      callId: this.callId,
      trace: {
        step,
        startedAt,
        endedAt: this.now(),
        waitedMs: end.waitedMs ?? 0,
        outcome: end.outcome,
        note: end.note,
        ...(input === undefined ? {} : { input }),
        ...(end.output === undefined ? {} : { output: end.output }),
      },
    });
    return end;
  }
}

/** A failure that the model can act on. */
export function failed(options: {
  readonly failure: FailureKind;
  readonly text: string;
  readonly note: string;
  readonly view?: View | undefined;
}): CallEnd {
  return {
    status: 'failed',
    failure: options.failure,
    content: [{ type: 'text', text: options.text }],
    view: options.view ?? { kind: 'text', text: options.text },
    note: options.note,
  };
}

/** The end of a call that was stopped before or while it ran. */
export function interrupted(ran: boolean): CallEnd {
  const text = ran
    ? 'Interrupted by the person while this ran. Part of its effect may have happened; check before repeating it.'
    : 'Interrupted by the person before this ran. Nothing was done.';
  return { status: 'interrupted', content: [{ type: 'text', text }], view: null, note: 'interrupted' };
}

/** The end of a call that was not permitted. */
export function denied(options: {
  readonly text: string;
  readonly note: string;
  readonly view: View;
  readonly reason: DecisionReason;
  readonly stopTurn: boolean;
}): CallEnd {
  const { text, note, view, stopTurn } = options;
  return { status: 'denied', content: [{ type: 'text', text }], view, note, stopTurn };
}
