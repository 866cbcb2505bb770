import { expect, it } from 'vitest';
import type { SessionEventBody } from '#shared/session/events';
import { reduce } from '#shared/session/reduce';
import { emptyState, type SessionState } from '#shared/session/state';
import type { ToolCall } from '#shared/session/toolCall';
import type { OutputForm } from './runOptions';
import { createRunOutput } from './runOutput';
import { addToRecord, emptyRecord, isDone, recordFor } from './runRecord';

const model = { id: 'm', label: 'M', scripted: false };
const usage = (inputTokens: number) => ({ inputTokens, outputTokens: 2, cacheReadTokens: 3, cacheWriteTokens: 4 });
const block = (messageId: string, index: number, text: string): SessionEventBody => ({
  type: 'assistant.block',
  messageId,
  index,
  block: { type: 'text', text },
});
const use = (index: number): SessionEventBody => ({
  type: 'assistant.block',
  messageId: 'm1',
  index,
  block: { type: 'tool_use', id: `toolu_${index}`, name: 'Bash', input: { command: 'x' } },
});
const ended = (index: number, status: 'succeeded' | 'denied'): SessionEventBody => ({
  type: 'call.finished',
  callId: `m1.${index}`,
  status,
  content: [],
  view: null,
  note: 'a hook said no',
});

const openCall: ToolCall = {
  status: 'checking',
  callId: 'm1.1',
  messageId: 'm1',
  name: 'Bash',
  input: { command: 'x' },
  presentation: { title: 'Bash', summary: 'x', activity: '', icon: 'terminal' },
  createdAt: 0,
  steps: [],
  currentStep: null,
  decision: null,
};

const turn: readonly SessionEventBody[] = [
  { type: 'notice', level: 'info', text: 'before', next: '' },
  { type: 'turn.started', turnId: 't', model },
  { type: 'assistant.started', messageId: 'm1' },
  block('m1', 0, 'I look.'),
  use(1),
  use(2),
  use(3),
  { type: 'assistant.finished', messageId: 'm1', stopReason: 'tool_use', usage: usage(10) },
  ended(1, 'succeeded'),
  ended(2, 'denied'),
  {
    type: 'call.decided',
    callId: 'm1.3',
    decision: { behavior: 'deny', reason: { type: 'nobodyToAsk', detail: 'nobody can be asked' }, parts: [] },
  },
  ended(3, 'denied'),
  { type: 'assistant.started', messageId: 'm2' },
  block('m2', 0, 'Done'),
  block('m2', 1, ' now.'),
  { type: 'assistant.finished', messageId: 'm2', stopReason: 'end_turn', usage: usage(20) },
  { type: 'notice', level: 'warning', text: 'Beware.', next: 'Look.' },
  { type: 'turn.finished', turnId: 't', outcome: 'done' },
  { type: 'notice', level: 'info', text: 'after', next: '' },
];

function printed(form: OutputForm, options: { readonly problem?: string } = {}) {
  const out: string[] = [];
  const err: string[] = [];
  const output = createRunOutput(form, { out: (text) => out.push(text), err: (text) => err.push(text) });
  output.started({ sessionId: 's', folder: '/f', model: 'm', mode: 'default' });
  turn.slice(0, 2).forEach((body, index) => {
    output.event({ seq: index + 1, at: 5, body });
  });
  output.ended({ record: turn.reduce(addToRecord, emptyRecord), durationMs: 12.4, problem: options.problem ?? '' });
  return { out, err };
}

const told = [
  'Beware. Look.',
  'Bash was denied: a hook said no. More: gatehouse trace s m1.2',
  'Bash was denied: nobody can be asked. More: gatehouse trace s m1.3',
];

it('text: the last answer alone, all else on standard error', () => {
  expect(printed('text')).toEqual({ out: ['Done now.'], err: told });
});

it('json: one object with what came of it', () => {
  const { out, err } = printed('json');
  const denial = (index: number, reason: string) => ({
    tool_name: 'Bash',
    tool_use_id: `toolu_${index}`,
    call_id: `m1.${index}`,
    tool_input: { command: 'x' },
    reason,
  });
  expect(out.map((line): unknown => JSON.parse(line))).toEqual([
    {
      type: 'result',
      subtype: 'success',
      is_error: false,
      result: 'Done now.',
      session_id: 's',
      model: 'm',
      num_turns: 2,
      stop_reason: 'end_turn',
      duration_ms: 12,
      usage: { input_tokens: 30, output_tokens: 4, cache_read_input_tokens: 6, cache_creation_input_tokens: 8 },
      permission_denials: [denial(2, 'a hook said no'), denial(3, 'nobody can be asked')],
    },
  ]);
  expect(err).toEqual(told);
});

it('stream-json: where it began, each event, the result', () => {
  const lines = printed('stream-json', { problem: 'Stopped by SIGINT.' }).out.map((line): unknown => JSON.parse(line));
  expect(lines).toMatchObject([
    { type: 'init', session_id: 's', cwd: '/f', model: 'm', permission_mode: 'default' },
    { type: 'event', session_id: 's', seq: 1, at: 5, event: turn[0] },
    { type: 'event', session_id: 's', seq: 2, at: 5, event: turn[1] },
    { type: 'result', is_error: true, errors: ['Beware. Look.', 'Stopped by SIGINT.'] },
  ]);
});

it('tells of the call that a hook put off, and of one that was put off before and is now denied', () => {
  const deferredCall: SessionEventBody = {
    type: 'call.finished',
    callId: 'm1.1',
    status: 'interrupted',
    content: [],
    view: null,
    note: 'deferred by a hook',
    deferred: true,
  };
  const start: SessionEventBody = { type: 'turn.started', turnId: 't', model };
  const first = [start, use(1), deferredCall, { type: 'turn.finished', turnId: 't', outcome: 'deferred' } as const];
  const call = { callId: 'm1.1', toolUseId: 'toolu_1', name: 'Bash', input: { command: 'x' } };
  const record = first.reduce<typeof emptyRecord>(addToRecord, emptyRecord);
  expect([record.stopReason, record.deferred, isDone(record)]).toEqual(['tool_deferred', call, true]);

  const before: SessionState = {
    ...emptyState(),
    items: [{ kind: 'assistant', messageId: 'm1', at: 0, blocks: [], stopReason: null }],
    calls: { 'm1.1': openCall },
  };
  const state = first.reduce<SessionState>((now, body, at) => reduce(now, { seq: at + 1, at, body }), before);
  const again = [start, { type: 'call.reopened', callId: 'm1.1' } as const, ended(1, 'denied')];
  const later = again.reduce<typeof emptyRecord>(addToRecord, recordFor(state));
  expect(later.denials).toEqual([{ ...call, reason: 'a hook said no' }]);
});

it('a model that declined has given no answer: what it wrote before is not printed', () => {
  const refused: SessionEventBody[] = [
    { type: 'turn.started', turnId: 't', model },
    { type: 'assistant.started', messageId: 'm1' },
    block('m1', 0, 'I would'),
    { type: 'assistant.finished', messageId: 'm1', stopReason: 'refusal', usage: usage(1) },
    { type: 'turn.finished', turnId: 't', outcome: 'failed' },
  ];
  const record = refused.reduce<typeof emptyRecord>(addToRecord, emptyRecord);
  expect(record).toMatchObject({ text: '', stopReason: 'refusal' });
  expect(isDone(record)).toBe(false);
});
