// What a folder brings, in words.
import type { Brought, TrustView } from '#shared/api/permissions';
import { counted } from './words';

type Waiting = Pick<TrustView, 'waitingRules' | 'waitingDirectories' | 'waitingMore'>;

/** What waits elsewhere than in the rules' own view. */
export interface WaitingElsewhere {
  /** Files that would be read as instructions. */
  readonly files: readonly string[];
  /** MCP servers. */
  readonly servers: readonly unknown[];
}

/** Parts with commas and a last "and". */
function listed(parts: readonly string[]): string {
  const found = parts.filter((part) => part !== '');
  const last = found.at(-1) ?? '';
  return found.length < 2 ? last : `${found.slice(0, -1).join(', ')} and ${last}`;
}

const some = (count: number, one: string, many?: string): string => (count === 0 ? '' : counted(count, one, many));

/** Those that count once the folder is trusted. */
export function effects(more: readonly Brought[]): readonly Brought[] {
  return more.filter(({ kind }) => kind !== 'unused');
}

/** What waits, in words: "2 rules, 1 folder, 1 hook and 3 files of instructions". Empty: nothing does. */
export function waitingWords(
  trust: Waiting,
  { files, servers }: WaitingElsewhere = { files: [], servers: [] },
): string {
  const { waitingRules, waitingDirectories, waitingMore } = trust;
  const of = (...kinds: readonly Brought['kind'][]) => waitingMore.filter(({ kind }) => kinds.includes(kind)).length;
  return listed([
    some(waitingRules.length, 'rule'),
    some(waitingDirectories.length, 'folder'),
    some(of('hook'), 'hook'),
    some(servers.length, 'MCP server'),
    some(of('sandbox'), 'opening of the sandbox', 'openings of the sandbox'),
    some(of('mode', 'switch'), 'other setting'),
    files.length === 0 ? '' : `${counted(files.length, 'file')} of instructions`,
  ]);
}

/** How many things came after the folder was trusted. */
export function freshCount({ freshTexts, waitingMore }: Pick<TrustView, 'freshTexts' | 'waitingMore'>): number {
  return freshTexts.length + effects(waitingMore).filter(({ fresh }) => fresh).length;
}
