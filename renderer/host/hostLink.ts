// The page's one lasting link to the core: opens transports, greets, reconnects with back-off, keeps event listeners
// over reconnects.
import { type AppContract, appContract } from '#shared/api/app';
import { protocolVersion } from '#shared/api/host';
import type { Answer, CallName, EventName, EventPayload, ParamsIn } from '#shared/rpc/contract';
import { RpcError } from '#shared/rpc/errors';
import { type Connected, connect } from '#shared/rpc/peer';
import type { Transport, Unsubscribe } from '#shared/rpc/transport';
import { ListenerSet } from './listenerSet';

export type Hello = Answer<AppContract, 'hello'>;

/** `retryAt` is epoch milliseconds; null when trying again by itself makes no sense. */
export type LinkState =
  | { readonly status: 'connecting' }
  | { readonly status: 'open'; readonly hello: Hello }
  | { readonly status: 'lost'; readonly reason: string; readonly retryAt: number | null };

/** Milliseconds before each further try; a restarted core is found quickly, an absent one costs little. */
const backOff = [500, 1_000, 2_000, 4_000, 8_000, 15_000];

/** A core that accepts the connection but does not greet within this time counts as lost. */
const helloTimeoutMs = 15_000;

export class HostLink {
  private readonly openTransport: () => Transport;
  private readonly states = new ListenerSet<LinkState>();
  private readonly eventListeners = new Map<string, ListenerSet<never>>();
  private connected: Connected<AppContract> | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private failures = 0;
  private disposed = false;
  private current: LinkState = { status: 'connecting' };

  constructor(openTransport: () => Transport) {
    this.openTransport = openTransport;
  }

  get state(): LinkState {
    return this.current;
  }

  /** Announces every change of state; `open` comes again after each reconnect. */
  onState(listener: (state: LinkState) => void): Unsubscribe {
    return this.states.add(listener);
  }

  /** Listens to an event of the contract on this and every later connection. */
  on<N extends EventName<AppContract>>(
    name: N,
    listener: (payload: EventPayload<AppContract, N>) => void,
  ): Unsubscribe {
    const known = this.eventListeners.get(name) ?? new ListenerSet<never>();
    this.eventListeners.set(name, known);
    return known.add(listener as (payload: never) => void);
  }

  /** Rejects with RpcError; `unavailable` while there is no connection. */
  call<N extends CallName<AppContract>>(method: N, params: ParamsIn<AppContract, N>): Promise<Answer<AppContract, N>> {
    if (this.connected === undefined || this.current.status !== 'open') {
      return Promise.reject(
        new RpcError('unavailable', 'There is no connection to Gatehouse. Wait until it is back, then do it again.'),
      );
    }
    return this.connected.call(method, params);
  }

  /** Opens the first connection. */
  start(): void {
    this.open();
  }

  /** Tries again now instead of waiting for the back-off. */
  retryNow(): void {
    if (this.current.status === 'lost') this.open();
  }

  dispose(): void {
    this.disposed = true;
    clearTimeout(this.timer);
    this.connected?.close('the page closed');
  }

  private open(): void {
    clearTimeout(this.timer);
    this.change({ status: 'connecting' });
    const connected = connect(appContract, this.openTransport());
    this.connected = connected;
    connected.onClose((reason) => this.lose({ from: connected, reason, final: false }));
    for (const name of Object.keys(appContract.events) as EventName<AppContract>[]) {
      connected.on(name, (payload) => this.eventListeners.get(name)?.announce(payload as never));
    }
    const silence = setTimeout(
      () => connected.close('Gatehouse accepted the connection but does not answer'),
      helloTimeoutMs,
    );
    void this.greet(connected).finally(() => clearTimeout(silence));
  }

  private async greet(connected: Connected<AppContract>): Promise<void> {
    try {
      const hello = await connected.call('hello', { protocol: protocolVersion });
      if (this.connected !== connected || this.disposed) return;
      this.failures = 0;
      this.change({ status: 'open', hello });
    } catch (error) {
      // A closed connection has been reported by onClose already.
      if (error instanceof RpcError && error.code === 'unavailable') return;
      const reason = error instanceof Error ? error.message : String(error);
      this.lose({ from: connected, reason, final: true });
      connected.close('greeting failed');
    }
  }

  private lose({ from, reason, final }: { from: Connected<AppContract>; reason: string; final: boolean }): void {
    if (this.connected !== from) return;
    this.connected = undefined;
    if (this.disposed) return;
    const wait = backOff[Math.min(this.failures, backOff.length - 1)] ?? 15_000;
    this.failures += 1;
    this.change({ status: 'lost', reason, retryAt: final ? null : Date.now() + wait });
    if (!final) this.timer = setTimeout(() => this.open(), wait);
  }

  private change(state: LinkState): void {
    this.current = state;
    this.states.announce(state);
  }
}
