// The active session as the page sees it: the shared reducer over the core's events, and what a person can do.
import { create } from 'zustand';
import type { AppContract } from '#shared/api/app';
import type { PermissionMode } from '#shared/permissions/modes';
import type { SavableSource } from '#shared/permissions/sources';
import type { Answer } from '#shared/rpc/contract';
import { RpcError } from '#shared/rpc/errors';
import type { LiveEvent, ModelChoice } from '#shared/session/events';
import { emptyState, type SessionState } from '#shared/session/state';
import { host } from '../host/client';
import { loadDrafts, saveDrafts } from './drafts';
import type { LiveText } from './liveText';
import { type ItemActions, itemActions } from './sessionItems';
import type { PastItems } from './shownItems';
import { reportFailure } from './toasts';

export type RulePreview = Answer<AppContract, 'sessions.previewRule'>;

/** The model is being asked again after a failure; `until` is epoch milliseconds. */
export interface Retrying {
  readonly attempt: number;
  readonly ofAttempts: number;
  readonly reason: string;
  readonly until: number;
}

export type TaskProgress = Extract<LiveEvent, { type: 'task.progress' }>;

interface SessionFacts {
  readonly sessionId: string | null;
  /** One of Claude Code's transcripts that is read in place of a session; then there is no session id. */
  readonly transcriptId: string | null;
  /** `failed`: it could not be opened, `problem` says why. */
  readonly status: 'none' | 'loading' | 'ready' | 'failed';
  readonly problem: string;
  /**
   * `emptyState()` until `ready`. Of a long session it holds the newest items and the calls that belong to them, most of
   * them light; `ensureItem` and `ensureCall` bring what is missing.
   */
  readonly state: SessionState;
  /** Earlier items that are shown in place of the newest ones. Their calls are in `state`. */
  readonly past: PastItems | null;
  /** Whether the conversation is followed at its end: only then may what is long ago go. */
  readonly atEnd: boolean;
  readonly live: LiveText;
  readonly retrying: Retrying | null;
  /** How far running background tasks are, by task id; absent until one has printed something. */
  readonly taskProgress: Readonly<Record<string, TaskProgress>>;
  /** Unsent text by session id; survives switching and reloading. */
  readonly drafts: Readonly<Record<string, string>>;
}

interface SessionActions {
  setDraft(sessionId: string, text: string): void;
  /** Sends (or queues while a turn runs). False when it was not accepted; the text should then be kept. */
  send(text: string): Promise<boolean>;
  unqueue(messageId: string): Promise<boolean>;
  stop(): Promise<boolean>;
  stopTask(taskId: string): Promise<boolean>;
  /** What saving rules for an ask would do. Rejects with RpcError. */
  previewRule(request: { askId: string; rules: string[]; source: SavableSource }): Promise<RulePreview>;
  setMode(mode: PermissionMode): Promise<boolean>;
  setModel(model: ModelChoice): Promise<boolean>;
  setNetwork(network: boolean): Promise<boolean>;
}

export type SessionStore = SessionFacts & SessionActions & ItemActions;

/** What the store holds while no session is open. */
export function noSession(): Omit<SessionFacts, 'drafts'> {
  const nothing = { live: {}, retrying: null, taskProgress: {} };
  const none = { sessionId: null, transcriptId: null };
  return { ...none, status: 'none', problem: '', state: emptyState(), past: null, atEnd: true, ...nothing };
}

export const useSession = create<SessionStore>()((set, get) => {
  /** Runs an action on the open session; a failure becomes a toast. */
  async function act(failure: string, action: (sessionId: string) => Promise<unknown>): Promise<boolean> {
    const { sessionId } = get();
    if (sessionId === null) return false;
    try {
      await action(sessionId);
      return true;
    } catch (error) {
      reportFailure(failure, error);
      return false;
    }
  }

  return {
    ...noSession(),
    ...itemActions(get, set),
    drafts: loadDrafts(),
    setDraft(sessionId, text) {
      const drafts = { ...get().drafts, [sessionId]: text };
      set({ drafts });
      saveDrafts(drafts);
    },
    send: (text) => act('The message was not sent.', (sessionId) => host().call('sessions.send', { sessionId, text })),
    unqueue: (messageId) =>
      act('The message stays in the queue.', (sessionId) => host().call('sessions.unqueue', { sessionId, messageId })),
    stop: () => act('The turn was not stopped.', (sessionId) => host().call('sessions.stop', { sessionId })),
    stopTask: (taskId) =>
      act('The background task was not stopped.', (sessionId) => host().call('tasks.stop', { sessionId, taskId })),
    previewRule({ askId, rules, source }) {
      const { sessionId } = get();
      if (sessionId === null) return Promise.reject(new RpcError('notFound', 'No session is open.'));
      return host().call('sessions.previewRule', { sessionId, askId, rules, source });
    },
    setMode: (mode) =>
      act('The mode was not changed.', (sessionId) => host().call('sessions.setMode', { sessionId, mode })),
    setModel: (model) =>
      act('The model was not changed.', (sessionId) => host().call('sessions.setModel', { sessionId, model })),
    setNetwork: (network) =>
      act('Network access was not changed.', (sessionId) => host().call('sessions.setNetwork', { sessionId, network })),
  };
});
