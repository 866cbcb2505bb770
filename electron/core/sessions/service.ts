// Sessions in memory: every change is appended to the log, reduced, and published, in this order.
import type { SessionSummary } from '#shared/api/sessions';
import type { PermissionMode } from '#shared/permissions/modes';
import type { Unsubscribe } from '#shared/rpc/transport';
import type { LiveEvent, ModelChoice, SessionEvent, SessionEventBody } from '#shared/session/events';
import { copyOfState, reduceInto } from '#shared/session/reduce';
import { emptyState, type SessionActivity, type SessionState } from '#shared/session/state';
import type { ToolCall } from '#shared/session/toolCall';
import { Conversation } from '../agent/conversation';
import { newId } from '../ids';
import { LiveText } from './liveText';
import { headEveryEvents, headOf, headVersion, readNewest } from './sessionHead';
import type { SessionStore } from './store';

interface OpenSession {
  /** Changed in place, so that an event costs the same however long the session is. */
  readonly state: SessionState;
  /** Calls that wait for a person. */
  waiting: number;
  readonly conversation: Conversation;
  /** Conversations of sub-agents that have not ended. */
  readonly agents: Map<string, Conversation>;
  readonly live: LiveText;
  /** The event at which its head was last kept; 0: not known. */
  headAt: number;
}

/** How long the log of a session is read before others have their turn, in milliseconds. */
const sliceMs = 8;

/** A session as its turns and calls see it: what they read of it, and where they write. */
export interface SessionLog {
  append(sessionId: string, body: SessionEventBody): void;
  state(sessionId: string): SessionState;
  conversation(sessionId: string): Conversation;
  liveText(sessionId: string): LiveEvent[];
  publish(sessionId: string, event: LiveEvent): void;
  exists(sessionId: string): boolean;
}

/** How a session begins. */
export interface Beginning {
  readonly folder: string;
  readonly title: string;
  readonly mode: PermissionMode;
  readonly model: ModelChoice;
}

export interface SessionListener {
  onEvent(sessionId: string, event: SessionEvent): void;
  onLive(sessionId: string, event: LiveEvent): void;
  /** Title, activity or existence of some session changed. */
  onListChange(): void;
}

export class SessionService {
  private readonly open = new Map<string, OpenSession>();
  private readonly loading = new Map<string, Promise<void>>();
  private readonly listeners = new Set<SessionListener>();

  constructor(
    private readonly store: SessionStore,
    private readonly now: () => number,
  ) {}

