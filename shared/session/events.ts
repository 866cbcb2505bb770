// All that can happen in a session. Stored events carry a seq and are the truth; live events are only published.
import { z } from 'zod';
import { Decision } from '../permissions/decision';
import { PermissionMode } from '../permissions/modes';
import { RuleSource } from '../permissions/sources';
import { CallPresentation, View } from '../tools/presentation';
import { Ask } from './ask';
import { BackgroundTask } from './backgroundTask';
import { FileChange } from './fileChange';
import { HookRun } from './hookRun';
import { NetworkAsk, NetworkOutcome } from './networkAsk';
import { SessionOrigin } from './sessionOrigin';
import { SubAgent } from './subAgent';
import { FailureKind, PersistedResult, StepName, StepTrace } from './toolCall';

export const Usage = z.strictObject({
  inputTokens: z.number().int().nonnegative(),
  outputTokens: z.number().int().nonnegative(),
  cacheReadTokens: z.number().int().nonnegative(),
  cacheWriteTokens: z.number().int().nonnegative(),
});
export type Usage = z.infer<typeof Usage>;

/** Which model answers. `scripted` marks the rehearsal model, which is not intelligent. */
export const ModelChoice = z.strictObject({ id: z.string(), label: z.string(), scripted: z.boolean() });
export type ModelChoice = z.infer<typeof ModelChoice>;

/** A finished block of an assistant message, in the shape of the Messages API where the API needs it back. */
export const AssistantBlock = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('text'), text: z.string() }),
  z.strictObject({ type: z.literal('thinking'), thinking: z.string(), signature: z.string() }),
  z.strictObject({ type: z.literal('redacted_thinking'), data: z.string() }),
  z.strictObject({ type: z.literal('tool_use'), id: z.string(), name: z.string(), input: z.json() }),
  /** A server tool's call or result, kept as it came: it goes back unchanged and is never answered. */
  z.strictObject({ type: z.literal('server'), block: z.record(z.string(), z.json()) }),
]);
export type AssistantBlock = z.infer<typeof AssistantBlock>;

/** What the model receives for a call. */
export const ResultBlock = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('text'), text: z.string() }),
  z.strictObject({ type: z.literal('image'), mediaType: z.string(), base64: z.string() }),
  /** The model has this tool from here on; before it knew at most its name. */
  z.strictObject({ type: z.literal('tool_reference'), name: z.string() }),
]);
export type ResultBlock = z.infer<typeof ResultBlock>;

export const Todo = z.strictObject({
  content: z.string(),
  status: z.enum(['pending', 'in_progress', 'completed']),
  activeForm: z.string(),
  /** Of an item made by the task tools: its number within the session, details, and the items that come first. */
  taskId: z.string().optional(),
  description: z.string().optional(),
  blockedBy: z.array(z.string()).optional(),
});
export type Todo = z.infer<typeof Todo>;

const callId = z.string();
const messageId = z.string();
/** The sub-agent whose conversation it belongs to; left out: the session's own. */
const agentId = z.string().optional();

