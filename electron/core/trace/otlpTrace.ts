// A trace as spans of OpenTelemetry, in the JSON form of its protocol (OTLP/JSON): identifiers in hex, 64-bit numbers as
// strings, enumerations as numbers. https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding
import { createHash } from 'node:crypto';
import { describeReason } from '#shared/permissions/decision';
import type { HookRun } from '#shared/session/hookRun';
import type { SubAgent } from '#shared/session/subAgent';
import type { JsonValue } from '#shared/util/json';
import type { TraceDocument, TracedCall } from './traceDocument';

type AttributeValue = { stringValue: string } | { boolValue: boolean } | { intValue: string } | { doubleValue: number };

export interface OtlpAttribute {
  key: string;
  value: AttributeValue;
}

export interface OtlpSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes: OtlpAttribute[];
  events: { timeUnixNano: string; name: string; attributes: OtlpAttribute[] }[];
  status: { code: number; message?: string };
}

/** `ExportTraceServiceRequest`. */
export interface OtlpTrace {
  resourceSpans: {
    resource: { attributes: OtlpAttribute[] };
    scopeSpans: { scope: { name: string; version: string }; spans: OtlpSpan[] }[];
  }[];
}

/** What takes secrets out of what goes into attributes; without redaction it changes nothing. */
export interface Cleaner {
  text(text: string): string;
  value(value: JsonValue): JsonValue;
}

const internalKind = 1;
const statusCodes = { unset: 0, ok: 1, error: 2 };
/** A collector need not take more of one attribute. */
const longestAttribute = 32_000;

/** Makes the spans of a document piece by piece: first those around the calls, then those of each call. */
export function otlpSpans(document: TraceDocument, clean: Cleaner) {
  const { session, exportedAt, calls, agents, hooks } = document;
  const spanOf = spanMaker(session.sessionId);
  const agentIds = new Set(agents.map(({ agentId }) => agentId));
  const callIds = new Set(calls.map(({ row }) => row.callId));
  const startedAt = firstStart(document);
  return {
    around: (): OtlpSpan[] => [
      spanOf({
        key: 'session',
        parent: null,
        name: `session ${clean.text(session.title)}`,
        startedAt,
        endedAt: Math.max(startedAt, lastEnd(document)),
        attributes: { 'session.id': session.sessionId, 'gatehouse.folder': clean.text(session.folder) },
        events: hooks.map((run) => hookEvent(run, clean)),
      }),
      ...agents.map((agent) =>
        spanOf({
          key: `agent ${agent.agentId}`,
          parent: callIds.has(agent.callId) ? `call ${agent.callId}` : 'session',
          name: `invoke_agent ${clean.text(agent.type)}`,
          startedAt: agent.startedAt,
          endedAt: agent.endedAt ?? exportedAt,
          attributes: agentAttributes(agent, clean),
          status: { code: agent.status === 'failed' ? statusCodes.error : statusCodes.unset },
        }),
      ),
    ],
    /** One for the call, one for each step and each wait for a person. */
    ofCall: (call: TracedCall): OtlpSpan[] => spansOfCall(call, { spanOf, clean, exportedAt, agentIds }),
  };
}

/** `ExportTraceServiceRequest` with these spans. */
export function otlpTrace(spans: OtlpSpan[], version: string): OtlpTrace {
  const resource = { 'service.name': 'gatehouse', 'service.version': version, 'telemetry.sdk.name': 'gatehouse' };
  return {
    resourceSpans: [
      {
        resource: { attributes: attributesOf(resource) },
        scopeSpans: [{ scope: { name: 'gatehouse.trace', version }, spans }],
      },
    ],
  };
}

function firstStart({ calls, hooks, exportedAt }: TraceDocument): number {
  let first = exportedAt;
  for (const { row } of calls) first = Math.min(first, row.createdAt);
  for (const { startedAt } of hooks) first = Math.min(first, startedAt);
  return first;
}

function lastEnd({ calls, hooks, agents, exportedAt }: TraceDocument): number {
  let last = 0;
  for (const { row } of calls) last = Math.max(last, row.endedAt ?? exportedAt);
  for (const { endedAt, startedAt } of hooks) last = Math.max(last, endedAt ?? startedAt);
  for (const { endedAt } of agents) last = Math.max(last, endedAt ?? exportedAt);
  return last;
}

interface About {
  readonly spanOf: ReturnType<typeof spanMaker>;
  readonly clean: Cleaner;
  readonly exportedAt: number;
  readonly agentIds: ReadonlySet<string>;
}

