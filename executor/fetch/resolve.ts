// Where a host leads, and whether one may go there. Names are resolved once; only the addresses that were checked here
// are connected to, so that a name cannot come to mean something else in between.
import { lookup } from 'node:dns/promises';
import { addressClass, namesThisMachine } from '#shared/web/address';
import { errnoOf } from '../failure';
import { FetchStopped } from './failure';

/** All addresses of a name, in the order in which they should be tried. */
export type Resolve = (host: string) => Promise<readonly string[]>;

/** The system's own resolver, hosts file and all. */
export const systemResolve: Resolve = async (host) => {
  const found = await lookup(host, { all: true });
  return found.map(({ address }) => address);
};

export interface CheckedHost {
  readonly addresses: readonly string[];
  /** It lies on this machine or a private network. */
  readonly isPrivate: boolean;
}

/** Resolves and checks a host. Throws FetchStopped when any of its addresses may not be connected to. */
export async function checkHost(options: {
  readonly host: string;
  readonly privateAllowed: boolean;
  readonly resolve: Resolve;
}): Promise<CheckedHost> {
  const { host, privateAllowed, resolve } = options;
  const isAddress = addressClass(host) !== null;
  const addresses = isAddress ? [host] : await resolved(host, resolve);
  let isPrivate = false;
  for (const address of addresses) {
    const kind = addressClass(address);
    if (kind === 'public') continue;
    const leads = isAddress ? `${host} is` : `${host} leads to ${address},`;
    if (kind === null || kind === 'forbidden')
      throw new FetchStopped('forbiddenAddress', `${leads} an address that nothing can be fetched from.`);
    if (!privateAllowed)
      throw new FetchStopped(
        'privateAddress',
        `${leads} an address of this machine or a private network${kind === 'metadata' ? ', where clouds hand out credentials' : ''}.`,
      );
    // A rule that names a public name must not open what its owner later makes it lead to.
    const named = isAddress || kind === 'private' || (kind === 'loopback' && namesThisMachine(host));
    if (!named)
      throw new FetchStopped(
        'forbiddenAddress',
        `${leads} which is only fetched where the address itself is asked for and a rule names it.`,
      );
    isPrivate = true;
  }
  return { addresses, isPrivate };
}

/** All addresses of a name, at least one. Throws FetchStopped `notFound` or `unreachable`. */
export async function resolved(host: string, resolve: Resolve): Promise<readonly string[]> {
  let found: readonly string[];
  try {
    found = await resolve(host);
  } catch (error) {
    const errno = errnoOf(error);
    if (errno === 'ENOTFOUND' || errno === 'ENODATA')
      throw new FetchStopped('notFound', `There is no host called ${host} (${errno}).`);
    throw new FetchStopped('unreachable', `The name ${host} could not be resolved (${errno ?? 'no reason given'}).`);
  }
  if (found.length === 0) throw new FetchStopped('notFound', `The name ${host} has no address.`);
  return found;
}
