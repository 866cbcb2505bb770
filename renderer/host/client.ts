// The page's link to the core, for stores. Set once by main.tsx (and by each test).

import type { Transport } from '#shared/rpc/transport';
import { HostLink } from './hostLink';

let current: HostLink | undefined;

/** Makes the link that `host()` gives; an earlier one is closed. It still has to be started. */
export function createHost(openTransport: () => Transport): HostLink {
  current?.dispose();
  current = new HostLink(openTransport);
  return current;
}

/** The link. Throws before `createHost`: a bug. */
export function host(): HostLink {
  if (current === undefined) throw new Error('The host link is used before it was made.');
  return current;
}