function spansOfCall({ row, call }: TracedCall, { spanOf, clean, exportedAt, agentIds }: About): OtlpSpan[] {
  const key = `call ${row.callId}`;
  const failed = call.status === 'failed' || call.status === 'denied' || call.status === 'interrupted';
  const note = 'note' in call ? clean.text(call.note) : '';
  const attributes = {
    'gen_ai.operation.name': 'execute_tool',
    'gen_ai.tool.name': call.name,
    'gen_ai.tool.call.id': row.callId,
    'gen_ai.tool.call.arguments': JSON.stringify(clean.value(call.input)),
    ...('modelText' in call ? { 'gen_ai.tool.call.result': clean.text(call.modelText) } : {}),
    'gatehouse.call.number': row.number,
    'gatehouse.status': call.status,
    ...('failure' in call ? { 'error.type': call.failure } : {}),
    ...(row.verdict === null ? {} : { 'gatehouse.permission.verdict': row.verdict }),
    ...(row.cause === null ? {} : { 'gatehouse.permission.cause': row.cause }),
    ...(call.decision === null
      ? {}
      : { 'gatehouse.permission.because': clean.text(describeReason(call.decision.reason)) }),
    'gatehouse.waited_ms': row.waitedMs,
    ...(row.endedAt === null ? { 'gatehouse.unfinished': true } : {}),
    ...('persisted' in call && call.persisted !== undefined ? { 'gatehouse.kept_bytes': call.persisted.bytes } : {}),
  };
  const agentId = row.agent?.agentId;
  const span = spanOf({
    key,
    parent: agentId !== undefined && agentIds.has(agentId) ? `agent ${agentId}` : 'session',
    name: `execute_tool ${call.name}`,
    startedAt: row.createdAt,
    endedAt: row.endedAt ?? exportedAt,
    attributes,
    events: (call.hooks ?? []).map((run) => hookEvent(run, clean)),
    status: failed
      ? { code: statusCodes.error, ...(note === '' ? {} : { message: note }) }
      : { code: call.status === 'succeeded' ? statusCodes.ok : statusCodes.unset },
  });
  const steps = call.steps.map((step, index) =>
    spanOf({
      key: `${key} step ${index} ${step.step}`,
      parent: key,
      name: `step ${step.step}`,
      startedAt: step.startedAt,
      endedAt: step.endedAt,
      attributes: {
        'gatehouse.step': step.step,
        'gatehouse.step.outcome': step.outcome,
        'gatehouse.step.note': clean.text(step.note),
        ...(step.input === undefined ? {} : { 'gatehouse.step.input': JSON.stringify(clean.value(step.input)) }),
        ...(step.output === undefined ? {} : { 'gatehouse.step.output': JSON.stringify(clean.value(step.output)) }),
      },
      status: { code: step.outcome === 'stopped' ? statusCodes.error : statusCodes.unset },
    }),
  );
  const waits = row.prompts.map(({ askedAt, answeredAt, by, host }, index) =>
    spanOf({
      key: `${key} wait ${index}`,
      parent: key,
      name: 'waiting for a person',
      startedAt: askedAt,
      endedAt: answeredAt ?? exportedAt,
      attributes: {
        'gatehouse.answered_by': by ?? 'nobody yet',
        ...(host === undefined ? {} : { 'gatehouse.host': clean.text(host) }),
      },
    }),
  );
  return [span, ...steps, ...waits];
}

function agentAttributes({ agentId, type, description, model, status }: SubAgent, clean: Cleaner) {
  return {
    'gen_ai.operation.name': 'invoke_agent',
    'gen_ai.agent.id': agentId,
    'gen_ai.agent.name': clean.text(type),
    'gen_ai.agent.description': clean.text(description),
    'gen_ai.request.model': model,
    'gatehouse.status': status,
  };
}

function hookEvent(run: HookRun, clean: Cleaner): OtlpSpan['events'][number] {
  return {
    timeUnixNano: nanos(run.startedAt),
    name: `hook ${run.event}`,
    attributes: attributesOf({
      'gatehouse.hook.label': clean.text(run.label),
      'gatehouse.hook.matcher': run.matcher,
      'gatehouse.hook.source': run.source,
      'gatehouse.hook.outcome': run.outcome,
      'gatehouse.hook.effect': clean.text(run.effect),
      ...(run.exitCode === null ? {} : { 'process.exit.code': run.exitCode }),
      ...(run.endedAt === null ? {} : { 'gatehouse.hook.ms': run.endedAt - run.startedAt }),
      'gatehouse.hook.stdin': clean.text(run.stdin),
      'gatehouse.hook.stdout': clean.text(run.stdout),
      'gatehouse.hook.stderr': clean.text(run.stderr),
    }),
  };
}

type Attributes = Readonly<Record<string, string | number | boolean>>;

/** Identifiers come from what a span is about, so that the same call has the same span in every export. */
function spanMaker(sessionId: string) {
  const traceId = hex(`trace ${sessionId}`, 32);
  const idOf = (key: string): string => hex(`span ${sessionId} ${key}`, 16);
  return (about: {
    readonly key: string;
    readonly parent: string | null;
    readonly name: string;
    readonly startedAt: number;
    readonly endedAt: number;
    readonly attributes: Attributes;
    readonly events?: OtlpSpan['events'];
    readonly status?: OtlpSpan['status'];
  }): OtlpSpan => ({
    traceId,
    spanId: idOf(about.key),
    ...(about.parent === null ? {} : { parentSpanId: idOf(about.parent) }),
    name: about.name,
    kind: internalKind,
    startTimeUnixNano: nanos(about.startedAt),
    endTimeUnixNano: nanos(Math.max(about.startedAt, about.endedAt)),
    attributes: attributesOf(about.attributes),
    events: about.events ?? [],
    status: about.status ?? { code: statusCodes.unset },
  });
}

function hex(text: string, length: number): string {
  const digits = createHash('sha256').update(text).digest('hex').slice(0, length);
  // All zeros would mean that there is no identifier.
  return /^0+$/.test(digits) ? `${digits.slice(1)}1` : digits;
}

/** Epoch milliseconds with fractions as whole nanoseconds, which no number of the language can hold. */
function nanos(ms: number): string {
  const whole = Math.floor(ms);
  return String(BigInt(whole) * 1_000_000n + BigInt(Math.round((ms - whole) * 1_000_000)));
}

function attributesOf(values: Attributes): OtlpAttribute[] {
  return Object.entries(values).map(([key, value]) => ({ key, value: attributeValue(value) }));
}

function attributeValue(value: string | number | boolean): AttributeValue {
  if (typeof value === 'boolean') return { boolValue: value };
  if (typeof value === 'number')
    return Number.isSafeInteger(value) ? { intValue: String(value) } : { doubleValue: value };
  return { stringValue: value.length > longestAttribute ? `${value.slice(0, longestAttribute - 1)}…` : value };
}
