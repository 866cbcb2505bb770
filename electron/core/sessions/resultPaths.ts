// Paths of kept results within events: a session that begins with another's events has files of its own.
import { isResultName } from '../results/names';

/** The inner part of a string in JSON. */
const inJson = (text: string): string => JSON.stringify(text).slice(1, -1);

const fileName = /^(?:\/|\\\\)([A-Za-z0-9_.-]+)/;

/** An event's JSON with the files of one folder of results named in another, and the names of those files. */
export function moveResultPaths(
  json: string,
  { from, to }: { readonly from: string; readonly to: string },
): { readonly json: string; readonly names: readonly string[] } {
  const sought = inJson(from);
  if (!json.includes(sought)) return { json, names: [] };
  const names = new Set<string>();
  const [start = '', ...rest] = json.split(sought);
  let moved = start;
  for (const part of rest) {
    const name = endOfName(fileName.exec(part)?.[1] ?? '');
    if (isResultName(name)) names.add(name);
    // Another folder whose name begins alike is not meant.
    moved += (/^[A-Za-z0-9_.-]/.test(part) ? sought : inJson(to)) + part;
  }
  return { json: moved, names: [...names] };
}

/** In a sentence a full stop may follow. */
const endOfName = (name: string): string => name.replace(/\.+$/, '');
