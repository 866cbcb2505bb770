// A session's events become the rows of its trace, one after the other. Nothing but the rows is kept, so that a long session
// costs what its list costs, not what its contents cost.
import { type DecisionReason, describeReason } from '../permissions/decision';
import type { Ask } from '../session/ask';
import type { SessionEvent, SessionEventBody } from '../session/events';
import type { HookRun } from '../session/hookRun';
import type { StepTrace } from '../session/toolCall';
import { assertNever } from '../util/assertNever';
import type { DecisionCause, TraceRow, TraceStep } from './traceRow';

const longestWhat = 400;
const longestBecause = 300;

interface Entry {
  row: TraceRow;
  /** Events that told of the call: the first and the newest. */
  readonly firstSeq: number;
  lastSeq: number;
  /** By run id: a run in the background is told of twice. */
  readonly runs: Map<string, { readonly failed: boolean; readonly changed: boolean }>;
  /** By ask id: which prompt of the row asks about a host. */
  readonly hosts: Map<string, number>;
}

interface Agent {
  readonly name: string;
  readonly byCall: string | null;
}

interface KnownAgent {
  /** Null: calls came before it was told of. */
  agent: Agent | null;
  readonly entries: Entry[];
}

/** What a session's events so far have come to. */
export interface TraceFold {
  /** The newest event that was folded; 0: none. */
  seq: number;
  /** By call id, in the order in which the calls were made. */
  readonly entries: Map<string, Entry>;
  readonly agents: Map<string, KnownAgent>;
  /** Hooks that ran for no call, by run id. */
  readonly hooks: Map<string, { readonly seq: number; readonly run: HookRun }>;
}

/** Events that change a trace; the rest need not be read for it. */
export const tracedEvents: readonly SessionEventBody['type'][] = [
  'call.created',
  'call.presented',
  'call.stepStarted',
  'call.stepEnded',
  'call.asked',
  'call.answered',
  'call.decided',
  'call.started',
  'call.finished',
  'call.reopened',
  'hook.ran',
  'network.asked',
  'network.answered',
  'agent.changed',
];

/** A trace without events. */
export function emptyTrace(): TraceFold {
  return { seq: 0, entries: new Map(), agents: new Map(), hooks: new Map() };
}

/** Adds one event. Rows are replaced, never changed, so that they can be kept. Events come in the order of their `seq`. */
export function foldTrace(fold: TraceFold, event: SessionEvent): void {
  const { seq, at, body } = event;
  fold.seq = seq;
  switch (body.type) {
    case 'call.created':
      fold.entries.set(body.callId, newEntry(fold, body, { seq, at }));
      return;
    case 'agent.changed': {
      const { agentId, type, description, callId } = body.agent;
      nameAgent(fold, agentId, { name: description === '' ? type : description, byCall: callId });
      return;
    }
    case 'hook.ran':
      if (body.callId === undefined) {
        fold.hooks.set(body.run.runId, { seq, run: body.run });
        return;
      }
      break;
    case 'call.presented':
    case 'call.stepStarted':
    case 'call.stepEnded':
    case 'call.asked':
    case 'call.answered':
    case 'call.decided':
    case 'call.started':
    case 'call.finished':
    case 'call.reopened':
    case 'network.asked':
    case 'network.answered':
      break;
    default:
      return;
  }
  const callId = body.type === 'network.asked' ? body.ask.callId : body.callId;
  const entry = callId === undefined ? undefined : fold.entries.get(callId);
  if (entry === undefined) return;
  entry.row = { ...entry.row, ...changeOf(entry, body, at) };
  entry.lastSeq = seq;
}

type CallBody = Extract<
  SessionEventBody,
  { type: `call.${string}` | 'hook.ran' | 'network.asked' | 'network.answered' }
>;

function newEntry(
  fold: TraceFold,
  body: Extract<SessionEventBody, { type: 'call.created' }>,
  { seq, at }: { readonly seq: number; readonly at: number },
): Entry {
  const { callId, messageId, name, presentation, agentId } = body;
  const known = agentId === undefined ? null : knownAgent(fold, agentId);
  const agent = known?.agent;
  const row: TraceRow = {
    callId,
    number: fold.entries.size + 1,
    name,
    title: presentation.title,
    icon: presentation.icon,
    what: oneLine(presentation.summary, longestWhat),
    messageId,
    agent: agentId === undefined ? null : { agentId, name: agent?.name ?? agentId, byCall: agent?.byCall ?? null },
    createdAt: at,
    endedAt: null,
    status: 'checking',
    verdict: null,
    cause: null,
    because: '',
    steps: [],
    prompts: [],
    waitedMs: 0,
    hooks: { runs: 0, failed: 0, changed: 0 },
    keptBytes: null,
  };
  const entry = { row, firstSeq: seq, lastSeq: seq, runs: new Map(), hosts: new Map() };
  known?.entries.push(entry);
  return entry;
}

/** The name of a sub-agent may come after its first calls. */
function nameAgent(fold: TraceFold, agentId: string, agent: Agent): void {
  const known = knownAgent(fold, agentId);
  if (known.agent?.name === agent.name && known.agent.byCall === agent.byCall) return;
  known.agent = agent;
  for (const entry of known.entries) {
    entry.row = { ...entry.row, agent: { agentId, ...agent } };
    entry.lastSeq = fold.seq;
  }
}

