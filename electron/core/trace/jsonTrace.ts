// A trace in a form of our own: everything, by its names in the trace.
import { describeReason } from '#shared/permissions/decision';
import { ranMs, waitedMs } from '#shared/trace/times';
import type { JsonValue } from '#shared/util/json';
import type { TraceDocument, TracedCall } from './traceDocument';

/** What stands around the calls. Times are epoch milliseconds, lengths milliseconds. */
export function jsonHead({ session, exportedAt, agents, hooks }: TraceDocument): { [key: string]: JsonValue } {
  return {
    format: 'gatehouse-trace',
    version: 1,
    exportedAt: new Date(exportedAt).toISOString(),
    session: plain(session),
    agents: plain(agents),
    hooks: plain(hooks),
  };
}

/** One call; `now` ends it where it has not ended. */
export function jsonCall(call: TracedCall, now: number): JsonValue {
  return plain(callOf(call, now));
}

function callOf({ row, call }: TracedCall, now: number) {
  const { number, title, endedAt, verdict, because, agent, prompts } = row;
  return {
    number,
    callId: row.callId,
    tool: call.name,
    title,
    summary: call.presentation.summary,
    messageId: row.messageId,
    agentId: agent?.agentId ?? null,
    status: call.status,
    ...('failure' in call ? { failure: call.failure } : {}),
    createdAt: row.createdAt,
    endedAt,
    ranMs: ranMs(row, now),
    waitedMs: waitedMs(row, now),
    verdict,
    because,
    prompts,
    input: call.input,
    steps: call.steps,
    decision:
      call.decision === null
        ? null
        : {
            ...call.decision,
            parts: call.decision.parts.map((part) => ({ ...part, because: describeReason(part.reason) })),
          },
    hooks: call.hooks ?? [],
    ...('modelText' in call ? { result: call.modelText, note: call.note } : {}),
    ...('persisted' in call && call.persisted !== undefined ? { kept: call.persisted } : {}),
  };
}

/** The same as JSON knows it: fields without a value are left out. */
function plain(value: unknown): JsonValue {
  return JSON.parse(JSON.stringify(value)) as JsonValue;
}
