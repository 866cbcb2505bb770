// Which folders a person trusts, so that the rules and directories that came with them count. Kept in Gatehouse's own
// database, never in a file of the folder.
import { lstatSync, realpathSync } from 'node:fs';
import { dirname } from 'node:path';
import { z } from 'zod';
import type { Brought } from '#shared/api/permissions';
import type { RuleRef } from '#shared/permissions/decision';
import type { RuleSource } from '#shared/permissions/sources';
import { broughtBy, directoryKey, ruleKey } from './brought';
import type { LoadedFile } from './ruleFile';
import { isTracked } from './tracked';

const foldersKey = 'trustedFolders';
const contentKey = 'trustedContent';
const definitionsKey = 'trustedDefinitions';
const changedKey = 'trustChanged';
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
  /** `keys`: names of all that the folder brings now; left out: whatever it brings when it is looked at next. */
  set(folder: string, trusted: boolean, keys?: readonly string[]): void;
  /**
   * Looks whether a folder brings more than what was trusted; then it is trusted no more until somebody looks at it again.
   * What it does not bring any more may come back.
   */
  check(folder: string, keys: readonly string[]): void;
  /**
   * The same for commands, skills and agents that bring rules or hooks: `defined` by file, with the name of what it brings.
   * Answers whether the folder is trusted then.
   */
  checkDefinitions(folder: string, defined: Readonly<Record<string, string>>): boolean;
  /** Adds what the person has written there through Gatehouse to what is trusted. */
  accept(folder: string, keys: readonly string[]): void;
  /** Names of what was trusted, where the folder has changed since; null where it has not. */
  before(folder: string): ReadonlySet<string> | null;
  /** Files of commands, skills and agents that are the reason. */
  freshFiles(folder: string): readonly string[];
  /** Fires with a folder whose trust has ended because it brings more. */
  onGrown(listener: (folder: string) => void): () => void;
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

/**
 * Trust by a folder's real path and by what it brings: a link that is turned to another folder does not take the trust
 * along, and neither does what comes into the folder later.
 */
export function createFolderTrust(memory: TrustMemory): FolderTrust {
  function lists(key: string): Map<string, readonly string[]> {
    const stored = Written.safeParse(memory.preference(key));
    return new Map(stored.success ? Object.entries(stored.data) : []);
  }
  const storedFolders = Folders.safeParse(memory.preference(foldersKey));
  const folders = new Set(storedFolders.success ? storedFolders.data : []);
  const written = lists(writtenKey);
  const content = lists(contentKey);
  const definitions = lists(definitionsKey);
  /** The folders that have grown, with the files that are the reason where they are no settings. */
  const changed = lists(changedKey);
  const listeners = new Set<(folder: string) => void>();
  const keep = (): void => {
    memory.setPreference(foldersKey, [...folders].sort());
    memory.setPreference(contentKey, Object.fromEntries(content));
    memory.setPreference(definitionsKey, Object.fromEntries(definitions));
    memory.setPreference(changedKey, Object.fromEntries(changed));
  };
  const grown = (folder: string, files: readonly string[]): void => {
    folders.delete(folder);
    changed.set(folder, files);
    keep();
    for (const listener of listeners) listener(folder);
  };
  return {
    isTrusted: (folder) => folders.has(real(folder)),
    set(folder, trusted, keys) {
      const at = real(folder);
      changed.delete(at);
      if (trusted) folders.add(at);
      else folders.delete(at);
      if (trusted && keys !== undefined) content.set(at, [...new Set(keys)]);
      else content.delete(at);
      // What is there of them is trusted as it is at the next look.
      definitions.delete(at);
      keep();
    },
    check(folder, keys) {
      const at = real(folder);
      if (!folders.has(at)) return;
      const known = content.get(at);
      if (known === undefined) {
        content.set(at, [...new Set(keys)]);
        keep();
      } else if (!keys.every((key) => known.includes(key))) grown(at, []);
    },
    checkDefinitions(folder, defined) {
      const at = real(folder);
      if (!folders.has(at)) return false;
      const known = definitions.get(at);
      const fresh = Object.entries(defined).filter(([, name]) => known?.includes(name) !== true);
      if (known === undefined) {
        definitions.set(at, Object.values(defined));
        keep();
      } else if (fresh.length > 0)
        grown(
          at,
          fresh.map(([file]) => file),
        );
      return folders.has(at);
    },
    accept(folder, keys) {
      const at = real(folder);
      const known = content.get(at);
      if (known === undefined || keys.every((key) => known.includes(key))) return;
      content.set(at, [...new Set([...known, ...keys])]);
      keep();
    },
    before(folder) {
      const at = real(folder);
      return changed.has(at) ? new Set(content.get(at)) : null;
    },
    freshFiles: (folder) => changed.get(real(folder)) ?? [],
    onGrown(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
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
  check: () => undefined,
  checkDefinitions: () => true,
  accept: () => undefined,
  before: () => null,
  freshFiles: () => [],
  onGrown: () => () => undefined,
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
  readonly more: readonly Brought[];
  /** Rules and directories that came after the folder was trusted. */
  readonly freshTexts: readonly string[];
}

/**
 * The allow rules, directories and other effects of files that came with a folder, without the rules that `counts`; deny
 * and ask rules never wait. `before`: names of what was trusted earlier; null: nothing was.
 */
export function waitingIn(
  files: readonly LoadedFile[],
  options: {
    readonly counts: (rule: RuleRef) => boolean;
    readonly before: ReadonlySet<string> | null;
    readonly local: readonly LoadedFile[];
  },
): Waiting {
  const { counts, before, local } = options;
  const isFresh = (key: string) => before !== null && !before.has(key);
  const rules = files.flatMap((file) =>
    file.rules.map(({ ref }) => ref).filter((ref) => ref.behavior === 'allow' && !counts(ref)),
  );
  const folders = files.flatMap(({ source, additionalDirectories }) =>
    additionalDirectories.map((folder) => ({ source, folder })),
  );
  return {
    rules,
    directories: [...new Set(folders.map(({ folder }) => folder))],
    more: [
      ...files.flatMap(broughtBy).map(({ key, ...item }) => ({ ...item, fresh: isFresh(key) })),
      ...local
        .flatMap(broughtBy)
        .filter(({ kind }) => kind !== 'mode' && kind !== 'unused')
        .map(({ key: _, ...item }) => ({ ...item, fresh: false })),
    ],
    freshTexts: [
      ...rules.filter((ref) => isFresh(ruleKey(ref.source, ref.text))).map((ref) => ref.text),
      ...folders.filter(({ source, folder }) => isFresh(directoryKey(source, folder))).map(({ folder }) => folder),
    ],
  };
}
