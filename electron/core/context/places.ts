// Where memory, commands, skills and agents of a session come from.
import { lstat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { liesIn, realOr } from './textFile';

export interface ContextPaths {
  readonly home: string;
  /** The person's own `.claude`. */
  readonly claudeConfig: string;
  /** `managed-settings.json` of this system; the administrator's memory lies beside it. */
  readonly managedSettings: string;
  /** Folders and files whose content never goes to a model. */
  readonly hidden: readonly string[];
}

export interface ContextPlace {
  readonly paths: ContextPaths;
  /** The session's folder, absolute. */
  readonly folder: string;
  /** Whether the person trusts it. What came with an untrusted folder is never read. */
  readonly trusted: boolean;
  /** Whether they trust another one, for what is imported from there. */
  isTrusted(folder: string): boolean;
}

/** Folders between a session's and its repository's that are looked at. */
const maxParents = 20;

/**
 * The folders whose files speak for the session's folder, outermost first: from the root of its repository down to it.
 * Without a repository around it, and where that would be the whole home folder, just itself.
 */
export async function projectFolders(place: Pick<ContextPlace, 'folder' | 'paths'>): Promise<readonly string[]> {
  const chain: string[] = [];
  for (let at = place.folder; chain.length < maxParents; at = dirname(at)) {
    if (chain.length > 0 && (at === place.paths.home || liesIn(place.paths.home, at))) break;
    chain.unshift(at);
    if (await exists(join(at, '.git'))) return chain;
    if (dirname(at) === at) break;
  }
  return [place.folder];
}

async function exists(path: string): Promise<boolean> {
  return await lstat(path).then(
    () => true,
    () => false,
  );
}

/** Whether the folder's own `.claude` is the person's: then nothing in it came with the folder. */
export async function isOwnConfig(folder: string, paths: ContextPaths): Promise<boolean> {
  return (await realOr(join(folder, '.claude'))) === (await realOr(paths.claudeConfig));
}
