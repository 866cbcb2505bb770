// Host patterns of WebFetch rules.
import { starPattern } from '#shared/util/starPattern';

/** The host as it is compared: small letters, no dot at the end, no port, number forms of addresses written out. */
export function normaliseHost(host: string): string {
  try {
    return new URL(`http://${host}`).hostname.replace(/\.$/, '').toLowerCase();
  } catch {
    return host.toLowerCase().replace(/\.$/, '');
  }
}

/**
 * Whether `domain:<pattern>` covers a host. A leading `*.` covers every depth below, not the name itself; `*` alone
 * covers all; any other star stays within one label.
 */
export function matchesHost(pattern: string, host: string): boolean {
  const wanted = pattern.toLowerCase().replace(/\.$/, '');
  const name = normaliseHost(host);
  if (wanted === '*') return true;
  if (!wanted.includes('*')) return name === normaliseHost(wanted);
  const deep = wanted.startsWith('*.');
  const tail = (deep ? wanted.slice(2) : wanted).split('.');
  const labels = name.split('.');
  const below = labels.slice(0, -tail.length).join('.');
  if (deep ? below === '' : labels.length !== tail.length) return false;
  return labels.slice(-tail.length).every((label, index) => starPattern(tail[index] ?? '').test(label));
}

/** Whether `domain:<pattern>` means this one host and no other. */
export function namesHost(pattern: string, host: string): boolean {
  return !pattern.includes('*') && normaliseHost(pattern) === normaliseHost(host);
}

/** The host that a rule's text names in full: `WebFetch(domain:intranet.example)`; null for any other rule. */
export function hostNamedBy(rule: string): string | null {
  const pattern = /^WebFetch\(domain:([^*]+)\)$/.exec(rule)?.[1];
  return pattern === undefined ? null : normaliseHost(pattern);
}

/** Documentation hosts that need no permission; a rule in any list beats this. */
export const documentationHosts: ReadonlySet<string> = new Set([
  'docs.python.org',
  'react.dev',
  'nodejs.org',
  'kubernetes.io',
  'developer.mozilla.org',
  'code.claude.com',
  'platform.claude.com',
]);
