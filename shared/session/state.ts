// What a session looks like now: `reduce` over its events. Used by the core and by the page.
import { z } from 'zod';
import { PermissionMode } from '../permissions/modes';
import { BackgroundTask } from './backgroundTask';
import { Spent } from './cost';
import { AssistantBlock, ModelChoice, Todo, Usage } from './events';
import { NetworkAsk } from './networkAsk';
import { SubAgent } from './subAgent';
import { ToolCall } from './toolCall';

export const ConversationItem = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('user'), messageId: z.string(), text: z.string(), at: z.number() }),
  z.strictObject({
    kind: z.literal('assistant'),
    messageId: z.string(),
    at: z.number(),
    blocks: z.array(AssistantBlock),
    /** null while the message streams. */
    stopReason: z.string().nullable(),
  }),
  z.strictObject({
    kind: z.literal('notice'),
    at: z.number(),
    level: z.enum(['info', 'warning', 'error']),
    text: z.string(),
    next: z.string(),
  }),
  /** From here on the model knows what came before by this summary alone. */
  z.strictObject({ kind: z.literal('compaction'), at: z.number(), summary: z.string() }),
]);
export type ConversationItem = z.infer<typeof ConversationItem>;

/** What the models of a session used, in all and by turn. */
export const Meter = z.strictObject({
  byModel: Spent,
  /** The part of it that sub-agents used. */
  agents: Usage,
  /** Id of the model that the present or last turn asks. */
  model: z.string(),
  /** The last request of the session's own conversation: how full the model's window is. Null: none, or compacted since. */
  last: Usage.nullable(),
  /** The newest turns, the latest last. */
  turns: z.array(z.strictObject({ turnId: z.string(), startedAt: z.number(), byModel: Spent, agents: Usage })),
});
export type Meter = z.infer<typeof Meter>;

/** Turns that a meter keeps apart. */
export const meteredTurns = 20;

export const noUsage: Usage = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 };

export const SessionState = z.strictObject({
  seq: z.number().int().nonnegative(),
  folder: z.string(),
  /** Where the next command starts: `folder` unless a command changed it. */
  cwd: z.string(),
  title: z.string(),
  mode: PermissionMode,
  model: ModelChoice,
  /** True when commands of this session may reach the network from inside the sandbox. */
  network: z.boolean(),
  createdAt: z.number(),
  updatedAt: z.number(),
  turn: z.strictObject({ turnId: z.string(), startedAt: z.number() }).nullable(),
  /** The conversation from `firstItem` on: all of it, or a page's newest part. */
  items: z.array(ConversationItem),
  /** Items and messages of the person that came before `items`; 0 in a whole state. */
  firstItem: z.number().int().nonnegative(),
  turnsBefore: z.number().int().nonnegative(),
  /** Calls made in the whole session. */
  callsMade: z.number().int().nonnegative(),
  /** All calls, or where `items` is a part: those of its messages and those that have not ended. */
  calls: z.record(z.string(), ToolCall),
  /** Hosts that wait for a person's word, oldest first. Their commands may be background tasks of calls that have ended. */
  networkAsks: z.array(z.strictObject({ ask: NetworkAsk, askedAt: z.number() })),
  queue: z.array(z.strictObject({ messageId: z.string(), text: z.string() })),
  todos: z.array(Todo),
  /** By task id, oldest first. */
  tasks: z.record(z.string(), BackgroundTask),
  /** Sub-agents by id, oldest first. Their calls are among `calls`, their messages are not among `items`. */
  agents: z.record(z.string(), SubAgent),
  usage: Usage,
  meter: Meter,
});
export type SessionState = z.infer<typeof SessionState>;

/** idle · running · waiting: a person has to answer. */
export const SessionActivity = z.enum(['idle', 'running', 'waiting']);
export type SessionActivity = z.infer<typeof SessionActivity>;

/** The state before `session.created`. */
export function emptyState(): SessionState {
  return {
    seq: 0,
    folder: '',
    cwd: '',
    title: '',
    mode: 'default',
    model: { id: '', label: '', scripted: true },
    network: false,
    createdAt: 0,
    updatedAt: 0,
    turn: null,
    items: [],
    firstItem: 0,
    turnsBefore: 0,
    callsMade: 0,
    calls: {},
    networkAsks: [],
    queue: [],
    todos: [],
    tasks: {},
    agents: {},
    usage: noUsage,
    meter: { byModel: {}, agents: noUsage, model: '', last: null, turns: [] },
  };
}

/** Calls that wait for a person, oldest first. */
export function waitingCalls(state: SessionState): Extract<ToolCall, { status: 'asking' }>[] {
  return Object.values(state.calls)
    .filter((call) => call.status === 'asking')
    .sort((a, b) => a.askedAt - b.askedAt);
}

/** What the session is doing. */
export function activityOf(state: SessionState): SessionActivity {
  if (waitingCalls(state).length > 0 || state.networkAsks.length > 0) return 'waiting';
  return state.turn === null ? 'idle' : 'running';
}
