// The one reducer: what an event does to a state. Events that name an unknown call change nothing but seq, so an old log
// always loads.
import { assertNever } from '../util/assertNever';
import { tokensOf } from './cost';
import type { ResultBlock, SessionEvent, SessionEventBody, Usage } from './events';
import { type ConversationItem, type Meter, meteredTurns, noUsage, type SessionState } from './state';
import type { AskedHost, ToolCall } from './toolCall';

/** Applies one stored event and leaves the given state as it is. Events must come in `seq` order without gaps. */
export function reduce(state: SessionState, event: SessionEvent): SessionState {
  const next = { ...state };
  const { body } = event;
  if (changesItems(body)) next.items = [...state.items];
  if (changesCalls(body, state)) next.calls = { ...state.calls };
  if (body.type === 'task.changed') next.tasks = { ...state.tasks };
  if (body.type === 'agent.changed') next.agents = { ...state.agents };
  reduceInto(next, event);
  return next;
}

/**
 * Applies one stored event to a state that nobody else holds. Its lists and records change in place, so that an event costs
 * the same however long the session is; their elements are replaced, never changed.
 */
export function reduceInto(state: SessionState, event: SessionEvent): void {
  apply(state, event.body, event.at);
  state.seq = event.seq;
  state.updatedAt = event.at;
}

/** The same state for somebody who keeps it while more events are applied in place. */
export function copyOfState(state: SessionState): SessionState {
  return { ...state, items: [...state.items], calls: { ...state.calls }, ...recordsOf(state) };
}

function recordsOf({ tasks, agents }: SessionState): Pick<SessionState, 'tasks' | 'agents'> {
  return { tasks: { ...tasks }, agents: { ...agents } };
}

function changesItems(body: SessionEventBody): boolean {
  switch (body.type) {
    case 'message.sent':
    case 'assistant.started':
    case 'assistant.block':
    case 'assistant.finished':
    case 'notice':
    case 'conversation.compacted':
      return true;
    default:
      return false;
  }
}

function changesCalls(body: SessionEventBody, state: SessionState): boolean {
  if (body.type === 'call.created') return true;
  const callId = body.type === 'network.asked' ? body.ask.callId : 'callId' in body ? body.callId : undefined;
  return callId !== undefined && state.calls[callId] !== undefined;
}

function apply(state: SessionState, body: SessionEventBody, at: number): void {
  switch (body.type) {
    case 'session.created':
      state.folder = body.folder;
      state.cwd = body.folder;
      state.title = body.title;
      state.mode = body.mode;
      state.model = body.model;
      state.network = body.network;
      state.createdAt = at;
      break;
    case 'session.renamed':
      state.title = body.title;
      break;
    case 'mode.changed':
      state.mode = body.mode;
      break;
    case 'model.changed':
      state.model = body.model;
      break;
    case 'network.changed':
      state.network = body.network;
      break;
    case 'message.queued':
      state.queue = [...state.queue, { messageId: body.messageId, text: body.text }];
      break;
    case 'message.unqueued':
      state.queue = state.queue.filter((queued) => queued.messageId !== body.messageId);
      break;
    case 'message.sent':
      if (body.agentId !== undefined) break;
      state.queue = state.queue.filter((queued) => queued.messageId !== body.messageId);
      state.items.push({ kind: 'user', messageId: body.messageId, text: body.text, at });
      break;
    case 'turn.started':
      state.turn = { turnId: body.turnId, startedAt: at };
      state.meter = {
        ...state.meter,
        model: body.model.id,
        turns: [
          ...state.meter.turns.slice(1 - meteredTurns),
          { turnId: body.turnId, startedAt: at, byModel: {}, agents: noUsage },
        ],
      };
      break;
    case 'assistant.started':
      if (body.agentId !== undefined) break;
      state.items.push({ kind: 'assistant', messageId: body.messageId, at, blocks: [], stopReason: null });
      break;
    case 'assistant.block':
      changeMessage(state, body.messageId, (message) => ({ ...message, blocks: [...message.blocks, body.block] }));
      break;
    case 'assistant.finished':
      changeMessage(state, body.messageId, (message) => ({ ...message, stopReason: body.stopReason }));
      state.usage = addUsage(state.usage, body.usage);
      state.meter = metered(state, body);
      break;
    case 'todos.changed':
      state.todos = body.todos;
      break;
    case 'turn.finished':
      state.turn = null;
      break;
    case 'notice':
      state.items.push({ kind: 'notice', at, level: body.level, text: body.text, next: body.next });
      break;
    case 'rule.saved':
    case 'context.added':
    case 'session.marked':
    case 'file.changed':
      break;
    case 'task.changed':
      state.tasks[body.task.taskId] = body.task;
      break;
    case 'agent.changed':
      state.agents[body.agent.agentId] = body.agent;
      break;
    case 'cwd.changed':
      state.cwd = body.cwd;
      break;
    case 'conversation.compacted':
      if (body.agentId !== undefined) break;
      state.meter = { ...state.meter, last: null };
      state.items.push({ kind: 'compaction', at, summary: body.summary });
      break;
    case 'network.asked':
      state.networkAsks = [...state.networkAsks, { ask: body.ask, askedAt: at }];
      changeHosts(state, body.ask.callId, (hosts) => {
        const { askId, host, port } = body.ask;
        return [...hosts, { askId, host, port, askedAt: at, answered: null }];
      });
      break;
    case 'network.answered':
      state.networkAsks = state.networkAsks.filter(({ ask }) => ask.askId !== body.askId);
      changeHosts(state, body.callId, (hosts) =>
        hosts.map((one) => (one.askId === body.askId ? { ...one, answered: { at, outcome: body.outcome } } : one)),
      );
      break;
    case 'hook.ran': {
      const call = body.callId === undefined ? undefined : state.calls[body.callId];
      if (call === undefined) break;
      // A run that went on in the background is told of again when it has ended.
      const hooks = [...(call.hooks ?? []).filter((run) => run.runId !== body.run.runId), body.run];
      state.calls[call.callId] = { ...call, hooks };
      break;
    }
    case 'call.created':
      state.callsMade += 1;
      state.calls[body.callId] = {
        status: 'checking',
        callId: body.callId,
        messageId: body.messageId,
        number: state.callsMade,
        name: body.name,
        input: body.input,
        presentation: body.presentation,
        createdAt: at,
        steps: [],
        currentStep: null,
        decision: null,
        ...(body.agentId === undefined ? {} : { agentId: body.agentId }),
      };
      break;
    case 'call.presented':
    case 'call.stepStarted':
    case 'call.stepEnded':
    case 'call.asked':
    case 'call.answered':
    case 'call.decided':
    case 'call.started':
    case 'call.finished':
    case 'call.reopened': {
      const call = state.calls[body.callId];
      if (call !== undefined) state.calls[body.callId] = applyToCall(call, body, at);
      break;
    }
    default:
      assertNever(body, 'session event');
  }
}

