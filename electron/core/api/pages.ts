// The pages that look on: which sessions each of them follows, and what it is told when something changes.
import { type AppContract, appContract } from '#shared/api/app';
import type { HistoryState } from '#shared/api/history';
import type { Handlers } from '#shared/rpc/contract';
import { serve } from '#shared/rpc/peer';
import type { Transport } from '#shared/rpc/transport';
import type { PermissionEngine } from '../permissions/engine';
import type { SessionService } from '../sessions/service';
import { attentionOf } from './attention';
import { Connection, type Emit } from './connection';
import { leaveForbiddenMode } from './forbiddenMode';
import { outcomeOf } from './outcomeEvents';

/** Calls that show a session before all of it is read, or have no need of it. */
const withoutSession: ReadonlySet<string> = new Set([
  'sessions.subscribe',
  'sessions.unsubscribe',
  'sessions.ackOutput',
  'sessions.detachOutput',
  'trace.rows',
  'trace.call',
  'trace.totals',
  'trace.export',
]);

function sessionIn(params: unknown): string | null {
  if (typeof params !== 'object' || params === null || !('sessionId' in params)) return null;
  return typeof params.sessionId === 'string' ? params.sessionId : null;
}

export class Pages {
  private readonly connections = new Set<Connection>();

  constructor(private readonly about: { readonly sessions: SessionService; readonly engine: PermissionEngine }) {
    const { sessions, engine } = about;
    sessions.listen({
      onEvent: (sessionId, event) => {
        for (const page of this.of(sessionId)) {
          const told = page.sessions.get(sessionId) === 'all' ? event : outcomeOf(event);
          if (told !== null) page.emit('session.event', { sessionId, event: told });
        }
        const attention = attentionOf(event, sessions.state(sessionId));
        if (attention !== null) this.everywhere('session.attention', { sessionId, ...attention });
        // Later, because leaving a mode is an event of its own.
        if (event.body.type === 'model.changed') queueMicrotask(() => this.announceModes(sessionId));
      },
      onLive: (sessionId, event) => {
        for (const page of this.of(sessionId))
          if (page.sessions.get(sessionId) === 'all') page.emit('session.live', { sessionId, event });
      },
      onListChange: () => this.everywhere('sessions.changed', { sessions: sessions.list() }),
    });
    engine.onChange((sessionId) => this.announceRules(sessionId));
  }

  get count(): number {
    return this.connections.size;
  }

  /** Tells every page. */
  readonly everywhere: Emit = (name, payload) => {
    for (const connection of this.connections) connection.emit(name, payload);
  };

  /** Tells the pages that asked for past calls. */
  announceHistory(state: HistoryState): void {
    for (const connection of this.connections) if (connection.followsHistory) connection.emit('history.state', state);
  }

  /** Key, address and model decide about modes, too: sessions that somebody follows leave those they may not be in. */
  announceAllModes(): void {
    for (const sessionId of new Set([...this.connections].flatMap((page) => [...page.sessions.keys()])))
      this.announceModes(sessionId);
  }

  /** Serves one page until its transport closes. */
  accept(
    transport: Transport,
    served: {
      readonly handlers: Handlers<AppContract, { readonly connection: Connection }>;
      readonly onBug: (method: string, error: unknown) => void;
    },
  ): void {
    const connection = new Connection((name, payload) => server.emit(name, payload));
    const ready = (method: string, params: unknown) => this.ready(method, params);
    const server = serve({ contract: appContract, transport, context: { connection }, ready, ...served });
    this.connections.add(connection);
    transport.onClose(() => {
      this.connections.delete(connection);
      connection.dispose();
    });
  }

  /** A session is read before anything is done with it, piece by piece: at once, it would hold up all others. */
  private ready(method: string, params: unknown): Promise<void> | null {
    if (withoutSession.has(method)) return null;
    const sessionId = sessionIn(params);
    const { sessions } = this.about;
    return sessionId === null || sessions.isLoaded(sessionId) || !sessions.exists(sessionId)
      ? null
      : sessions.load(sessionId);
  }

  private of(sessionId: string): Connection[] {
    return [...this.connections].filter((connection) => connection.sessions.has(sessionId));
  }

  private announceRules(sessionId: string): void {
    const view = this.about.engine.view(sessionId);
    for (const page of this.of(sessionId)) page.emit('permissions.changed', { sessionId, view });
  }

  private announceModes(sessionId: string): void {
    if (!this.about.sessions.exists(sessionId)) return;
    leaveForbiddenMode(this.about, sessionId);
    this.announceRules(sessionId);
  }
}
