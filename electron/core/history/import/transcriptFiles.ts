// Finds the transcripts. Links are not followed, so nothing outside of the folder is ever read.
import { type Dirent, lstatSync, readdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';

export interface TranscriptFile {
  readonly path: string;
  /** From the file's name, or for a sub-agent's file from the folder that it lies in. */
  readonly session: string;
  readonly isSubagent: boolean;
  /** Device and number: another file under the same name has another one. */
  readonly identity: string;
  readonly size: number;
  /** Epoch milliseconds. */
  readonly changedAt: number;
}

export interface FoundTranscripts {
  /** The oldest first: what others copied is known before its copies. */
  readonly files: readonly TranscriptFile[];
  /** Folders that could not be looked into: what was known of files below is still good. */
  readonly unread: readonly string[];
}

/** More files than this are not looked at. */
const maxFiles = 200_000;
const ending = '.jsonl';

const codeOf = (error: unknown): string => (error instanceof Error && 'code' in error ? String(error.code) : '');

/** Looks through `<claudeConfig>/projects` one project folder at a time: each step of the generator is short. */
export function* findTranscripts(claudeConfig: string): Generator<undefined, FoundTranscripts> {
  const files: TranscriptFile[] = [];
  const unread: string[] = [];

  function entries(folder: string): Dirent[] {
    try {
      return readdirSync(folder, { withFileTypes: true });
    } catch (error) {
      if (codeOf(error) !== 'ENOENT' && codeOf(error) !== 'ENOTDIR') unread.push(folder);
      return [];
    }
  }

  function add(folder: string, entry: Dirent, about: { readonly session: string; readonly isSubagent: boolean }): void {
    if (!entry.isFile() || !entry.name.endsWith(ending) || files.length >= maxFiles) return;
    const path = join(folder, entry.name);
    try {
      const { dev, ino, size, mtimeMs } = lstatSync(path);
      files.push({ path, ...about, identity: `${dev}:${ino}`, size, changedAt: mtimeMs });
    } catch (error) {
      if (codeOf(error) !== 'ENOENT') unread.push(path);
    }
  }

  const named = join(claudeConfig, 'projects');
  let root: string;
  try {
    // The person may keep the whole folder elsewhere; below it no link leads anywhere.
    root = realpathSync(named);
  } catch (error) {
    return { files, unread: codeOf(error) === 'ENOENT' ? [] : [named] };
  }
  for (const project of entries(root)) {
    if (!project.isDirectory()) continue;
    const folder = join(root, project.name);
    for (const entry of entries(folder)) {
      add(folder, entry, {
        session: entry.name.slice(0, -ending.length),
        // So older versions named what a sub-agent did.
        isSubagent: entry.name.startsWith('agent-'),
      });
      if (!entry.isDirectory()) continue;
      const agents = join(folder, entry.name, 'subagents');
      if (!isOwnFolder(agents)) continue;
      for (const one of entries(agents))
        if (one.name.startsWith('agent-')) add(agents, one, { session: entry.name, isSubagent: true });
    }
    yield;
  }
  files.sort((a, b) => a.changedAt - b.changedAt || (a.path < b.path ? -1 : 1));
  return { files, unread };
}

function isOwnFolder(path: string): boolean {
  try {
    return lstatSync(path).isDirectory();
  } catch {
    return false;
  }
}
