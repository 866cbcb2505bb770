// The three forms in which a run says what came of it.
import type { SessionEvent } from '#shared/session/events';
import type { CliHost } from './host';
import type { OutputForm } from './runOptions';
import { isDone, type RunRecord } from './runRecord';

/** What is known before the turn. */
export interface RunStart {
  readonly sessionId: string;
  readonly folder: string;
  readonly model: string;
  readonly mode: string;
}

export interface RunEnd {
  readonly record: RunRecord;
  readonly durationMs: number;
  /** Why nothing came of it, in words; empty when the turn is done. */
  readonly problem: string;
}

export interface RunOutput {
  started(start: RunStart): void;
  event(event: SessionEvent): void;
  ended(end: RunEnd): void;
}

/** Prints to the host: answers and JSON to standard output, what people must know to standard error. */
export function createRunOutput(form: OutputForm, host: Pick<CliHost, 'out' | 'err'>): RunOutput {
  let start: RunStart | null = null;
  const line = (value: object): void => host.out(JSON.stringify(value));
  return {
    started(given) {
      start = given;
      if (form !== 'stream-json') return;
      const { sessionId, folder, model, mode } = given;
      line({ type: 'init', session_id: sessionId, cwd: folder, model, permission_mode: mode });
    },
    event({ seq, at, body }) {
      if (form === 'stream-json') line({ type: 'event', session_id: start?.sessionId ?? '', seq, at, event: body });
    },
    ended(end) {
      tellProblems(end, start?.sessionId ?? '', host);
      if (form !== 'text') line(resultOf(end, start));
      else if (end.record.text !== '') host.out(end.record.text);
    },
  };
}

function tellProblems({ record, problem }: RunEnd, sessionId: string, host: Pick<CliHost, 'err'>): void {
  for (const { text, next } of record.notices) host.err(`${text} ${next}`.trim());
  for (const { name, reason, callId } of record.denials)
    host.err(`${name} was denied: ${reason.replace(/\.$/, '')}. More: gatehouse trace ${sessionId} ${callId}`);
  if (problem !== '') host.err(problem);
}

function resultOf({ record, durationMs, problem }: RunEnd, start: RunStart | null): object {
  const { usage, outcome } = record;
  const done = isDone(record) && problem === '';
  const { deferred } = record;
  return {
    type: 'result',
    subtype: done ? 'success' : (outcome ?? 'failed'),
    is_error: !done,
    result: record.text,
    session_id: start?.sessionId ?? '',
    model: start?.model ?? '',
    num_turns: record.messages,
    stop_reason: record.stopReason,
    duration_ms: Math.round(durationMs),
    usage: {
      input_tokens: usage.inputTokens,
      output_tokens: usage.outputTokens,
      cache_read_input_tokens: usage.cacheReadTokens,
      cache_creation_input_tokens: usage.cacheWriteTokens,
    },
    ...(deferred === null
      ? {}
      : { deferred_tool_use: { id: deferred.toolUseId, name: deferred.name, input: deferred.input } }),
    permission_denials: record.denials.map(({ callId, toolUseId, name, input, reason }) => ({
      tool_name: name,
      tool_use_id: toolUseId,
      call_id: callId,
      tool_input: input,
      reason,
    })),
    ...(done
      ? {}
      : { errors: [...record.notices.map(({ text, next }) => `${text} ${next}`.trim()), problem].filter(Boolean) }),
  };
}
