// What kind of place an internet address is. A fetch reaches the public internet; everything else needs to be named.

/**
 * `public`: anywhere on the internet. `private`: a network of one's own, shared carrier addresses included. `metadata`: where
 * clouds hand out credentials. `forbidden`: nothing there can answer one request, or nobody can tell who would.
 */
export type AddressClass = 'public' | 'loopback' | 'private' | 'linkLocal' | 'metadata' | 'forbidden';

type Range = readonly [base: readonly number[], bits: number, kind: AddressClass];

/** Sources: the IANA special-purpose registries. The first range that fits counts. */
const ranges4: readonly Range[] = [
  [[169, 254, 169, 254], 32, 'metadata'],
  [[169, 254, 170, 2], 32, 'metadata'],
  [[100, 100, 100, 200], 32, 'metadata'],
  [[168, 63, 129, 16], 32, 'metadata'],
  [[192, 0, 0, 192], 32, 'metadata'],
  // "This host": systems connect it to themselves.
  [[0, 0, 0, 0], 32, 'loopback'],
  [[0, 0, 0, 0], 8, 'forbidden'],
  [[10, 0, 0, 0], 8, 'private'],
  [[100, 64, 0, 0], 10, 'private'],
  [[127, 0, 0, 0], 8, 'loopback'],
  [[169, 254, 0, 0], 16, 'linkLocal'],
  [[172, 16, 0, 0], 12, 'private'],
  [[192, 0, 0, 0], 24, 'forbidden'],
  [[192, 0, 2, 0], 24, 'forbidden'],
  [[192, 88, 99, 0], 24, 'forbidden'],
  [[192, 168, 0, 0], 16, 'private'],
  // Measurements, and local proxies that give every name an address of their own.
  [[198, 18, 0, 0], 15, 'private'],
  [[198, 51, 100, 0], 24, 'forbidden'],
  [[203, 0, 113, 0], 24, 'forbidden'],
  // Multicast, reserved, broadcast.
  [[224, 0, 0, 0], 3, 'forbidden'],
];

const ranges6: readonly Range[] = [
  [[0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], 128, 'loopback'],
  [[0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1], 128, 'loopback'],
  [[0xfd, 0x00, 0x0e, 0xc2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x02, 0x54], 128, 'metadata'],
  [[0xfd, 0x20, 0, 0xce, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x02, 0x54], 128, 'metadata'],
  [[0xfe, 0x80], 10, 'linkLocal'],
  // Site-local, out of use but still routed inside some houses.
  [[0xfe, 0xc0], 10, 'private'],
  [[0xfc], 7, 'private'],
  // A translator of the house's own.
  [[0x00, 0x64, 0xff, 0x9b, 0x00, 0x01], 48, 'private'],
  // Teredo, benchmarks, ORCHID and the rest of the protocol assignments; documentation.
  [[0x20, 0x01, 0x00], 23, 'forbidden'],
  [[0x20, 0x01, 0x0d, 0xb8], 32, 'forbidden'],
  [[0x3f, 0xff, 0x00], 20, 'forbidden'],
  [[0x20], 3, 'public'],
];

/** IPv6 ranges that carry an IPv4 address, and where in them it stands. What counts is where that leads. */
const carriers: readonly { readonly base: readonly number[]; readonly bits: number; readonly at: number }[] = [
  { base: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff], bits: 96, at: 12 },
  { base: [0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 0, 0], bits: 96, at: 12 },
  { base: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], bits: 96, at: 12 },
  { base: [0x00, 0x64, 0xff, 0x9b, 0, 0, 0, 0, 0, 0, 0, 0], bits: 96, at: 12 },
  { base: [0x20, 0x02], bits: 16, at: 2 },
];

/**
 * The class of an address in its usual spelling: `127.0.0.1`, `::1`, `[::1]`, a zone after `%` is passed over. Null for
 * what is no address; other spellings of numbers must have been made usual before, as `new URL` does.
 */
