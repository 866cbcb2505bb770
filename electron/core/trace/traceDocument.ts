// All that a session's log says of its calls, as the exports write it down.
import type { SessionEvent } from '#shared/session/events';
import type { HookRun } from '#shared/session/hookRun';
import { reduceInto } from '#shared/session/reduce';
import { emptyState } from '#shared/session/state';
import type { SubAgent } from '#shared/session/subAgent';
import type { ToolCall } from '#shared/session/toolCall';
import { emptyTrace, foldTrace } from '#shared/trace/foldTrace';
import type { TraceRow } from '#shared/trace/traceRow';

export interface TraceSession {
  readonly sessionId: string;
  readonly title: string;
  readonly folder: string;
}

export interface TracedCall {
  readonly row: TraceRow;
  readonly call: ToolCall;
}

export interface TraceDocument {
  readonly session: TraceSession;
  /** Epoch milliseconds; ends what has not ended. */
  readonly exportedAt: number;
  readonly agents: readonly SubAgent[];
  readonly calls: readonly TracedCall[];
  /** Hooks that ran for no call. */
  readonly hooks: readonly HookRun[];
}

/** Puts a document together from a session's events. `callIds` null: all calls and the session's own hooks. */
export async function traceDocument(options: {
  readonly session: TraceSession;
  readonly events: AsyncIterable<SessionEvent> | Iterable<SessionEvent>;
  readonly callIds: readonly string[] | null;
  readonly now: number;
}): Promise<TraceDocument> {
  const { session, events, callIds, now } = options;
  const wanted = callIds === null ? null : new Set(callIds);
  const state = emptyState();
  const fold = emptyTrace();
  for await (const event of events) {
    foldTrace(fold, event);
    const { body } = event;
    const callId = 'callId' in body ? body.callId : undefined;
    // Contents of calls that nobody asked for are not kept.
    if (callId === undefined || wanted === null || wanted.has(callId)) reduceInto(state, event);
  }
  const calls = [...fold.entries.values()].flatMap(({ row }) => {
    const call = Object.hasOwn(state.calls, row.callId) ? state.calls[row.callId] : undefined;
    return call === undefined ? [] : [{ row, call }];
  });
  return {
    session,
    exportedAt: now,
    agents: Object.values(state.agents),
    calls,
    hooks: wanted === null ? [...fold.hooks.values()].map(({ run }) => run) : [],
  };
}
