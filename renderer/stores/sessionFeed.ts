// Feeds the session store: subscribes to the active session, applies its events in order, closes gaps, and takes up
// the thread again after a lost connection.
import type { AppContract } from '#shared/api/app';
import type { Answer } from '#shared/rpc/contract';
import type { LiveEvent, SessionEvent, SessionEventBody } from '#shared/session/events';
import { reduce } from '#shared/session/reduce';
import type { SessionState } from '#shared/session/state';
import { host } from '../host/client';
import { useApp } from './app';
import { addDeltas, dropBlock, dropMessage, type LiveDelta, type LiveText } from './liveText';
import { noSession, type Retrying, useSession } from './session';
import { rangeOf } from './sessionItems';
import { bounded, itemsAtOnce, type PastItems, withWindow } from './shownItems';
import { messageOf } from './toasts';

/** Streamed text is drawn at most this often; faster is not readable and costs a render each. */
const drawEveryMs = 40;

type Incoming =
  | { readonly kind: 'event'; readonly event: SessionEvent }
  | { readonly kind: 'live'; readonly event: LiveEvent };
type Subscribed = Answer<AppContract, 'sessions.subscribe'>;

export class SessionFeed {
  private readonly stops: (() => void)[];
  /** What arrives between the request to subscribe and its answer, which does not contain it for certain. */
  private early: Incoming[] | null = null;
  private deltas: LiveDelta[] = [];
  private drawTimer: ReturnType<typeof setTimeout> | undefined;
  /** Counts subscriptions, so that the answer to an outdated one is ignored. */
  private round = 0;

  constructor() {
    const link = host();
    this.stops = [
      link.on('session.event', ({ sessionId, event }) => this.receive(sessionId, { kind: 'event', event })),
      link.on('session.live', ({ sessionId, event }) => this.receive(sessionId, { kind: 'live', event })),
      link.onState((state) => {
        if (state.status === 'open') void this.subscribe();
        else this.round += 1;
      }),
      useApp.subscribe(({ activeSessionId }) => {
        if (activeSessionId !== useSession.getState().sessionId) this.change(activeSessionId);
      }),
    ];
  }

  dispose(): void {
    clearTimeout(this.drawTimer);
    this.round += 1;
    for (const stop of this.stops) stop();
  }

  private change(sessionId: string | null): void {
    const before = useSession.getState().sessionId;
    this.dropDeltas();
    if (before !== null) quietly(host().call('sessions.unsubscribe', { sessionId: before }));
    useSession.setState({ ...noSession(), sessionId, status: sessionId === null ? 'none' : 'loading' });
    this.round += 1;
    this.early = null;
    if (sessionId !== null && host().state.status === 'open') void this.subscribe();
  }

  /** Asks for all there is after what the store knows. */
  private async subscribe(): Promise<void> {
    const { sessionId, state, status } = useSession.getState();
    if (sessionId === null) return;
    this.round += 1;
    const round = this.round;
    this.early = [];
    this.dropDeltas();
    try {
      const since = status === 'ready' ? { since: state.seq } : {};
      const answer = await host().call('sessions.subscribe', { sessionId, items: itemsAtOnce, ...since });
      if (round === this.round) this.takeAnswer(answer);
    } catch (error) {
      if (round !== this.round) return;
      this.early = null;
      // Without a connection the next `open` subscribes again; the banner tells about it.
      if (host().state.status === 'open') useSession.setState({ status: 'failed', problem: messageOf(error) });
    }
  }

  private takeAnswer(answer: Subscribed): void {
    const known = useSession.getState();
    const state = answer.kind === 'snapshot' ? answer.state : applyAll(known.state, answer.events);
    const early = this.early ?? [];
    this.early = null;
    if (state === null) {
      useSession.setState({ status: 'loading' });
      void this.subscribe();
      return;
    }
    const deltas = answer.live.filter((event) => event.type === 'assistant.delta');
    const fresh = { live: addDeltas({}, deltas), retrying: null, taskProgress: {} };
    useSession.setState({ status: 'ready', problem: '', state, ...fresh });
    if (answer.kind === 'snapshot' && known.past !== null) this.refreshPast(known.past);
    for (const event of answer.live) if (event.type !== 'assistant.delta') this.takeLive(event);
    for (const incoming of early) this.take(incoming);
  }

