// Whose program is at the other end of a loopback connection. Loopback belongs to all users of a machine, and a link
// given to a browser can be read in the list of processes; so the user behind a connection has to be ours.
import { readFileSync } from 'node:fs';
import type { Socket } from 'node:net';

/** The kernel's lists of connections; the second has those of sockets that speak both versions of IP. */
const tables = ['/proc/net/tcp', '/proc/net/tcp6'] as const;

/** The ends of a connection as this process sees them, IPv4. */
export interface Ends {
  readonly local: { readonly address: string; readonly port: number };
  readonly remote: { readonly address: string; readonly port: number };
}

export type Peer = 'own' | 'foreign' | 'unknown';

/**
 * Reads from the kernel's lists whether the far end of `ends` is held by user `uid` (or by root, which may do anything
 * anyway). `unknown` where the lists do not even hold our own end: this system does not tell.
 */
export function peerIn(lists: readonly string[], { ends, uid }: { readonly ends: Ends; readonly uid: number }): Peer {
  const [ours, theirs] = [[ends.local, ends.remote] as const, [ends.remote, ends.local] as const].map((pair) =>
    lists.map((list, at) => rowOf(list, pair.map((end) => inHex(end, { mapped: at === 1 })).join(' '))).find(Boolean),
  );
  if (ours === undefined) return 'unknown';
  if (theirs === undefined) return 'foreign';
  // Without an inode nobody holds the far end any more, and the kernel writes user 0 there.
  return theirs.inode !== '0' && (theirs.uid === uid || theirs.uid === 0) ? 'own' : 'foreign';
}

/** The same for an accepted connection of this process; `unknown` on systems without such lists. */
export function peerOf(socket: Socket): Peer {
  const { localAddress, localPort, remoteAddress, remotePort } = socket;
  const uid = process.getuid?.();
  if (process.platform !== 'linux' || uid === undefined) return 'unknown';
  if (localAddress === undefined || localPort === undefined) return 'foreign';
  if (remoteAddress === undefined || remotePort === undefined) return 'foreign';
  const ends: Ends = {
    local: { address: localAddress, port: localPort },
    remote: { address: remoteAddress, port: remotePort },
  };
  return peerIn(tables.map(readOrNothing), { ends, uid });
}

function readOrNothing(file: string): string {
  try {
    return readFileSync(file, 'latin1');
  } catch {
    return '';
  }
}

function rowOf(list: string, ends: string): { readonly uid: number; readonly inode: string } | undefined {
  const at = list.indexOf(` ${ends} `);
  if (at === -1) return undefined;
  // Behind the ends: state, queues, timer, retransmits, user, timeout, inode.
  const [, , , , uid, , inode = '0'] = list
    .slice(at + ends.length + 2, list.indexOf('\n', at))
    .trim()
    .split(/\s+/);
  return { uid: Number(uid), inode };
}

/** As the kernel writes it: the bytes of the address as one number of this machine, then the port. */
function inHex({ address, port }: Ends['local'], { mapped }: { readonly mapped: boolean }): string {
  const bytes = address
    .replace(/^::ffff:/, '')
    .split('.')
    .map(Number)
    .reverse();
  const hex = (value: number, digits: number): string => value.toString(16).toUpperCase().padStart(digits, '0');
  const prefix = mapped ? '0000000000000000FFFF0000' : '';
  return `${prefix}${bytes.map((byte) => hex(byte, 2)).join('')}:${hex(port, 4)}`;
}
