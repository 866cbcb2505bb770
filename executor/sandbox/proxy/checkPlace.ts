// Where a host that may be reached leads, and whether that place may be, too.
import { addressClass, namesThisMachine } from '#shared/web/address';
import { type Resolve, resolved } from '../../fetch/resolve';

/**
 * `free`: connect to these addresses and no others. `within`: the same, where somebody has said yes to `address`, which is not on
 * the public internet.
 */
export type CheckedPlace =
  | { readonly kind: 'free'; readonly addresses: readonly string[] }
  | { readonly kind: 'within'; readonly addresses: readonly string[]; readonly address: string }
  | { readonly kind: 'refused'; readonly why: string };

/** Looks a name up, once. Throws FetchStopped when there is no such name. */
export async function checkPlace(host: string, resolve: Resolve): Promise<CheckedPlace> {
  if (addressClass(host) !== null)
    return addressClass(host) === 'public'
      ? { kind: 'free', addresses: [host] }
      : { kind: 'within', addresses: [host], address: host };
  const addresses = await resolved(host, resolve);
  let within: string | undefined;
  for (const address of addresses) {
    const place = addressClass(address);
    if (place === 'public') continue;
    within ??= address;
    // Who owns a name decides where it leads; what trusts everything on this machine must not be within their reach.
    const isMeant = place === 'private' || place === 'forbidden' || (place === 'loopback' && namesThisMachine(host));
    if (!isMeant) return { kind: 'refused', why: refusal(host, address, place === 'metadata') };
  }
  return within === undefined ? { kind: 'free', addresses } : { kind: 'within', addresses, address: within };
}

function refusal(host: string, address: string, isMetadata: boolean): string {
  const what = isMetadata ? 'an address where clouds hand out credentials' : 'an address of this machine';
  return `${host} leads to ${address}, ${what}. No name opens that; only the address itself in the list does.`;
}
