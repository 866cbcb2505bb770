// The trace as pages and the command line get it, from a stored log.
import { expect, it } from 'vitest';
import type { SessionEvent } from '#shared/session/events';
import { emptyTrace, foldTrace } from '#shared/trace/foldTrace';
import { hookRun, traceEvents } from '#shared/trace/testing/traceEvents';
import { Connection } from '../api/connection';
import { traceHandlers } from '../api/traceHandlers';
import { openDatabase } from '../sessions/database';
import { SessionStore } from '../sessions/store';
import type { OtlpSpan, OtlpTrace } from './otlpTrace';

const secret = `ghp_${'a1B2c3D4e5F6'.repeat(2)}`;

function world(events: readonly SessionEvent[] = traceEvents) {
  const { database } = openDatabase({ folder: ':memory:', nativeBinding: undefined });
  const store = new SessionStore(database, () => undefined);
  store.create({ sessionId: 's1', title: 'Fix the tides', folder: '/srv/app', at: 900 });
  for (const event of events) store.append('s1', event);
  const handlers = traceHandlers({ database, sessions: store, home: '/home/ada', version: '1.2.3', now: () => 20_000 });
  const signal = { cancelled: false, onCancel: () => () => undefined };
  const context = { connection: new Connection(() => undefined), signal };
  return { database, store, handlers, context };
}

function append(store: SessionStore, body: SessionEvent['body'], at = 16_000): void {
  store.append('s1', { seq: store.lastSeq('s1') + 1, at, body });
}

it('answers with the rows that the whole events make, though it reads them without their contents', async () => {
  const { handlers, context } = world();
  const fold = emptyTrace();
  for (const event of traceEvents) foldTrace(fold, event);
  expect(await handlers['trace.rows']({ sessionId: 's1', since: 0 }, context)).toEqual({
    seq: 27,
    rows: [...fold.entries.values()].map(({ row }) => row),
    hooks: [{ seq: 2, run: hookRun({ runId: 's', event: 'SessionStart', matcher: 'startup' }) }],
  });
});

it('tells only what is new since an event, also while others ask', async () => {
  const { handlers, context, store } = world();
  const ask = (since: number) => handlers['trace.rows']({ sessionId: 's1', since }, context);
  await Promise.all([ask(0), ask(0)]);
  append(store, { type: 'message.sent', messageId: 'u2', text: 'more' });
  append(store, { type: 'call.finished', callId: 'c2', status: 'failed', content: [], view: null, note: '' });
  const [first, second] = await Promise.all([ask(27), ask(27)]);
  expect(first.seq).toBe(29);
  expect(first.rows.map(({ callId, status, number }) => [callId, status, number])).toEqual([['c2', 'failed', 2]]);
  expect(second).toEqual(first);
  expect((await ask(29)).rows).toEqual([]);
});

it('leaves out what is damaged or unknown', async () => {
  const { handlers, context, database } = world();
  const insert = database.prepare('insert into events (session_id, seq, at, body) values (?, ?, ?, ?)');
  insert.run('s1', 28, 1, '{"type":"call.created","cut');
  insert.run('s1', 29, 1, '{"type":"call.created","callId":7}');
  insert.run('s1', 30, 1, '{"type":"of another version"}');
  const { seq, rows } = await handlers['trace.rows']({ sessionId: 's1', since: 0 }, context);
  expect([seq, rows.length]).toEqual([30, 3]);
  expect(await handlers['trace.call']({ sessionId: 's1', callId: 'c1' }, context)).toMatchObject({
    status: 'succeeded',
  });
});

it('gives one call whole', async () => {
  const { handlers, context } = world();
  const call = await handlers['trace.call']({ sessionId: 's1', callId: 'c1' }, context);
  expect(call).toMatchObject({
    status: 'succeeded',
    input: { command: 'npm test' },
    modelText: 'all passed',
    hooks: [{ stdin: '{"tool_name":"Bash"}' }, { runId: 'h2' }],
  });
  await expect(async () => handlers['trace.call']({ sessionId: 's1', callId: 'constructor' }, context)).rejects.toThrow(
    'There is no such call in this session.',
  );
  await expect(async () => handlers['trace.rows']({ sessionId: 'gone', since: 0 }, context)).rejects.toThrow(
    'This session no longer exists.',
  );
});

it('adds up all sessions, calls that a branch copied once', async () => {
  const { handlers, context, store } = world();
  store.create({ sessionId: 's2', title: 'Branch', folder: '/srv/app', at: 900 });
  for (const event of traceEvents) store.append('s2', event);
  const all = await handlers['trace.totals']({ sessionId: null, since: null }, context);
  expect(all).toMatchObject({ calls: 3, sessions: 1, prompts: 1, medianAnswerMs: 10_000, hastyAnswers: 0 });
  expect(await handlers['trace.totals']({ sessionId: 's2', since: null }, context)).toEqual(all);
  expect(await handlers['trace.totals']({ sessionId: null, since: 14_500 }, context)).toMatchObject({ calls: 1 });
  expect(await handlers['trace.totals']({ sessionId: null, since: 99_000 }, context)).toMatchObject({ calls: 0 });
});

