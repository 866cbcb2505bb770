// One spelling for each host, so that a list and a program that connects speak of the same.

/** Where a program wants to connect to. `host` in its one spelling. */
export interface Place {
  readonly host: string;
  readonly port: number;
}

/** Letters of names as they are on the wire, an underscore because some have one; what else URLs take is refused. */
const asciiName = /^(?!-)[a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63})*$/;
const longestName = 253;

/**
 * A host in its one spelling: a name in lower case, ASCII, without the dot at its end; an IPv4 address as four decimal numbers
 * whatever way it was written; an IPv6 address without brackets, shortened. Null for what is no host: ports, user names,
 * paths, zones, escapes and blanks included.
 */
export function hostName(text: string): string | null {
  if (text.length > 4 * longestName || /[\s%@/\\?#]/.test(text)) return null;
  const bare = /^\[[\da-fA-F:.]+\]$/.test(text) ? text : text.replace(/\.$/, '');
  const bracketed = bare.includes(':') && !bare.startsWith('[') ? `[${bare}]` : bare;
  let host: string;
  try {
    const url = new URL(`http://${bracketed}/`);
    if (url.port !== '' || url.username !== '') return null;
    host = url.hostname;
  } catch {
    return null;
  }
  if (host.startsWith('[')) return host.slice(1, -1);
  return host.length <= longestName && asciiName.test(host) ? host : null;
}

/** A host and port as `CONNECT` names them: `example.com:443`, `[::1]:80`. Null for anything else. */
export function hostAndPort(text: string): Place | null {
  const parts = /^(\[[^\]]*\]|[^:[\]]+):(\d{1,5})$/.exec(text);
  const host = hostName(parts?.[1] ?? '');
  const port = Number(parts?.[2]);
  return host === null || !isPort(port) ? null : { host, port };
}

export function isPort(port: number): boolean {
  return Number.isInteger(port) && port >= 1 && port <= 65_535;
}

/** A host as it stands in front of a port. */
export function bracketed(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}