type CallEvent = Extract<SessionEventBody, { type: `call.${string}` }>;

function applyToCall(call: ToolCall, body: Exclude<CallEvent, { type: 'call.created' }>, at: number): ToolCall {
  switch (body.type) {
    case 'call.presented':
      return { ...call, presentation: body.presentation };
    case 'call.stepStarted':
      return { ...call, currentStep: body.step };
    case 'call.stepEnded':
      return { ...call, currentStep: null, steps: [...call.steps, body.trace] };
    case 'call.decided':
      return { ...call, decision: body.decision };
    case 'call.asked':
      return { ...commonOf(call), status: 'asking', ask: body.ask, askedAt: at };
    case 'call.answered':
      return call.status === 'asking' ? { ...commonOf(call), status: 'checking' } : call;
    case 'call.started':
      return { ...commonOf(call), status: 'running', startedAt: at };
    case 'call.reopened':
      return { ...commonOf(call), status: 'checking', steps: [], currentStep: null, decision: null };
    case 'call.finished': {
      const ended = {
        ...commonOf(call),
        currentStep: null,
        endedAt: at,
        view: body.view,
        modelText: textOf(body.content),
        note: body.note,
        ...(body.persisted === undefined ? {} : { persisted: body.persisted }),
        ...(body.deferred === undefined ? {} : { deferred: body.deferred }),
      };
      return body.status === 'failed'
        ? { ...ended, status: 'failed', failure: body.failure ?? 'internal' }
        : { ...ended, status: body.status };
    }
    default:
      return assertNever(body, 'call event');
  }
}

function commonOf(call: ToolCall) {
  const { callId, messageId, name, input, presentation, createdAt, steps, currentStep, decision } = call;
  const common = { callId, messageId, name, input, presentation, createdAt, steps, currentStep, decision };
  const { agentId, hooks, hosts, number } = call;
  return {
    ...common,
    ...(number === undefined ? {} : { number }),
    ...(agentId === undefined ? {} : { agentId }),
    ...(hooks === undefined ? {} : { hooks }),
    ...(hosts === undefined ? {} : { hosts }),
  };
}

/** The call may be one that the state does not hold. */
function changeHosts(state: SessionState, callId: string, change: (hosts: readonly AskedHost[]) => AskedHost[]): void {
  const call = state.calls[callId];
  if (call !== undefined) state.calls[callId] = { ...call, hosts: change(call.hosts ?? []) };
}

type AssistantItem = Extract<ConversationItem, { kind: 'assistant' }>;

function changeMessage(
  state: SessionState,
  messageId: string,
  change: (message: AssistantItem) => AssistantItem,
): void {
  const index = state.items.findLastIndex((item) => item.kind === 'assistant' && item.messageId === messageId);
  const message = state.items[index];
  if (message?.kind === 'assistant') state.items[index] = change(message);
}

/** The summary of a compaction is asked for with the turn's model; it says nothing of the window's state. */
const summaryId = 'summary';

function metered(state: SessionState, body: Extract<SessionEventBody, { type: 'assistant.finished' }>): Meter {
  const { meter } = state;
  const { usage, agentId } = body;
  if (tokensOf(usage) === 0) return meter;
  const model = (agentId === undefined ? undefined : state.agents[agentId]?.model) ?? (meter.model || state.model.id);
  const counted = ({ byModel, agents }: Pick<Meter, 'byModel' | 'agents'>) => ({
    byModel: { ...byModel, [model]: addUsage(byModel[model] ?? noUsage, usage) },
    agents: agentId === undefined ? agents : addUsage(agents, usage),
  });
  const turn = meter.turns.at(-1);
  return {
    ...meter,
    ...counted(meter),
    last: agentId === undefined && body.messageId !== summaryId ? usage : meter.last,
    // What comes after the end of a turn (an agent in the background) belongs to the last one.
    turns: turn === undefined ? [] : [...meter.turns.slice(0, -1), { ...turn, ...counted(turn) }],
  };
}

function addUsage(a: Usage, b: Usage): Usage {
  return {
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    cacheReadTokens: a.cacheReadTokens + b.cacheReadTokens,
    cacheWriteTokens: a.cacheWriteTokens + b.cacheWriteTokens,
  };
}

/** The text of a result as the model received it. */
export function textOf(content: readonly ResultBlock[]): string {
  return content
    .flatMap((block) => {
      if (block.type === 'tool_reference') return [];
      return block.type === 'text' ? [block.text] : [`[image ${block.mediaType}]`];
    })
    .join('\n');
}
