import { z } from 'zod';
import { PermissionMode } from '../permissions/modes';
import { call } from '../rpc/contract';
import { AskAnswer } from '../session/ask';
import { LiveEvent, ModelChoice, SessionEvent } from '../session/events';
import { FoundPlaces, SoughtText } from '../session/findPlaces';
import { SessionOrigin } from '../session/sessionOrigin';
import { SessionActivity, SessionState } from '../session/state';
import { ToolCall } from '../session/toolCall';
import { ItemWindow, WindowPlace } from '../session/window';
import { ConversationRef } from './search';
import { Exported } from './trace';

const sessionId = z.string().min(1).max(100);
const nothing = z.strictObject({});

/** An exported conversation's form. */
const ExportFormat = z.enum(['markdown', 'json', 'html']);

export const SessionSummary = z.strictObject({
  sessionId,
  title: z.string(),
  folder: z.string(),
  createdAt: z.number(),
  updatedAt: z.number(),
  activity: SessionActivity,
  pinned: z.boolean(),
  archived: z.boolean(),
  /** Where it began, if not empty: at a message of another session, or with a transcript of Claude Code. */
  origin: SessionOrigin.nullable(),
});
export type SessionSummary = z.infer<typeof SessionSummary>;

export const sessionCalls = {
  /** All sessions, last changed first. */
  'sessions.list': call(nothing, z.strictObject({ sessions: z.array(SessionSummary) })),
  /** Opens a new session on a folder. `notFound` / `refused` when the folder cannot be used. */
  'sessions.create': call(
    z.strictObject({ folder: z.string().min(1), mode: PermissionMode.optional() }),
    z.strictObject({ sessionId }),
  ),
  'sessions.rename': call(z.strictObject({ sessionId, title: z.string().trim().min(1).max(200) }), nothing),
  /** Takes a session out of the list; it is deleted for good some days later. `conflict` while it runs. */
  'sessions.delete': call(z.strictObject({ sessionId }), nothing),
  /** Brings a deleted session back. `notFound` once it is gone for good. */
  'sessions.undelete': call(z.strictObject({ sessionId }), nothing),
  'sessions.mark': call(
    z.strictObject({ sessionId, pinned: z.boolean().optional(), archived: z.boolean().optional() }),
    nothing,
  ),
  /**
   * A new session that begins with a copy of all up to a message. One of the person's is not in it, but given back as `text`
   * for changing and sending anew; one of the model is in it with the results of its calls, and `text` is empty.
   */
  'sessions.branch': call(
    z.strictObject({ sessionId, messageId: z.string() }),
    z.strictObject({ sessionId, text: z.string() }),
  ),
  /** Where a text stands in the whole conversation, also in parts that the page does not hold; in its order. */
  'sessions.find': call(SoughtText.extend({ sessionId }), FoundPlaces),
  /** A conversation to take along. HTML is one file without scripts. `refused`: too large, with what to do. */
  'sessions.export': call(z.strictObject({ in: ConversationRef, format: ExportFormat, redact: z.boolean() }), Exported),
  /**
   * Starts `session.event` and `session.live` for this connection and answers with all there is: the events after
   * `since`, or a whole state where `since` is absent or too old. No event is lost between answer and first event.
   * `detail` outcome: only the events that say what comes of a turn, neither the steps of its calls nor text as it streams;
   * ends and decisions of calls come without contents.
   * `items`: a whole state is answered with so many of its newest items only, and with light calls: of these items and all
   * that have not ended. Events go on from there as ever; `sessions.items` brings what came before.
   */
  'sessions.subscribe': call(
    z.strictObject({
      sessionId,
      since: z.number().int().nonnegative().optional(),
      detail: z.enum(['all', 'outcome']).default('all'),
      items: z.number().int().min(1).max(500).optional(),
    }),
    z.discriminatedUnion('kind', [
      z.strictObject({ kind: z.literal('snapshot'), state: SessionState, live: z.array(LiveEvent) }),
      z.strictObject({ kind: z.literal('events'), events: z.array(SessionEvent), live: z.array(LiveEvent) }),
    ]),
  ),
  'sessions.unsubscribe': call(z.strictObject({ sessionId }), nothing),
  /** A part of a conversation as it is now, with light calls. `notFound`: no such message or call. */
  'sessions.items': call(
    z.strictObject({ sessionId, at: WindowPlace, count: z.number().int().min(1).max(500) }),
    ItemWindow,
  ),
  /** One call with all its contents. `notFound`: the session has no such call. */
  'sessions.call': call(
    z.strictObject({ sessionId, callId: z.string().min(1).max(200) }),
    z.strictObject({ call: ToolCall }),
  ),
  /** Sends a message; while a turn runs it is queued and sent when the turn ends. */
  'sessions.send': call(
    z.strictObject({ sessionId, text: z.string().trim().min(1).max(200_000) }),
    z.strictObject({ messageId: z.string(), queued: z.boolean() }),
  ),
  'sessions.unqueue': call(z.strictObject({ sessionId, messageId: z.string() }), nothing),
  /** Stops the running turn; every unfinished call gets an "interrupted" result. Harmless when idle. */
  'sessions.stop': call(z.strictObject({ sessionId }), nothing),
  /** Ends a background task with all it started; answers when nothing of it is alive. `notFound`: no such task. */
  'tasks.stop': call(z.strictObject({ sessionId, taskId: z.string().min(1).max(20) }), nothing),
  /**
   * Goes on with the call that a hook put off at the end of the last turn, without a message. `taken` false: there is none.
   * `conflict` while a turn runs.
   */
  'sessions.takeUp': call(z.strictObject({ sessionId }), z.strictObject({ taken: z.boolean() })),
  /**
   * Sums up the older part of the conversation for the model, as a turn of its own; the session keeps everything. `conflict`
   * while a turn runs. How it went is told in the session.
   */
  'sessions.compact': call(z.strictObject({ sessionId }), nothing),
  /**
   * Answers one ask by its id. `conflict` when it has been answered or withdrawn. `settled` names the other waiting
   * calls that the saved rules answered too; `step` is what `rules.undo` takes back.
   */
  'sessions.answer': call(
    z.strictObject({ sessionId, askId: z.string(), answer: AskAnswer }),
    z.strictObject({
      saved: z
        .strictObject({
          rules: z.array(z.string()),
          where: z.string(),
          step: z.string(),
          settled: z.array(z.string()),
        })
        .nullable(),
    }),
  ),
  /**
   * What saving these rules would do: whether each is well formed, whether the waiting call would then run, and the
   * change to the file as text lines.
   */
  'sessions.previewRule': call(
    z.strictObject({
      sessionId,
      askId: z.string(),
      rules: z.array(z.string()).min(1).max(5),
      source: z.enum(['session', 'localSettings', 'projectSettings', 'userSettings']),
    }),
    z.strictObject({
      problems: z.array(z.string()),
      wouldRun: z.boolean(),
      /** Why it would still not run; empty when it would. */
      stillBecause: z.string(),
      file: z.string().nullable(),
      addedLines: z.array(z.strictObject({ line: z.number().int().positive(), text: z.string() })),
    }),
  ),
  'sessions.setMode': call(z.strictObject({ sessionId, mode: PermissionMode }), nothing),
  'sessions.setModel': call(z.strictObject({ sessionId, model: ModelChoice }), nothing),
  'sessions.setNetwork': call(z.strictObject({ sessionId, network: z.boolean() }), nothing),
  /**
   * Starts `output.data` for a running call and answers with the current tail. `from` counts the characters before
   * the tail. The viewer must acknowledge what it has drawn.
   */
  'sessions.attachOutput': call(
    z.strictObject({ sessionId, callId: z.string() }),
    z.strictObject({ from: z.number().int().nonnegative(), tail: z.string(), ended: z.boolean() }),
  ),
  'sessions.ackOutput': call(
    z.strictObject({ sessionId, callId: z.string(), upTo: z.number().int().nonnegative() }),
    nothing,
  ),
  'sessions.detachOutput': call(z.strictObject({ sessionId, callId: z.string() }), nothing),
};

export const sessionEvents = {
  'sessions.changed': z.strictObject({ sessions: z.array(SessionSummary) }),
  'session.event': z.strictObject({ sessionId, event: SessionEvent }),
  /** A session waits for the person, has come to an end or failed; told to every page, so that it can call for attention. */
  'session.attention': z.strictObject({
    sessionId,
    kind: z.enum(['waiting', 'ended', 'failed']),
    title: z.string().max(200),
    message: z.string().max(400),
  }),
  /** The model calls for attention; told to every page, whatever it has subscribed to. */
  'session.notification': z.strictObject({ sessionId, title: z.string().max(200), message: z.string().max(400) }),
  'session.live': z.strictObject({ sessionId, event: LiveEvent }),
  /** `from` is the offset in characters of `text` in the whole output; a gap means the viewer fell behind and must reset. */
  'output.data': z.strictObject({
    sessionId,
    callId: z.string(),
    from: z.number().int().nonnegative(),
    text: z.string(),
  }),
};
