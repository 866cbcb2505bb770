// The one reducer. Pure; events that name an unknown call change nothing but seq, so an old log always loads.
import { assertNever } from '../util/assertNever';
import type { ResultBlock, SessionEvent, SessionEventBody, Usage } from './events';
import type { ConversationItem, SessionState } from './state';
import type { ToolCall } from './toolCall';

/** Applies one stored event. Events must come in `seq` order without gaps. */
export function reduce(state: SessionState, event: SessionEvent): SessionState {
  return { ...apply(state, event.body, event.at), seq: event.seq, updatedAt: event.at };
}

function apply(state: SessionState, body: SessionEventBody, at: number): SessionState {
  switch (body.type) {
    case 'session.created':
      return {
        ...state,
        folder: body.folder,
        cwd: body.folder,
        title: body.title,
        mode: body.mode,
        model: body.model,
        network: body.network,
        createdAt: at,
      };
    case 'session.renamed':
      return { ...state, title: body.title };
    case 'mode.changed':
      return { ...state, mode: body.mode };
    case 'model.changed':
      return { ...state, model: body.model };
    case 'network.changed':
      return { ...state, network: body.network };
    case 'message.queued':
      return { ...state, queue: [...state.queue, { messageId: body.messageId, text: body.text }] };
    case 'message.unqueued':
      return { ...state, queue: state.queue.filter((queued) => queued.messageId !== body.messageId) };
    case 'message.sent':
      return {
        ...state,
        queue: state.queue.filter((queued) => queued.messageId !== body.messageId),
        items: [...state.items, { kind: 'user', messageId: body.messageId, text: body.text, at }],
      };
    case 'turn.started':
      return { ...state, turn: { turnId: body.turnId, startedAt: at } };
    case 'assistant.started':
      return {
        ...state,
        items: [...state.items, { kind: 'assistant', messageId: body.messageId, at, blocks: [], stopReason: null }],
      };
    case 'assistant.block':
      return withMessage(state, body.messageId, (message) => ({ ...message, blocks: [...message.blocks, body.block] }));
    case 'assistant.finished':
      return {
        ...withMessage(state, body.messageId, (message) => ({ ...message, stopReason: body.stopReason })),
        usage: addUsage(state.usage, body.usage),
      };
    case 'todos.changed':
      return { ...state, todos: body.todos };
    case 'turn.finished':
      return { ...state, turn: null };
    case 'notice':
      return {
        ...state,
        items: [...state.items, { kind: 'notice', at, level: body.level, text: body.text, next: body.next }],
      };
    case 'rule.saved':
    case 'context.added':
      return state;
    case 'task.changed':
      return { ...state, tasks: { ...state.tasks, [body.task.taskId]: body.task } };
    case 'cwd.changed':
      return { ...state, cwd: body.cwd };
    case 'conversation.compacted':
      return { ...state, items: [...state.items, { kind: 'compaction', at, summary: body.summary }] };
    case 'hook.ran': {
      const call = body.callId === undefined ? undefined : state.calls[body.callId];
      if (call === undefined) return state;
      // A run that went on in the background is told of again when it has ended.
      const hooks = [...(call.hooks ?? []).filter((run) => run.runId !== body.run.runId), body.run];
      return { ...state, calls: { ...state.calls, [call.callId]: { ...call, hooks } } };
    }
    case 'call.created':
      return {
        ...state,
        calls: {
          ...state.calls,
          [body.callId]: {
            status: 'checking',
            callId: body.callId,
            messageId: body.messageId,
            name: body.name,
            input: body.input,
            presentation: body.presentation,
            createdAt: at,
            steps: [],
            currentStep: null,
            decision: null,
          },
        },
      };
    case 'call.presented':
    case 'call.stepStarted':
    case 'call.stepEnded':
    case 'call.asked':
    case 'call.answered':
    case 'call.decided':
    case 'call.started':
    case 'call.finished': {
      const call = state.calls[body.callId];
      if (call === undefined) return state;
      return { ...state, calls: { ...state.calls, [body.callId]: applyToCall(call, body, at) } };
    }
    default:
      return assertNever(body, 'session event');
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
    case 'call.finished': {
      const ended = {
        ...commonOf(call),
        currentStep: null,
        endedAt: at,
        view: body.view,
        modelText: textOf(body.content),
        note: body.note,
        ...(body.persisted === undefined ? {} : { persisted: body.persisted }),
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
  const { callId, messageId, name, input, presentation, createdAt, steps, currentStep, decision, hooks } = call;
  const common = { callId, messageId, name, input, presentation, createdAt, steps, currentStep, decision };
  return hooks === undefined ? common : { ...common, hooks };
}

type AssistantItem = Extract<ConversationItem, { kind: 'assistant' }>;

function withMessage(
  state: SessionState,
  messageId: string,
  change: (message: AssistantItem) => AssistantItem,
): SessionState {
  const index = state.items.findLastIndex((item) => item.kind === 'assistant' && item.messageId === messageId);
  const message = state.items[index];
  if (message?.kind !== 'assistant') return state;
  return { ...state, items: state.items.with(index, change(message)) };
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
  return content.map((block) => (block.type === 'text' ? block.text : `[image ${block.mediaType}]`)).join('\n');
}
