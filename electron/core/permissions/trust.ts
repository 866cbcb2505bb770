// Which folders a person trusts, so that the rules and directories that came with them count. Kept in Gatehouse's own
// database, never in a file of the folder.
import { lstatSync, realpathSync } from 'node:fs';
import { dirname } from 'node:path';
import { z } from 'zod';
import type { RuleRef } from '#shared/permissions/decision';
import type { RuleSource } from '#shared/permissions/sources';
import type { LoadedFile } from './ruleFile';
import { isTracked } from './tracked';

const foldersKey = 'trustedFolders';
const writtenKey = 'rulesWrittenHere';
const Folders = z.array(z.string());
const Written = z.record(z.string(), z.array(z.string()));

/** Where the answers are kept. */
export interface TrustMemory {
  preference(key: string): unknown;
  setPreference(key: string, value: unknown): void;
}

export interface FolderTrust {
  isTrusted(folder: string): boolean;
  set(folder: string, trusted: boolean): void;
  /** Remembers rules that the person saved to the folder's own files; they count without trust. */
  noteWritten(folder: string, rules: readonly string[]): void;
  hasWritten(folder: string, rule: string): boolean;
}

function real(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    return folder;
  }
}

/** Trust by a folder's real path: a link that is turned to another folder does not take the trust along. */
export function createFolderTrust(memory: TrustMemory): FolderTrust {
  const storedFolders = Folders.safeParse(memory.preference(foldersKey));
  const storedWritten = Written.safeParse(memory.preference(writtenKey));
  const folders = new Set(storedFolders.success ? storedFolders.data : []);
  const written = new Map(storedWritten.success ? Object.entries(storedWritten.data) : []);
  return {
    isTrusted: (folder) => folders.has(real(folder)),
    set(folder, trusted) {
      if (trusted) folders.add(real(folder));
      else folders.delete(real(folder));
      memory.setPreference(foldersKey, [...folders].sort());
    },
    noteWritten(folder, rules) {
      const at = real(folder);
      written.set(at, [...new Set([...(written.get(at) ?? []), ...rules])]);
      memory.setPreference(writtenKey, Object.fromEntries(written));
    },
    hasWritten: (folder, rule) => written.get(real(folder))?.includes(rule) ?? false,
  };
}

/** Trusts every folder: where rules are looked at without a person. */
export const trustsAll: FolderTrust = {
  isTrusted: () => true,
  set: () => undefined,
  noteWritten: () => undefined,
  hasWritten: () => true,
};

function isLink(path: string): boolean {
  try {
    return lstatSync(path).isSymbolicLink();
  } catch {
    return false;
  }
}

/**
 * Whether a settings file came with the folder rather than from the person: the project's file always; the local one
 * when git tracks it or its `.claude` is a link. A file that is the person's own user file belongs to them.
 */
export function cameWithFolder(options: {
  readonly source: RuleSource;
  readonly path: string;
  readonly userFile: string;
  readonly ignoreCase: boolean;
}): boolean {
  const { source, path, userFile, ignoreCase } = options;
  if (path === userFile) return false;
  if (source === 'projectSettings') return true;
  if (source !== 'localSettings') return false;
  return isLink(dirname(path)) || isTracked(path, { ignoreCase });
}

/** What of some files waits for trust. */
export interface Waiting {
  readonly rules: readonly RuleRef[];
  readonly directories: readonly string[];
}

/**
 * The allow rules and directories of files that came with a folder, without the rules that `counts`; deny and ask rules
 * never wait.
 */
export function waitingIn(files: readonly LoadedFile[], counts: (rule: RuleRef) => boolean): Waiting {
  const refs = files.flatMap((file) => file.rules.map((rule) => rule.ref));
  return {
    rules: refs.filter((ref) => ref.behavior === 'allow' && !counts(ref)),
    directories: [...new Set(files.flatMap((file) => file.additionalDirectories))],
  };
}