  /** After a long absence what was shown of the past may have changed; it is shown again as it is now. */
  private refreshPast(past: PastItems): void {
    const { sessionId } = useSession.getState();
    if (sessionId === null) return;
    useSession.setState({ past: null });
    const { from, count } = rangeOf(past);
    quietly(
      host()
        .call('sessions.items', { sessionId, at: { from }, count })
        .then((window) => {
          const now = useSession.getState();
          if (now.sessionId === sessionId && now.past === null) useSession.setState(withWindow(now, window));
        }),
    );
  }

  private receive(sessionId: string, incoming: Incoming): void {
    if (sessionId !== useSession.getState().sessionId) return;
    if (this.early !== null) this.early.push(incoming);
    else if (useSession.getState().status === 'ready') this.take(incoming);
  }

  private take(incoming: Incoming): void {
    if (incoming.kind === 'event') this.takeEvent(incoming.event);
    else this.takeLive(incoming.event);
  }

  private takeEvent(event: SessionEvent): void {
    const { state, sessionId } = useSession.getState();
    if (event.seq <= state.seq) return;
    if (event.seq !== state.seq + 1) {
      if (this.early === null && sessionId !== null) this.closeGap(sessionId);
      return;
    }
    this.draw();
    useSession.setState((store) => ({
      ...bounded({ state: reduce(store.state, event), past: store.past }, store.atEnd),
      live: withoutFinished(store.live, event.body),
      retrying: endsRetrying(event.body) ? null : store.retrying,
    }));
  }

  /** The old subscription is ended first: text that streams meanwhile would otherwise be counted twice. */
  private closeGap(sessionId: string): void {
    this.round += 1;
    const round = this.round;
    this.early = [];
    const resume = () => {
      if (round === this.round) void this.subscribe();
    };
    host().call('sessions.unsubscribe', { sessionId }).then(resume, resume);
  }

  private takeLive(event: LiveEvent): void {
    if (event.type === 'model.retrying') {
      const { attempt, ofAttempts, reason, waitMs } = event;
      const retrying: Retrying = { attempt, ofAttempts, reason, until: Date.now() + waitMs };
      useSession.setState({ retrying });
      return;
    }
    if (event.type === 'task.progress') {
      useSession.setState((store) => ({ taskProgress: { ...store.taskProgress, [event.taskId]: event } }));
      return;
    }
    this.deltas.push(event);
    this.drawTimer ??= setTimeout(() => this.draw(), drawEveryMs);
  }

  private draw(): void {
    const deltas = this.deltas;
    this.dropDeltas();
    if (deltas.length > 0) useSession.setState((store) => ({ live: addDeltas(store.live, deltas), retrying: null }));
  }

  private dropDeltas(): void {
    clearTimeout(this.drawTimer);
    this.drawTimer = undefined;
    this.deltas = [];
  }
}

/** All events in order, or null when they leave a gap. */
function applyAll(state: SessionState, events: readonly SessionEvent[]): SessionState | null {
  let now = state;
  for (const event of events) {
    if (event.seq <= now.seq) continue;
    if (event.seq !== now.seq + 1) return null;
    now = reduce(now, event);
  }
  return now;
}

function endsRetrying(body: SessionEventBody): boolean {
  return body.type === 'turn.finished' || body.type.startsWith('assistant.');
}

function withoutFinished(live: LiveText, body: SessionEventBody): LiveText {
  if (body.type === 'assistant.block') return dropBlock(live, body.messageId, body.index);
  if (body.type === 'assistant.finished') return dropMessage(live, body.messageId);
  return live;
}

/** For a request whose failure changes nothing for anybody. */
function quietly(request: Promise<unknown>): void {
  request.catch(() => undefined);
}
