// What each step gives back, and the recorder that turns steps into the trace.
import type { DecisionReason } from '#shared/permissions/decision';
import type { ResultBlock, SessionEventBody } from '#shared/session/events';
import type { FailureKind, PersistedResult, StepName, StepOutcome } from '#shared/session/toolCall';
import type { View } from '#shared/tools/presentation';
import type { JsonValue } from '#shared/util/json';
import { errorClass } from '../results/errorClass';
import { Abandoned, untilAborted } from './abortable';

/** How a call ends: exactly one per call, whatever happens. */
export interface CallEnd {
  readonly status: 'succeeded' | 'failed' | 'denied' | 'interrupted';
  readonly failure?: FailureKind;
  readonly content: readonly ResultBlock[];
  readonly view: View | null;
  readonly note: string;
  /** Where the whole result lies when the model got a preview. */
  readonly persisted?: PersistedResult;
  /** The turn ends after this message's calls: the person said no without a word, or a hook ends it. */
  readonly stopTurn?: boolean;
  /** Why, for the person, when it was not their own denial. */
  readonly stopText?: string;
  /** A hook put the call off; whoever brings the session back runs it through all steps again. */
  readonly deferred?: true;
}

/** What of a step goes into the trace. `waitedMs` is a person's time within the step. */
export interface Recorded {
  readonly outcome: StepOutcome;
  /** One line for people. */
  readonly note: string;
  readonly input?: JsonValue;
  readonly output?: JsonValue;
  readonly waitedMs?: number;
}

export type StepEnd<Value> =
  | (Recorded & { readonly outcome: 'passed' | 'touched' | 'skipped'; readonly value: Value })
  | (Recorded & { readonly outcome: 'stopped'; readonly end: CallEnd });

/** Steps that may take long enough to be seen running. */
const announced: ReadonlySet<StepName> = new Set(['preHook', 'execution', 'postHook']);

/** How long a step that has touched nothing may still take once the person has stopped it. */
const stepGraceMs = 500;

/** Records the steps of one call, each once, in order. */
export class CallTrace {
  private readonly callId: string;
  private readonly append: (body: SessionEventBody) => void;
  private readonly now: () => number;
  private readonly signal: AbortSignal;

  constructor(options: {
    readonly callId: string;
    readonly append: (body: SessionEventBody) => void;
    readonly now: () => number;
    readonly signal: AbortSignal;
  }) {
    this.callId = options.callId;
    this.append = options.append;
    this.now = options.now;
    this.signal = options.signal;
  }

  /**
   * Runs a step before execution. A step that hangs is left behind soon after a stop (Abandoned); one that throws is
   * recorded all the same before the error goes on.
   */
  async step<End extends Recorded>(
    step: StepName,
    input: JsonValue | undefined,
    run: () => End | Promise<End>,
  ): Promise<End> {
    const limits = { signal: this.signal, graceMs: stepGraceMs };
    return await this.record(step, input, () => untilAborted((async () => await run())(), limits));
  }

  /** Runs a step that sees to its own end after a stop. */
  async record<End extends Recorded>(
    step: StepName,
    input: JsonValue | undefined,
    run: () => Promise<End>,
  ): Promise<End> {
    if (announced.has(step)) this.append({ type: 'call.stepStarted', callId: this.callId, step });
    const startedAt = this.now();
    const ended = (end: Recorded): void => {
      const given = end.input ?? input;
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
          ...(given === undefined ? {} : { input: given }),
          ...(end.output === undefined ? {} : { output: end.output }),
        },
      });
    };
    let end: End;
    try {
      end = await run();
    } catch (error) {
      const abandoned = error instanceof Abandoned;
      const note = abandoned ? 'stopped by you while this hung' : `fault in Gatehouse: ${errorClass(error)}`;
      ended({ outcome: 'stopped', note, output: { errorClass: errorClass(error) } });
      throw error;
    }
    ended(end);
    return end;
  }
}

/** A message about a call itself, marked as such for the model; nothing in it can end the mark early. */
export function toolUseError(message: string): string {
  return `<tool_use_error>${message.replaceAll(/<\/?tool_use_error>/gi, '')}</tool_use_error>`;
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
