// What the lists of domains say of a host.
import type { SandboxEntry } from '#shared/api/sandbox';
import { matchesHost, namesHost, normaliseHost } from '../permissions/matchHost';

export interface HostPattern {
  /** A host, `*.example.com`, or with stars within labels. */
  readonly host: string;
  /** Null: any. */
  readonly port: number | null;
}

/** `named`: the entry means this one host and no other. */
export type ListVerdict =
  | { readonly kind: 'denied'; readonly entry: SandboxEntry }
  | { readonly kind: 'allowed'; readonly entry: SandboxEntry; readonly named: boolean }
  | { readonly kind: 'unlisted' };

/**
 * An entry of a list: a name, an address, `*.example.com`, each with or without a port. Null for what is none, such as a whole
 * address of the web.
 */
export function hostPattern(text: string): HostPattern | null {
  const parts = /^(\[[^\]]+\]|[^:]+|[\da-fA-F:.]+:[\da-fA-F:.]*)(?::(\d{1,5}))?$/.exec(text.trim());
  const written = parts?.[1] ?? '';
  const port = parts?.[2] === undefined ? null : Number(parts[2]);
  if (written === '' || /[\s/@?#%\\]/.test(written) || (port !== null && (port < 1 || port > 65_535))) return null;
  const below = written.startsWith('*.');
  const rest = below ? written.slice(2) : written;
  const host = rest.includes('*') ? rest.toLowerCase().replace(/\.$/, '') : spelled(rest);
  return host === '' || host.startsWith('.') ? null : { host: below ? `*.${host}` : host, port };
}

/** The one spelling of a host, IPv6 without brackets. */
function spelled(host: string): string {
  const bracketed = host.includes(':') && !host.startsWith('[') ? `[${host}]` : host;
  return normaliseHost(bracketed).replace(/^\[(.*)\]$/, '$1');
}

/** What the lists say; what is denied is denied whatever is allowed. A denied entry that is no pattern counts as far as it names a host. */
export function judgeHost(
  { host, port }: { readonly host: string; readonly port: number },
  lists: { readonly allowed: readonly SandboxEntry[]; readonly denied: readonly SandboxEntry[] },
): ListVerdict {
  const name = spelled(host);
  const fits = (pattern: HostPattern | null): boolean =>
    pattern !== null && (pattern.port === null || pattern.port === port) && matches(pattern.host, name);
  const denied = lists.denied.find(({ text }) => fits(deniedPattern(text)));
  if (denied !== undefined) return { kind: 'denied', entry: denied };
  const allowing = lists.allowed.filter(({ text }) => fits(hostPattern(text)));
  const named = allowing.find(({ text }) => isName(hostPattern(text)?.host ?? '', name));
  const entry = named ?? allowing[0];
  return entry === undefined ? { kind: 'unlisted' } : { kind: 'allowed', entry, named: named !== undefined };
}

function matches(pattern: string, name: string): boolean {
  if (pattern === name) return true;
  // An address is not below anything.
  return pattern.includes('*') && (pattern === '*' || !isAddress(name)) && matchesHost(pattern, name);
}

function isName(pattern: string, name: string): boolean {
  return pattern === name || (!pattern.includes('*') && namesHost(pattern, name));
}

function isAddress(name: string): boolean {
  return name.includes(':') || /^[\d.]+$/.test(name);
}

/** An entry of a list of denied hosts: who denies `https://example.com/path` means at least that host. */
export function deniedPattern(text: string): HostPattern | null {
  const own = hostPattern(text);
  if (own !== null) return own;
  const written = /^[a-z][a-z\d+.-]*:\/\/(?:[^/?#@]*@)?([^/?#]+)/i.exec(text.trim())?.[1];
  const pattern = hostPattern(written ?? '') ?? hostPattern(/^[^/?#]+(?=\/)/.exec(text.trim())?.[0] ?? '');
  return pattern === null ? null : { ...pattern, port: null };
}

/** Names below which everybody can have one of their own, beside those of two labels. */
const rented =
  /(?:^|\.)(?:github\.io|gitlab\.io|githubusercontent\.com|amazonaws\.com|cloudfront\.net|azurewebsites\.net|azureedge\.net|windows\.net|cloudapp\.azure\.com|googleapis\.com|googleusercontent\.com|appspot\.com|run\.app|web\.app|firebaseapp\.com|herokuapp\.com|netlify\.app|vercel\.app|pages\.dev|workers\.dev|r2\.dev|fly\.dev|onrender\.com|ngrok\.io|ngrok\.app|ngrok-free\.app|trycloudflare\.com|blogspot\.com|wordpress\.com|digitaloceanspaces\.com|repl\.co|replit\.dev|surge\.sh|deno\.dev|glitch\.me)$/;
/** Ends such as `co.uk`. */
const countryEnds = /^(?:ac|co|com|edu|gob|gov|ltd|me|ne|net|nhs|nom|or|org|plc|sch)\.[a-z]{2}$/;

/** Patterns that a person may want to allow for good, narrow to broad. */
export function offeredPatterns({ host, port }: { readonly host: string; readonly port: number }): string[] {
  const bracketed = host.includes(':') ? `[${host}]` : host;
  const own = port === 443 || port === 80 ? [bracketed] : [`${bracketed}:${port}`, bracketed];
  const parent = host.slice(host.indexOf('.') + 1);
  const hasParent = !isAddress(host) && host.split('.').length >= 3;
  return hasParent && !countryEnds.test(parent) && !rented.test(parent) ? [...own, `*.${parent}`] : own;
}
