// Names that the model and rules use for servers and their tools. The original names stay with the call.
import { createHash } from 'node:crypto';

/** The Messages API takes no longer names. */
export const maxNameChars = 64;

const hash = (text: string, chars: number): string => createHash('sha256').update(text).digest('hex').slice(0, chars);

const plain = (text: string): string => text.replaceAll(/[^a-zA-Z0-9_-]/g, '_');

/**
 * A server's part of a name. It never holds two underscores in a row nor begins or ends with one, so that a rule for one
 * server can never cover the tools of another: `mcp__git` ends where the next `__` stands.
 */
function plainServer(name: string): string {
  const key = plain(name)
    .replaceAll(/_{2,}/g, '_')
    .replaceAll(/^_+|_+$/g, '');
  return key === '' ? 'server' : key;
}

/**
 * The keys of servers, by name. `names` come in the order of who may keep a name that several would get: the others get a
 * suffix made of their own name, whoever else is there.
 */
export function serverKeys(names: readonly string[]): ReadonlyMap<string, string> {
  const taken = new Set<string>();
  const keys = new Map<string, string>();
  for (const name of new Set(names)) {
    const wanted = plainServer(name);
    const key = taken.has(wanted) ? `${wanted}-${hash(name, 8)}` : wanted;
    taken.add(key);
    keys.set(name, key);
  }
  return keys;
}

/** How the model calls a tool, and how rules name it: the same unless the name had to be shortened. */
export interface ToolName {
  readonly name: string;
  readonly ruleName: string;
}

/** Names for the tools of one server, by original name. Tools whose names fit as they are keep them. */
export function toolNames(serverKey: string, originals: readonly string[]): ReadonlyMap<string, ToolName> {
  const all = [...new Set(originals)];
  const exact = new Set(all.filter((original) => plain(original) === original));
  const taken = new Set<string>();
  const names = new Map<string, ToolName>();
  for (const original of [...exact, ...all.filter((one) => !exact.has(one))]) {
    const wanted = plain(original) === '' ? 'tool' : plain(original);
    const part = taken.has(wanted) ? `${wanted}-${hash(original, 8)}` : wanted;
    taken.add(part);
    const ruleName = `mcp__${serverKey}__${part}`;
    names.set(original, { name: shortened(ruleName), ruleName });
  }
  return names;
}

function shortened(name: string): string {
  if (name.length <= maxNameChars) return name;
  return `${name.slice(0, maxNameChars - 9)}_${hash(name, 8)}`;
}