it('exports our own JSON, redacted, and says what was taken out', async () => {
  const { handlers, context, store } = world();
  const input = { command: `curl -H "Authorization: Bearer ${secret}" https://x`, env: { password: 'low water' } };
  const presentation = { title: 'Bash', summary: '/home/ada/x', activity: '', icon: 'terminal' as const };
  append(store, { type: 'call.created', callId: 'c4', messageId: 'm3', name: 'Bash', input, presentation });
  const ask = { sessionId: 's1', format: 'json' as const };
  const whole = await handlers['trace.export']({ ...ask, callIds: null, redact: true }, context);
  expect(whole).toMatchObject({
    name: 'trace-fix-the-tides-1970-01-01.json',
    mediaType: 'application/json',
    leftOut: [],
  });
  const document = JSON.parse(whole.text);
  expect(document).toMatchObject({
    format: 'gatehouse-trace',
    session: { sessionId: 's1', folder: '…/app' },
    calls: [
      { callId: 'c1', ranMs: 2_001, result: 'all passed', decision: { behavior: 'allow' } },
      { callId: 'c2', endedAt: null, waitedMs: 10_000 },
      { callId: 'c3', agentId: 'a1', verdict: 'deny' },
      { callId: 'c4', summary: '~/x' },
    ],
    hooks: [{ event: 'SessionStart' }],
  });
  expect(document.calls[3].input).toEqual({
    command: 'curl -H "Authorization: Bearer [api key]" https://x',
    env: { password: '[password]' },
  });
  expect(whole.text).not.toContain(secret);
  expect(whole.redactions.map(({ kind }) => kind).sort()).toEqual([
    'api key',
    'home folder',
    'password',
    'working folder',
  ]);

  const one = await handlers['trace.export']({ ...ask, callIds: ['c4'], redact: false }, context);
  expect(JSON.parse(one.text).calls.map(({ callId }: { callId: string }) => callId)).toEqual(['c4']);
  expect(JSON.parse(one.text).hooks).toEqual([]);
  expect([one.text.includes(secret), one.redactions]).toEqual([true, []]);
});

it('exports spans as OpenTelemetry’s JSON wants them', async () => {
  const { handlers, context, store } = world();
  const presentation = { title: 'Read', summary: 'a', activity: '', icon: 'file' as const };
  append(
    store,
    { type: 'call.created', callId: 'c4', messageId: 'm3', name: 'Read', input: { token: secret }, presentation },
    16_000.25,
  );
  const { text, name } = await handlers['trace.export'](
    { sessionId: 's1', callIds: null, format: 'otlp', redact: true },
    context,
  );
  expect(name).toBe('trace-fix-the-tides-1970-01-01.otlp.json');
  expect(text).not.toContain(secret);
  const trace: OtlpTrace = JSON.parse(text);
  const spans = trace.resourceSpans[0]?.scopeSpans[0]?.spans ?? [];
  expect(trace.resourceSpans[0]?.resource.attributes).toContainEqual({
    key: 'service.version',
    value: { stringValue: '1.2.3' },
  });
  const ids = new Set(spans.map(({ spanId }) => spanId));
  expect(ids.size).toBe(spans.length);
  expect(new Set(spans.map(({ traceId }) => traceId)).size).toBe(1);
  for (const span of spans) {
    expect(span.traceId).toMatch(/^[0-9a-f]{32}$/);
    expect(span.spanId).toMatch(/^[0-9a-f]{16}$/);
    expect(span.startTimeUnixNano).toMatch(/^\d+$/);
    expect(BigInt(span.endTimeUnixNano) >= BigInt(span.startTimeUnixNano)).toBe(true);
    expect(span.parentSpanId === undefined || ids.has(span.parentSpanId)).toBe(true);
    for (const { value } of span.attributes) expect(Object.keys(value)).toHaveLength(1);
  }
  const nameOf = (id: string | undefined): string => spans.find(({ spanId }) => spanId === id)?.name ?? '';
  const tree = (span: OtlpSpan): string =>
    span.parentSpanId === undefined ? span.name : `${nameOf(span.parentSpanId)} > ${span.name}`;
  expect(spans.map(tree)).toEqual([
    'session Fix the tides',
    'execute_tool Bash > invoke_agent explore',
    'session Fix the tides > execute_tool Bash',
    'execute_tool Bash > step lookup',
    'execute_tool Bash > step preHook',
    'execute_tool Bash > step permission',
    'execute_tool Bash > step execution',
    'session Fix the tides > execute_tool Bash',
    'execute_tool Bash > step permission',
    'execute_tool Bash > waiting for a person',
    'invoke_agent explore > execute_tool Bash',
    'execute_tool Bash > step permission',
    'session Fix the tides > execute_tool Read',
  ]);
  expect(spans[2]).toMatchObject({
    kind: 1,
    startTimeUnixNano: '1000000000',
    endTimeUnixNano: '3001000000',
    status: { code: 1 },
    events: [{ name: 'hook PreToolUse', timeUnixNano: '1001000000' }, {}],
  });
  expect(spans[2]?.attributes).toContainEqual({ key: 'gatehouse.kept_bytes', value: { intValue: '50000' } });
  expect(spans[10]?.status).toEqual({ code: 2, message: 'denied' });
  expect(spans[12]).toMatchObject({ startTimeUnixNano: '16000250000', endTimeUnixNano: '20000000000' });
  expect(spans[12]?.attributes).toContainEqual({ key: 'gatehouse.unfinished', value: { boolValue: true } });
});
