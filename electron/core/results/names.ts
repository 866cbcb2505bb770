// How results are called on disk: <folder>/<project>/<session>/tool-results/<call>.txt
import { createHash } from 'node:crypto';
import { basename, join, relative, sep } from 'node:path';

/** Name of a session's folder of results. */
export const resultsName = 'tool-results';

/** Longer names do not fit everywhere. */
const longestName = 120;

/** An id as a file name: letters, digits, `_` and `-` only, never empty. */
export function safeName(id: string): string {
  const name = id.replaceAll(/[^A-Za-z0-9_-]+/g, '_').slice(0, longestName);
  if (name === id && name !== '') return name;
  // Two ids that differ in what was left out must not share a name.
  return `${name === '' ? 'x' : name}-${createHash('sha256').update(id).digest('hex').slice(0, 8)}`;
}

/** The project of a working folder: its name, for people, and what tells it from others of that name. */
export function projectName(folder: string): string {
  const hash = createHash('sha256').update(folder).digest('hex').slice(0, 12);
  const name = basename(folder)
    .replaceAll(/[^A-Za-z0-9_-]+/g, '_')
    .slice(0, 60);
  return `${name === '' ? 'root' : name}-${hash}`;
}

/** Where the results of a session lie, whether it is known or not. `root` holds the results of all projects. */
export function resultsOf(root: string, session: { readonly sessionId: string; readonly folder: string }): string {
  return join(root, projectName(session.folder), safeName(session.sessionId), resultsName);
}

const resultFile = /^[A-Za-z0-9_-]+(?:\.\d+)?\.(?:txt|json)$/;

/** Whether a name in a folder of results is that of a result. */
export function isResultName(name: string): boolean {
  return resultFile.test(name);
}

/** Whether a path has the place and the name of a result below `folder`. */
export function isResultPath(folder: string, path: string): boolean {
  const [project, session, results, name, ...more] = relative(folder, path).split(sep);
  if (name === undefined || more.length > 0 || results !== resultsName || join(path) !== path) return false;
  return [project, session].every((part) => part !== undefined && /^[A-Za-z0-9_-]+$/.test(part)) && isResultName(name);
}