  listen(listener: SessionListener): Unsubscribe {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  list(): SessionSummary[] {
    return this.store.list().map(({ running: _, ...session }) => ({
      ...session,
      activity: this.activity(session.sessionId),
    }));
  }

  create(session: Beginning): string {
    const sessionId = newId('s');
    this.store.create({ sessionId, title: session.title, folder: session.folder, at: this.now() });
    this.append(sessionId, { type: 'session.created', ...session, network: false });
    return sessionId;
  }

  exists(sessionId: string): boolean {
    return this.open.has(sessionId) || this.store.find(sessionId) !== undefined;
  }

  /** Whether the session is in memory. If not, whatever reads it holds everything up until its whole log is read. */
  isLoaded(sessionId: string): boolean {
    return this.open.has(sessionId);
  }

  /** Reads a session into memory without holding up what else goes on. */
  load(sessionId: string): Promise<void> {
    if (this.open.has(sessionId)) return Promise.resolve();
    const known = this.loading.get(sessionId);
    if (known !== undefined) return known;
    const loading = this.loadInSlices(sessionId).finally(() => this.loading.delete(sessionId));
    this.loading.set(sessionId, loading);
    return loading;
  }

  /** The newest items of a session that is not in memory; null when only the whole log tells them. */
  newestStored(sessionId: string, count: number): SessionState | null {
    return readNewest(this.store, sessionId, count);
  }

  /** The present state. It changes with every event; take a `snapshot` to keep it. */
  state(sessionId: string): SessionState {
    return this.session(sessionId).state;
  }

  /** The state as it is now, for good. */
  snapshot(sessionId: string): SessionState {
    return copyOfState(this.session(sessionId).state);
  }

  /** What the model is told of the session so far; with `agentId`, of what that running sub-agent has done. */
  conversation(sessionId: string, agentId?: string): Conversation {
    const session = this.session(sessionId);
    return agentId === undefined ? session.conversation : agentConversation(session, agentId);
  }

  /** Streaming text that has no stored block yet. */
  liveText(sessionId: string): LiveEvent[] {
    return this.session(sessionId).live.events();
  }

  eventsSince(sessionId: string, since: number): SessionEvent[] {
    return this.store.events(sessionId, since);
  }

  /** Stores, reduces, publishes. Throws when the store cannot write; then nothing has changed. */
  append(sessionId: string, body: SessionEventBody): SessionEvent {
    const session = this.session(sessionId);
    const event: SessionEvent = { seq: session.state.seq + 1, at: this.now(), body };
    this.store.append(sessionId, event);
    const { title } = session.state;
    const activity = activityIn(session);
    this.apply(session, event);
    if (body.type === 'turn.finished' || event.seq - session.headAt >= headEveryEvents)
      this.keepHead(sessionId, session);
    for (const listener of this.listeners) listener.onEvent(sessionId, event);
    const listed = activity !== activityIn(session) || title !== session.state.title;
    if (listed || body.type === 'session.created' || body.type === 'session.marked') this.announceList();
    return event;
  }

  /** Publishes what is not stored. */
  publish(sessionId: string, event: LiveEvent): void {
    this.session(sessionId).live.add(event);
    for (const listener of this.listeners) listener.onLive(sessionId, event);
  }

  /** Hides a session from everybody; it can be brought back for some days. */
  delete(sessionId: string): void {
    this.store.delete(sessionId, this.now());
    this.open.delete(sessionId);
    this.announceList();
  }

  /** Brings a deleted session back, or shows one that was made hidden. False: it is gone for good. */
  undelete(sessionId: string): boolean {
    const isThere = this.store.undelete(sessionId);
    if (isThere) this.announceList();
    return isThere;
  }

  /** Takes over what another process has written to a session since it was loaded. */
  catchUp(sessionId: string): void {
    const session = this.session(sessionId);
    for (const event of this.store.events(sessionId, session.state.seq)) {
      this.apply(session, event);
      for (const listener of this.listeners) listener.onEvent(sessionId, event);
    }
  }

  /**
   * Ends what a crash left unfinished: each open call gets an "interrupted" result, each running turn an end.
   * Called before anything else runs in these sessions: in all that `mayRepair`.
   */
  repairInterrupted(mayRepair: (sessionId: string) => boolean = () => true): void {
    for (const { sessionId, running } of this.store.list()) {
      if (running && mayRepair(sessionId)) this.repair(sessionId, 'Gatehouse ended in the middle of this turn.');
    }
  }

  /**
   * Ends what sub-agents of an earlier run of the program have left unfinished: those that `runs` does not know. Their
   * session's own turn may have ended before.
   */
  repairAgents(sessionId: string, runs: (agentId: string) => boolean): void {
    const state = this.state(sessionId);
    const lost = Object.values(state.agents).filter(({ agentId, status }) => status === 'running' && !runs(agentId));
    for (const agent of lost) {
      this.endCalls(sessionId, { which: (call) => call.agentId === agent.agentId });
      const note = 'ended with Gatehouse, which was closed or broke off while it ran';
      this.append(sessionId, {
        type: 'agent.changed',
        agent: { ...agent, status: 'stopped', endedAt: this.now(), note },
      });
    }
  }

  /** Ends what is unfinished in a session in which nothing runs any more. `fact` tells people what happened. */
  repair(sessionId: string, fact: string): void {
    this.repairAgents(sessionId, () => false);
    this.endCalls(sessionId, { which: () => true });
    const turnId = this.state(sessionId).turn?.turnId ?? 'unknown';
    this.append(sessionId, { type: 'turn.finished', turnId, outcome: 'interrupted' });
    const next = 'Unfinished calls are marked as interrupted. Send a message to go on.';
    this.append(sessionId, { type: 'notice', level: 'warning', text: fact, next });
  }

  /**
   * Ends calls of the session itself whose own end could not be written, for example because the disk was full for a moment.
   * Called when its turn is over: then nothing of it runs any more.
   */
  endLostCalls(sessionId: string): void {
    this.endCalls(sessionId, { which: (call) => call.agentId === undefined, lost: true });
  }

  private endCalls(
    sessionId: string,
    { which, lost = false }: { readonly which: (call: ToolCall) => boolean; readonly lost?: boolean },
  ): void {
    for (const call of Object.values(this.state(sessionId).calls)) {
      if (call.status !== 'checking' && call.status !== 'asking' && call.status !== 'running') continue;
      if (!which(call)) continue;
      this.append(sessionId, {
        type: 'call.finished',
        callId: call.callId,
        status: 'interrupted',
        content: [{ type: 'text', text: lost ? resultLost : interruptedByRestart(call.status === 'running') }],
        view: null,
        note: lost ? 'its result could not be written down' : 'interrupted: Gatehouse ended while this ran',
      });
    }
  }

  private activity(sessionId: string): SessionActivity {
    const session = this.open.get(sessionId);
    return session === undefined ? 'idle' : activityIn(session);
  }

  private announceList(): void {
    for (const listener of this.listeners) listener.onListChange();
  }

  private session(sessionId: string): OpenSession {
    const known = this.open.get(sessionId);
    if (known !== undefined) return known;
    const session = emptySession();
    for (const event of this.store.events(sessionId, 0)) this.apply(session, event);
    // To have been asked about makes no session.
    if (this.store.find(sessionId) !== undefined) this.takeIn(sessionId, session);
    return session;
  }

  private async loadInSlices(sessionId: string): Promise<void> {
    const session = emptySession();
    for (let through = 0; ; ) {
      const end = performance.now() + sliceMs;
      const read = this.store.eventsWhile({ sessionId, since: through }, () => performance.now() < end);
      for (const event of read.events) this.apply(session, event);
      // Somebody could not wait and has read all of it.
      if (this.open.has(sessionId)) return;
      if (read.through === through) break;
      through = read.through;
      await new Promise<void>((resolve) => setImmediate(resolve));
    }
    if (this.store.find(sessionId) !== undefined) this.takeIn(sessionId, session);
  }

  private takeIn(sessionId: string, session: OpenSession): void {
    // Rows that no longer load keep their numbers: a new event must not take one of them.
    session.state.seq = Math.max(session.state.seq, this.store.lastSeq(sessionId));
    this.open.set(sessionId, session);
    const kept = this.store.head(sessionId);
    session.headAt = kept?.version === headVersion ? kept.seq : 0;
    if (session.state.seq - session.headAt >= headEveryEvents) this.keepHead(sessionId, session);
  }

  /** Losing a head loses nothing but time. */
  private keepHead(sessionId: string, session: OpenSession): void {
    const { state } = session;
    session.headAt = state.seq;
    try {
      this.store.keepHead(sessionId, { seq: state.seq, version: headVersion, state: headOf(state) });
    } catch (error) {
      if (!isStorageError(error)) throw error;
    }
  }

  private apply(session: OpenSession, event: SessionEvent): void {
    const { state } = session;
    const callId = 'callId' in event.body ? event.body.callId : undefined;
    const isWaiting = (): number => (callId !== undefined && state.calls[callId]?.status === 'asking' ? 1 : 0);
    const before = isWaiting();
    reduceInto(state, event);
    session.waiting += isWaiting() - before;
    conversationOf(session, event.body).apply(event);
    if (event.body.type === 'agent.changed' && event.body.agent.status !== 'running')
      session.agents.delete(event.body.agent.agentId);
    session.live.settle(event.body);
  }
}

function emptySession(): OpenSession {
  return {
    state: emptyState(),
    waiting: 0,
    conversation: new Conversation(),
    agents: new Map(),
    live: new LiveText(),
    headAt: 0,
  };
}

function isStorageError(error: unknown): boolean {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('SQLITE_');
}

/** The conversation that an event belongs to. */
function conversationOf(session: OpenSession, body: SessionEventBody): Conversation {
  const call = 'callId' in body && body.callId !== undefined ? session.state.calls[body.callId] : undefined;
  const agentId = 'agentId' in body ? body.agentId : call?.agentId;
  return agentId === undefined ? session.conversation : agentConversation(session, agentId);
}

function agentConversation(session: OpenSession, agentId: string): Conversation {
  const known = session.agents.get(agentId) ?? new Conversation();
  session.agents.set(agentId, known);
  return known;
}

/** What the session is doing. */
function activityIn({ waiting, state }: OpenSession): SessionActivity {
  if (waiting > 0 || state.networkAsks.length > 0) return 'waiting';
  return state.turn === null ? 'idle' : 'running';
}

const resultLost =
  'Interrupted: how this call ended could not be written down, perhaps because the disk was full. It may have had its whole effect; check before repeating it.';

function interruptedByRestart(ran: boolean): string {
  return ran
    ? 'Interrupted: the program ended while this call ran. Part of its effect may have happened; check before repeating it.'
    : 'Interrupted: the program ended before this call ran. Nothing was done.';
}