export function addressClass(text: string): AddressClass | null {
  const bare = text.replace(/^\[(.*)\]$/, '$1').replace(/%.*$/, '');
  const four = bytes4(bare);
  if (four !== null) return classIn(ranges4, four) ?? 'public';
  const six = bytes6(bare);
  if (six === null) return null;
  const own = classIn(ranges6.slice(0, 2), six);
  if (own !== null) return own;
  const carrier = carriers.find(({ base, bits }) => fits(six, base, bits));
  if (carrier !== undefined) return classIn(ranges4, six.slice(carrier.at, carrier.at + 4)) ?? 'public';
  return classIn(ranges6, six) ?? 'forbidden';
}

/** Names that by agreement lead to this machine. */
const thisMachine = /^(?:localhost|.+\.localhost|localhost\.localdomain|ip6-localhost|ip6-loopback)$/;
/** Ends of names that are never handed out on the internet. */
const houseNames = /\.(?:local|localdomain|internal|intranet|lan|home|corp|private|home\.arpa)$/;

/**
 * Whether a host, as `new URL` spells it, is by its looks alone not on the public internet: an address that is not public,
 * `localhost`, a name without a dot, or a name such as `wiki.internal`. False says nothing about where a name leads.
 */
export function isLocalHost(host: string): boolean {
  const kind = addressClass(host);
  if (kind !== null) return kind !== 'public';
  const name = host.toLowerCase().replace(/\.$/, '');
  return namesThisMachine(name) || !name.includes('.') || houseNames.test(name);
}

/** Whether a name by agreement leads to this machine. */
export function namesThisMachine(host: string): boolean {
  return thisMachine.test(host.toLowerCase().replace(/\.$/, ''));
}

function classIn(ranges: readonly Range[], address: readonly number[]): AddressClass | null {
  return ranges.find(([base, bits]) => fits(address, base, bits))?.[2] ?? null;
}

function fits(address: readonly number[], base: readonly number[], bits: number): boolean {
  for (let index = 0; index * 8 < bits; index += 1) {
    const counted = Math.min(8, bits - index * 8);
    const mask = (0xff << (8 - counted)) & 0xff;
    if (((address[index] ?? 0) & mask) !== ((base[index] ?? 0) & mask)) return false;
  }
  return true;
}

/** Four decimal numbers without leading zeros; anything else is read differently by different programs. */
function bytes4(text: string): number[] | null {
  const parts = text.split('.');
  if (parts.length !== 4 || !parts.every((part) => /^(?:0|[1-9]\d{0,2})$/.test(part))) return null;
  const bytes = parts.map(Number);
  return bytes.every((byte) => byte <= 255) ? bytes : null;
}

function bytes6(text: string): number[] | null {
  if (!/^[\da-f:.]+$/i.test(text) || !text.includes(':')) return null;
  const halves = text.split('::');
  if (halves.length > 2) return null;
  const [head = '', tail] = halves;
  if (tail !== undefined && head.includes('.')) return null;
  const first = groups(head);
  const last = tail === undefined ? [] : groups(tail);
  if (first === null || last === null) return null;
  const missing = 16 - first.length - last.length;
  if (tail === undefined ? missing !== 0 : missing < 2) return null;
  return [...first, ...Array<number>(missing).fill(0), ...last];
}

/** The bytes of groups between colons; the last may be an IPv4 address. */
function groups(text: string): number[] | null {
  if (text === '') return [];
  const bytes: number[] = [];
  const parts = text.split(':');
  for (const [index, part] of parts.entries()) {
    const four = index === parts.length - 1 && part.includes('.') ? bytes4(part) : null;
    if (four !== null) bytes.push(...four);
    else if (/^[\da-f]{1,4}$/i.test(part)) bytes.push(Number.parseInt(part, 16) >> 8, Number.parseInt(part, 16) & 0xff);
    else return null;
  }
  return bytes;
}
