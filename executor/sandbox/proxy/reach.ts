// From "this command wants that host" to a connection: the core decides, then the name is resolved once, and only addresses
// that were checked are connected to. A name that was not allowed is never looked up, since a lookup alone can tell secrets.
import type { Socket } from 'node:net';
import { addressClass, isLocalHost } from '#shared/web/address';
import { errnoOf } from '../../failure';
import { connectChecked, type Dial } from '../../fetch/connect';
import { FetchStopped } from '../../fetch/failure';
import type { Resolve } from '../../fetch/resolve';
import { checkPlace } from './checkPlace';
import type { HostAsks } from './hostAsks';
import type { Place } from './hostName';
import { connectThrough } from './ownProxy';
import type { ProxyClient } from './proxyClient';

export interface ReachParts {
  readonly asks: HostAsks;
  readonly resolve: Resolve;
  readonly dial: Dial;
}

/** `denied`: it may not. `failed`: it may, and there was no connection. `why` is for people and the model. */
export type Reached =
  | { readonly kind: 'connected'; readonly socket: Socket }
  | { readonly kind: 'denied' | 'failed'; readonly why: string };

/** Makes one connection for a command. Never rejects; after an abort the answer interests nobody. */
export async function reach(
  place: Place,
  about: ReachParts & { readonly client: ProxyClient; readonly signal: AbortSignal },
): Promise<Reached> {
  const { client, signal } = about;
  try {
    const checked = await permitted(place, about);
    if (typeof checked === 'string') {
      client.noteRefused({ ...place, why: checked });
      return { kind: 'denied', why: checked };
    }
    const { port } = place;
    const { dial } = about;
    const { ownProxy } = client;
    if (ownProxy !== undefined)
      return { kind: 'connected', socket: await connectThrough({ proxy: ownProxy, place, dial, signal }) };
    const socket = await connectChecked({
      addresses: checked,
      port,
      secureHost: null,
      dial,
      ca: undefined,
      signal,
    });
    return { kind: 'connected', socket };
  } catch (error) {
    if (error instanceof FetchStopped) return { kind: 'failed', why: error.failure.message };
    return { kind: 'failed', why: `${place.host}:${place.port} cannot be reached (${errnoOf(error) ?? 'no answer'}).` };
  }
}

/** Addresses that it may connect to, or why not. */
async function permitted(
  { host, port }: Place,
  { asks, resolve, client, signal }: ReachParts & { readonly client: ProxyClient; readonly signal: AbortSignal },
): Promise<readonly string[] | string> {
  const streamId = client.streamId();
  if (streamId === null) return 'No command runs that could connect.';
  const verdict = await asks.ask({ streamId, host, port }, signal);
  if (!verdict.allowed) return verdict.why;
  // A proxy of the person's own resolves names itself; where they lead cannot be looked at before.
  if (client.ownProxy !== undefined && addressClass(host) === null)
    return verdict.privateAllowed || !isLocalHost(host)
      ? []
      : `${host} lies by its name on this machine or a private network; only the name itself in the list allows that.`;
  const place = await checkPlace(host, resolve);
  if (place.kind === 'refused') return place.why;
  if (place.kind === 'free' || verdict.privateAllowed) return place.addresses;
  const again = await asks.ask({ streamId, host, port, address: place.address }, signal);
  return again.allowed ? place.addresses : again.why;
}