export const SessionEventBody = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('session.created'),
    folder: z.string(),
    title: z.string(),
    mode: PermissionMode,
    model: ModelChoice,
    network: z.boolean(),
    origin: SessionOrigin.optional(),
  }),
  z.strictObject({ type: z.literal('session.renamed'), title: z.string() }),
  z.strictObject({
    type: z.literal('session.marked'),
    pinned: z.boolean().optional(),
    archived: z.boolean().optional(),
  }),
  z.strictObject({ type: z.literal('mode.changed'), mode: PermissionMode }),
  z.strictObject({ type: z.literal('model.changed'), model: ModelChoice }),
  z.strictObject({ type: z.literal('network.changed'), network: z.boolean() }),
  z.strictObject({ type: z.literal('message.queued'), messageId, text: z.string() }),
  z.strictObject({ type: z.literal('message.unqueued'), messageId }),
  z.strictObject({ type: z.literal('message.sent'), messageId, text: z.string(), agentId }),
  z.strictObject({ type: z.literal('turn.started'), turnId: z.string(), model: ModelChoice }),
  z.strictObject({ type: z.literal('assistant.started'), messageId, agentId }),
  z.strictObject({
    type: z.literal('assistant.block'),
    messageId,
    index: z.number().int().nonnegative(),
    block: AssistantBlock,
    agentId,
  }),
  z.strictObject({ type: z.literal('assistant.finished'), messageId, stopReason: z.string(), usage: Usage, agentId }),
  z.strictObject({
    type: z.literal('call.created'),
    callId,
    messageId,
    name: z.string(),
    input: z.json(),
    presentation: CallPresentation,
    agentId,
  }),
  z.strictObject({ type: z.literal('call.presented'), callId, presentation: CallPresentation }),
  z.strictObject({ type: z.literal('call.stepStarted'), callId, step: StepName }),
  z.strictObject({ type: z.literal('call.stepEnded'), callId, trace: StepTrace }),
  z.strictObject({ type: z.literal('call.asked'), callId, ask: Ask }),
  z.strictObject({
    type: z.literal('call.answered'),
    callId,
    askId: z.string(),
    by: z.enum(['person', 'rule', 'abort']),
  }),
  z.strictObject({ type: z.literal('call.decided'), callId, decision: Decision }),
  z.strictObject({ type: z.literal('call.started'), callId }),
  z.strictObject({
    type: z.literal('call.finished'),
    callId,
    status: z.enum(['succeeded', 'failed', 'denied', 'interrupted']),
    failure: FailureKind.optional(),
    content: z.array(ResultBlock),
    view: View.nullable(),
    note: z.string(),
    /** Where the whole output lies, when the model got a preview. */
    persisted: PersistedResult.optional(),
    /** A hook put the call off: nothing ran, and it is taken up again before the model is asked anything. */
    deferred: z.literal(true).optional(),
  }),
  /** A deferred call goes through all steps anew; the result it had was never told to the model. */
  z.strictObject({ type: z.literal('call.reopened'), callId }),
  /** A command in the sandbox waits for a person to say whether it may reach a host. */
  z.strictObject({ type: z.literal('network.asked'), ask: NetworkAsk }),
  z.strictObject({ type: z.literal('network.answered'), askId: z.string(), callId, outcome: NetworkOutcome }),
  /** A hook handler ran: for a call (`callId`) or for the session. */
  z.strictObject({ type: z.literal('hook.ran'), callId: callId.optional(), run: HookRun }),
  /** Text for the model that neither the person nor a tool wrote: it follows the results of the message before it. */
  z.strictObject({ type: z.literal('context.added'), from: z.string(), text: z.string(), agentId }),
  /** A background task started, changed its size or ended. */
  z.strictObject({ type: z.literal('task.changed'), task: BackgroundTask }),
  /** Where the next command starts. */
  z.strictObject({ type: z.literal('cwd.changed'), cwd: z.string() }),
  /**
   * The model is told `summary` instead of everything up to and including the event `throughSeq`, which lies between call
   * and result of no pair. The log itself stays whole.
   */
  z.strictObject({
    type: z.literal('conversation.compacted'),
    throughSeq: z.number().int().positive(),
    summary: z.string(),
    trigger: z.enum(['auto', 'manual']),
    tokensBefore: z.number().int().nonnegative(),
    agentId,
  }),
  /** A sub-agent started or ended. */
  z.strictObject({ type: z.literal('agent.changed'), agent: SubAgent }),
  z.strictObject({
    type: z.literal('rule.saved'),
    callId: callId.optional(),
    rules: z.array(z.string()),
    source: RuleSource,
    file: z.string().optional(),
  }),
  /** A tool or a restore changed a file; both sides are kept beside the log. */
  z.strictObject({ type: z.literal('file.changed'), change: FileChange }),
  z.strictObject({ type: z.literal('todos.changed'), todos: z.array(Todo) }),
  z.strictObject({
    type: z.literal('turn.finished'),
    turnId: z.string(),
    /** deferred: a hook put the one call of the last message off. */
    outcome: z.enum(['done', 'stopped', 'failed', 'interrupted', 'deferred']),
  }),
  /** Something people must know. `text` says the fact, `next` the next step. */
  z.strictObject({
    type: z.literal('notice'),
    level: z.enum(['info', 'warning', 'error']),
    text: z.string(),
    next: z.string(),
  }),
]);
export type SessionEventBody = z.infer<typeof SessionEventBody>;

/** A stored event: `seq` counts from 1 without gaps within a session, `at` is epoch milliseconds. */
export const SessionEvent = z.strictObject({
  seq: z.number().int().positive(),
  at: z.number(),
  body: SessionEventBody,
});
export type SessionEvent = z.infer<typeof SessionEvent>;

/** Published while it happens, never stored: losing one loses nothing that the stored events do not bring. */
export const LiveEvent = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('assistant.delta'),
    messageId,
    index: z.number().int().nonnegative(),
    kind: z.enum(['text', 'thinking']),
    text: z.string(),
  }),
  z.strictObject({
    type: z.literal('model.retrying'),
    attempt: z.number().int(),
    ofAttempts: z.number().int(),
    waitMs: z.number(),
    reason: z.string(),
  }),
  /** How far a running background task is; at most once a second. */
  z.strictObject({
    type: z.literal('task.progress'),
    taskId: z.string(),
    /** Characters printed so far. */
    outputChars: z.number().int().nonnegative(),
    /** The last line with something on it, cut. */
    lastLine: z.string(),
  }),
]);
export type LiveEvent = z.infer<typeof LiveEvent>;
