// Which files the list shows, and in which order.
import type { ResultFile, Seen } from '#shared/api/results';
import type { ResultFacet, ResultOrder } from '../../../stores/resultsPage';
import { resultName, seenWords, toolGroup } from './words';

export interface FacetCount {
  readonly facet: ResultFacet;
  readonly label: string;
  readonly count: number;
}

const states: readonly { readonly facet: ResultFacet; readonly label: string }[] = [
  { facet: 'never', label: 'Never read' },
  { facet: 'orphan', label: 'Session gone' },
  { facet: 'kept', label: 'Kept' },
  { facet: 'claudeCode', label: 'Claude Code' },
];

function has(file: ResultFile, facet: ResultFacet): boolean {
  switch (facet) {
    case 'never':
      return file.seen.kind === 'never';
    case 'orphan':
      return file.session === null;
    case 'kept':
      return file.kept;
    case 'claudeCode':
      return file.origin === 'claudeCode';
    default:
      return facet === `tool:${toolGroup(file)}`;
  }
}

/** Tools, most files first, then states; only those that some file has or that are chosen. */
export function facetsOf(files: readonly ResultFile[], chosen: readonly ResultFacet[]): readonly FacetCount[] {
  const tools = new Map<string, number>();
  for (const file of files) {
    const tool = toolGroup(file);
    if (tool !== null) tools.set(tool, (tools.get(tool) ?? 0) + 1);
  }
  for (const facet of chosen)
    if (facet.startsWith('tool:') && !tools.has(facet.slice('tool:'.length))) tools.set(facet.slice('tool:'.length), 0);
  const byTool = [...tools]
    .sort(([a, countA], [b, countB]) => countB - countA || (a < b ? -1 : 1))
    .map(([tool, count]): FacetCount => ({ facet: `tool:${tool}`, label: tool, count }));
  const byState = states
    .map(({ facet, label }) => ({ facet, label, count: files.filter((file) => has(file, facet)).length }))
    .filter(({ facet, count }) => count > 0 || chosen.includes(facet));
  return [...byTool, ...byState];
}

const saidBefore = new WeakMap<ResultFile, string>();

/** What the search looks at, in small letters. */
function saidOf(file: ResultFile): string {
  const known = saidBefore.get(file);
  if (known !== undefined) return known;
  const said = [resultName(file), file.session?.title, file.session?.folder, file.file, seenWords(file.seen)]
    .join('\n')
    .toLowerCase();
  saidBefore.set(file, said);
  return said;
}

export interface FileFilter {
  readonly search: string;
  readonly facets: readonly ResultFacet[];
}

/** Files that fit: one of the tools, all of the states, all of the words. */
export function filterFiles(files: readonly ResultFile[], { search, facets }: FileFilter): readonly ResultFile[] {
  const words = search
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  const tools = facets.filter((facet) => facet.startsWith('tool:'));
  const wanted = facets.filter((facet) => !facet.startsWith('tool:'));
  return files.filter((file) => {
    if (tools.length > 0 && !tools.some((facet) => has(file, facet))) return false;
    if (!wanted.every((facet) => has(file, facet))) return false;
    if (words.length === 0) return true;
    const said = saidOf(file);
    return words.every((word) => said.includes(word));
  });
}

const known: Readonly<Record<Seen['kind'], number>> = { never: 0, unknown: 1, preview: 2, again: 3, whole: 4 };

function byText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Smallest, nearest and least first. */
const orders: Readonly<Record<ResultOrder, (a: ResultFile, b: ResultFile) => number>> = {
  what: (a, b) => byText(resultName(a).toLowerCase(), resultName(b).toLowerCase()),
  // Orphans come last.
  session: (a, b) => byText(a.session?.title.toLowerCase() ?? '\uffff', b.session?.title.toLowerCase() ?? '\uffff'),
  bytes: (a, b) => a.bytes - b.bytes,
  age: (a, b) => b.modifiedAt - a.modifiedAt,
  seen: (a, b) => known[a.seen.kind] - known[b.seen.kind],
  goes: (a, b) => leaving(a) - leaving(b),
};

function leaving({ kept, goesAt }: ResultFile): number {
  return kept ? Number.MAX_SAFE_INTEGER : (goesAt ?? Number.MAX_SAFE_INTEGER - 1);
}

/** Files in another order; equal ones stay newest first. */
export function sortFiles(
  files: readonly ResultFile[],
  { order, descending }: { readonly order: ResultOrder; readonly descending: boolean },
): readonly ResultFile[] {
  const compare = orders[order];
  return [...files].sort((a, b) => (descending ? compare(b, a) : compare(a, b)) || b.modifiedAt - a.modifiedAt);
}
