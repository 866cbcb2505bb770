// What a run has to report, gathered from the events of its turn.
import { type DecisionReason, describeReason } from '#shared/permissions/decision';
import type { SessionEventBody, Usage } from '#shared/session/events';
import type { SessionState } from '#shared/session/state';
import type { JsonValue } from '#shared/util/json';
import { callIdOf } from '../core/agent/conversation';

type EventOf<T extends SessionEventBody['type']> = Extract<SessionEventBody, { type: T }>;

/** A call that did not run because it was not allowed. */
export interface Denial {
  readonly callId: string;
  readonly toolUseId: string;
  readonly name: string;
  readonly input: JsonValue;
  readonly reason: string;
}

type OpenCall = Omit<Denial, 'reason'> & { readonly reason: DecisionReason | null };

export interface RunRecord {
  /** null before its turn starts. */
  readonly turnId: string | null;
  readonly outcome: EventOf<'turn.finished'>['outcome'] | null;
  /** Text of the model's last message. */
  readonly text: string;
  readonly stopReason: string;
  /** Messages of the model that came whole. */
  readonly messages: number;
  readonly usage: Usage;
  readonly denials: readonly Denial[];
  readonly notices: readonly EventOf<'notice'>[];
  /** The call that a hook put off, with which the turn ended; null where none was. */
  readonly deferred: Omit<Denial, 'reason'> | null;
  /** Calls that have not ended yet. */
  readonly open: readonly OpenCall[];
}

export const emptyRecord: RunRecord = {
  turnId: null,
  outcome: null,
  text: '',
  stopReason: '',
  messages: 0,
  usage: { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 },
  denials: [],
  notices: [],
  deferred: null,
  open: [],
};

/** What is known before the turn of a session that goes on with what hooks put off. */
export function recordFor({ calls, items }: Pick<SessionState, 'calls' | 'items'>): RunRecord {
  const open = Object.values(calls).flatMap((call): OpenCall[] => {
    if (call.status !== 'interrupted' || call.deferred !== true) return [];
    const { callId, messageId, name, input } = call;
    const message = items.findLast((item) => item.kind === 'assistant' && item.messageId === messageId);
    const block = message?.kind === 'assistant' ? message.blocks.find((one) => one.type === 'tool_use') : undefined;
    return [{ callId, toolUseId: block?.type === 'tool_use' ? block.id : callId, name, input, reason: null }];
  });
  return { ...emptyRecord, open };
}

/** Whether the turn did what it was to do: to its end, or until a hook put a call off. */
export function isDone({ outcome }: RunRecord): boolean {
  return outcome === 'done' || outcome === 'deferred';
}

/** Reasons that the core gives to a message that did not come whole. */
const brokenOff: ReadonlySet<string> = new Set(['broken', 'stopped']);

/** Adds one event. Events before the run's own turn only start it. */
export function addToRecord(record: RunRecord, body: SessionEventBody): RunRecord {
  if (record.turnId === null) return body.type === 'turn.started' ? { ...record, turnId: body.turnId } : record;
  if (record.outcome !== null) return record;
  switch (body.type) {
    case 'assistant.started':
      return body.agentId === undefined ? { ...record, text: '' } : record;
    case 'assistant.block':
      return addBlock(record, body);
    case 'assistant.finished':
      if (body.agentId !== undefined) return { ...record, usage: addUsage(record.usage, body.usage) };
      return {
        ...record,
        // What a model wrote before it declined is to be thrown away.
        text: body.stopReason === 'refusal' ? '' : record.text,
        messages: record.messages + (brokenOff.has(body.stopReason) ? 0 : 1),
        stopReason: body.stopReason,
        usage: addUsage(record.usage, body.usage),
      };
    case 'call.decided': {
      const { reason } = body.decision;
      return { ...record, open: record.open.map((call) => (call.callId === body.callId ? { ...call, reason } : call)) };
    }
    case 'call.finished':
      return endCall(record, body);
    case 'notice':
      return { ...record, notices: [...record.notices, body] };
    case 'turn.finished':
      return body.turnId === record.turnId ? endTurn(record, body.outcome) : record;
    default:
      return record;
  }
}

function addBlock(record: RunRecord, { messageId, index, block, agentId }: EventOf<'assistant.block'>): RunRecord {
  // What a sub-agent writes goes to the model; its denied calls count as the run's.
  if (block.type === 'text') return agentId === undefined ? { ...record, text: record.text + block.text } : record;
  if (block.type !== 'tool_use') return record;
  const { id: toolUseId, name, input } = block;
  const call = { callId: callIdOf(messageId, index), toolUseId, name, input, reason: null };
  return { ...record, open: [...record.open, call] };
}

function endTurn(record: RunRecord, outcome: EventOf<'turn.finished'>['outcome']): RunRecord {
  // What the call was put off for is told only where the turn ended with it.
  return outcome === 'deferred'
    ? { ...record, outcome, stopReason: 'tool_deferred' }
    : { ...record, outcome, deferred: null };
}

function endCall(record: RunRecord, { callId, status, note, deferred }: EventOf<'call.finished'>): RunRecord {
  const call = record.open.find((one) => one.callId === callId);
  if (call === undefined) return record;
  const open = record.open.filter((one) => one !== call);
  if (deferred === true) {
    const { toolUseId, name, input } = call;
    return { ...record, open, deferred: { callId, toolUseId, name, input } };
  }
  if (status !== 'denied') return { ...record, open };
  const denial = { ...call, reason: call.reason === null ? note : describeReason(call.reason) };
  return { ...record, open, denials: [...record.denials, denial] };
}

function addUsage(a: Usage, b: Usage): Usage {
  return {
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    cacheReadTokens: a.cacheReadTokens + b.cacheReadTokens,
    cacheWriteTokens: a.cacheWriteTokens + b.cacheWriteTokens,
  };
}