function knownAgent(fold: TraceFold, agentId: string): KnownAgent {
  const known = fold.agents.get(agentId) ?? { agent: null, entries: [] };
  fold.agents.set(agentId, known);
  return known;
}

function changeOf(entry: Entry, body: CallBody, at: number): Partial<TraceRow> {
  const { row } = entry;
  switch (body.type) {
    case 'call.created':
      return {};
    case 'call.presented': {
      const { title, icon, summary } = body.presentation;
      return { title, icon, what: oneLine(summary, longestWhat) };
    }
    case 'call.stepStarted': {
      const begun: TraceStep = { step: body.step, startedAt: at, endedAt: null, waitedMs: 0, outcome: 'passed' };
      return { steps: withStep(row.steps, begun) };
    }
    case 'call.stepEnded':
      return withEnded(row, body.trace);
    case 'call.asked':
      return {
        status: 'asking',
        verdict: 'ask',
        ...causeOfAsk(body.ask),
        prompts: [...row.prompts, { askedAt: at, answeredAt: null, by: null }],
      };
    case 'call.answered':
      return {
        status: row.status === 'asking' ? 'checking' : row.status,
        prompts: row.prompts.map((prompt) =>
          prompt.answeredAt === null && prompt.host === undefined ? { ...prompt, answeredAt: at, by: body.by } : prompt,
        ),
      };
    case 'call.decided': {
      const { behavior, reason } = body.decision;
      const because = describeReason(reason);
      // Who answered, and why it was a question at all.
      const asked =
        row.prompts.length > 0 && reason.type === 'user' && row.because !== ''
          ? `; asked because of ${row.because}`
          : '';
      return {
        verdict: row.verdict ?? behavior,
        cause: causeOf(reason),
        because: oneLine(`${because}${asked}`, longestBecause),
      };
    }
    case 'call.started':
      return { status: 'running' };
    case 'call.finished':
      return {
        status: body.status,
        endedAt: at,
        keptBytes: body.persisted?.bytes ?? null,
        steps: row.steps.map((step) => (step.endedAt === null ? { ...step, endedAt: at, outcome: 'stopped' } : step)),
        prompts: row.prompts.map((prompt) =>
          prompt.answeredAt === null ? { ...prompt, answeredAt: at, by: 'abort' } : prompt,
        ),
      };
    case 'call.reopened':
      return { status: 'checking', endedAt: null, steps: [], verdict: null, cause: null, because: '', waitedMs: 0 };
    case 'hook.ran': {
      const { run } = body;
      entry.runs.set(run.runId, {
        failed: run.outcome === 'error' || run.outcome === 'timeout',
        changed: run.outcome === 'blocked' || /\bchanged\b/.test(run.effect),
      });
      const runs = [...entry.runs.values()];
      return {
        hooks: {
          runs: runs.length,
          failed: runs.filter(({ failed }) => failed).length,
          changed: runs.filter(({ changed }) => changed).length,
        },
      };
    }
    case 'network.asked': {
      // A task in the background waits in its own time, not in that of the call that started it.
      if (row.endedAt !== null) return {};
      const { askId, host, port } = body.ask;
      entry.hosts.set(askId, row.prompts.length);
      const name = host.includes(':') ? `[${host}]` : host;
      return { prompts: [...row.prompts, { askedAt: at, answeredAt: null, by: null, host: `${name}:${port}` }] };
    }
    case 'network.answered': {
      const place = entry.hosts.get(body.askId);
      const { by } = body.outcome;
      return {
        prompts: row.prompts.map((prompt, index) =>
          index === place && prompt.answeredAt === null ? { ...prompt, answeredAt: at, by } : prompt,
        ),
      };
    }
    default:
      return assertNever(body, 'event of a call');
  }
}

function withEnded(row: TraceRow, { step, startedAt, endedAt, waitedMs, outcome }: StepTrace): Partial<TraceRow> {
  return {
    steps: withStep(row.steps, { step, startedAt, endedAt, waitedMs, outcome }),
    waitedMs: row.waitedMs + waitedMs,
  };
}

/** A step that has been announced is replaced by what became of it. */
function withStep(steps: readonly TraceStep[], step: TraceStep): TraceStep[] {
  return [...steps.filter((one) => one.step !== step.step || one.endedAt !== null), step];
}

function causeOfAsk(ask: Ask): Pick<TraceRow, 'cause' | 'because'> {
  return ask.kind === 'question'
    ? { cause: 'tool', because: 'a question for you' }
    : { cause: causeOf(ask.reason), because: oneLine(describeReason(ask.reason), longestBecause) };
}

function causeOf({ type }: DecisionReason): DecisionCause {
  return type === 'user' ? 'person' : type;
}

function oneLine(text: string, longest: number): string {
  const line = text.replace(/\s*[\r\n]+\s*/g, ' ⏎ ');
  return line.length > longest ? `${line.slice(0, longest - 1)}…` : line;
}
