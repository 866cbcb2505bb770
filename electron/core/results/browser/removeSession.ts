import { rm, rmdir } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { resultsName } from '../names';
import type { KeptFiles } from './keptFiles';
import { entriesOf } from './trash';

/**
 * Deletes for good all that lies in a session's folder, save for results that are kept. `root` holds the results of all
 * projects. Rejects when something cannot be deleted, or when it cannot be told what is kept.
 */
export async function removeSessionFiles(root: string, folder: string, keptFiles: KeptFiles): Promise<void> {
  const kept = new Set((await keptFiles.all()).map(({ file }) => join(root, ...file.split('/'))));
  if (![...kept].some((file) => !relative(folder, file).startsWith(`..${sep}`))) {
    await rm(folder, { recursive: true, force: true });
    return;
  }
  for (const entry of await entriesOf(folder))
    if (entry.name !== resultsName) await rm(join(folder, entry.name), { recursive: true, force: true });
  const results = join(folder, resultsName);
  for (const entry of await entriesOf(results))
    if (!kept.has(join(results, entry.name))) await rm(join(results, entry.name), { recursive: true, force: true });
  for (const empty of [results, folder]) await rmdir(empty).catch(() => undefined);
}
