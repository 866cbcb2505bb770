// Finds the files of results: Gatehouse's own and Claude Code's. Links are not followed, so nothing outside is ever looked at.
import { createHash } from 'node:crypto';
import type { Dirent } from 'node:fs';
import { lstat, readdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import type { ResultFile } from '#shared/api/results';
import { isResultName, resultsName } from '../names';

export interface FoundResult {
  readonly id: string;
  readonly origin: ResultFile['origin'];
  /** Absolute, without links. */
  readonly file: string;
  /** Names of the folders that it lies in, and its own. */
  readonly project: string;
  readonly session: string;
  readonly name: string;
  readonly bytes: number;
  /** Epoch milliseconds. */
  readonly modifiedAt: number;
}

/** More files than this are not looked at. */
const maxFiles = 100_000;

/** What lies in a folder that is none by a link; nothing where it cannot be looked at. */
async function entriesOf(folder: string): Promise<Dirent[]> {
  try {
    return (await lstat(folder)).isDirectory() ? await readdir(folder, { withFileTypes: true }) : [];
  } catch {
    return [];
  }
}

/** All files `<folder>/<project>/<session>/tool-results/<name>`, in no order. */
export async function findResults(place: {
  readonly folder: string;
  readonly origin: ResultFile['origin'];
}): Promise<FoundResult[]> {
  const { folder, origin } = place;
  // The person may keep the whole folder elsewhere; below it no link leads anywhere.
  const root = await realpath(folder).catch(() => null);
  if (root === null) return [];
  const found: FoundResult[] = [];
  for (const project of await entriesOf(root)) {
    if (!project.isDirectory()) continue;
    const sessions = await entriesOf(join(root, project.name));
    for (const session of sessions) {
      if (!session.isDirectory()) continue;
      const results = join(root, project.name, session.name, resultsName);
      const names = (await entriesOf(results)).filter(
        (entry) => entry.isFile() && (origin === 'claudeCode' || isResultName(entry.name)),
      );
      const files = await Promise.all(
        names.map(async ({ name }): Promise<FoundResult | null> => {
          const file = join(results, name);
          const stats = await lstat(file).catch(() => null);
          if (stats === null || !stats.isFile()) return null;
          const { size: bytes, mtimeMs: modifiedAt } = stats;
          const about = { project: project.name, session: session.name, name };
          return { id: idOf(origin, file), origin, file, ...about, bytes, modifiedAt };
        }),
      );
      for (const one of files) if (one !== null && found.length < maxFiles) found.push(one);
    }
  }
  return found;
}

/** The same for the same file as long as it lies there; says nothing of where that is. */
function idOf(origin: string, file: string): string {
  return createHash('sha256').update(`${origin}\0${file}`).digest('base64url').slice(0, 24);
}
