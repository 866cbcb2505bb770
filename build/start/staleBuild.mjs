import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Folders and files that the build is made from. */
const sources = ['electron', 'executor', 'renderer', 'shared', 'build', 'package.json', 'package-lock.json'];

function newest(path) {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return 0;
  // A folder's own time changes when something in it is added, removed or renamed.
  if (!stats.isDirectory()) return stats.mtimeMs;
  return readdirSync(path).reduce((latest, name) => Math.max(latest, newest(join(path, name))), stats.mtimeMs);
}

/** Why the build must be made anew, or null: it is missing, or a source is newer than `stamp`. */
export function whyBuild({ root, stamp }) {
  const built = statSync(stamp, { throwIfNoEntry: false })?.mtimeMs;
  if (built === undefined) return 'nothing is built yet';
  const changed = sources.find((name) => newest(join(root, name)) > built);
  return changed === undefined ? null : `${changed} changed`;
}
