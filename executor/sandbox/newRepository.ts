// A repository that a sandboxed command has made: git would run its hooks, and what its config names, outside of the
// sandbox at the next `git status`. What only describes the repository stays.
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { inFolder, isThere, setAside } from './heldFolder';
import { isInside } from './places';
import { namedFolder, sharedFolder, submodules } from './repositories';

/** Keys by section that name no program and lead nowhere; values of some are looked at besides. */
const harmless: Readonly<Record<string, RegExp>> = {
  core: /^(?:repositoryformatversion|filemode|bare|logallrefupdates|ignorecase|precomposeunicode|symlinks|autocrlf|eol|safecrlf|abbrev|quotepath|longpaths|sparsecheckout|sparsecheckoutcone)$/,
  extensions: /^(?:objectformat|compatobjectformat|refstorage|partialclone|noop)$/,
  remote: /^(?:url|pushurl|fetch|push|mirror|prune|tagopt|promisor|partialclonefilter)$/,
  branch: /^(?:remote|pushremote|merge|rebase|description)$/,
  user: /^(?:name|email)$/,
  init: /^defaultbranch$/,
  pull: /^(?:rebase|ff)$/,
  push: /^(?:default|autosetupremote|followtags)$/,
  merge: /^(?:conflictstyle|ff)$/,
  submodule: /^(?:url|active|branch)$/,
  lfs: /^repositoryformatversion$/,
};
/** Addresses that make git run a program. */
const runsProgram = /^\s*"?(?:ext|fd)::|^\s*"?-/;
const longestConfig = 1_000_000;
const emptyConfig = '[core]\n\trepositoryformatversion = 0\n';

/**
 * Takes the orders out of a repository: `git` is its folder, or a link or file that names it. One that lies outside of
 * `writable`, given as real paths, was not made by the command.
 */
export function neutralizeRepository(git: string, writable: readonly string[]): void {
  for (const folder of foldersOf(git)) {
    if (!writable.some((root) => isInside(root, folder))) continue;
    for (const repository of [folder, ...submodules(join(folder, 'modules'))]) {
      inFolder(repository, (at) => {
        neutralizeConfig(at, { worktree: repository !== folder });
        if (isThere(join(at, 'config.worktree'))) setAside(at, 'config.worktree');
        if (lstatSync(join(at, 'hooks'), { throwIfNoEntry: false })?.isDirectory() === false)
          unlinkSync(join(at, 'hooks'));
      });
      inFolder(join(repository, 'hooks'), neutralizeHooks);
    }
    inFolder(folder, (at) => {
      if (isThere(join(at, 'commondir'))) setAside(at, 'commondir');
    });
  }
}

/** Real paths of the repository's own folder and of what it shares with others. */
function foldersOf(git: string): readonly string[] {
  try {
    const real = realpathSync(git);
    const own = lstatSync(real).isDirectory() ? real : namedFolder(real);
    return own === null ? [] : [...new Set([realpathSync(own), realpathSync(sharedFolder(own))])];
  } catch {
    return [];
  }
}

function neutralizeConfig(at: string, allowed: { readonly worktree: boolean }): void {
  if (!isThere(join(at, 'config'))) return;
  const text = configIn(at);
  const kept = text === null ? emptyConfig : harmlessConfig(text, allowed);
  if (kept === text) return;
  setAside(at, 'config');
  writeFileSync(join(at, 'config'), kept, { flag: 'wx' });
}

/** Null for what git would not have written. */
function configIn(at: string): string | null {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(join(at, 'config'), constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    const stats = fstatSync(descriptor);
    return stats.isFile() && stats.size <= longestConfig ? readFileSync(descriptor, 'utf8') : null;
  } catch {
    return null;
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

/**
 * The lines of a git config that are harmless; the text itself when all are. `worktree`: it may say where its files lie, as
 * submodules do.
 */
export function harmlessConfig(text: string, allowed: { readonly worktree: boolean }): string {
  let section: string | undefined;
  const kept: string[] = [];
  let continued = false;
  for (const line of text.split('\n')) {
    const wasContinued = continued;
    // A value that goes on in the next line is nothing that git itself writes here.
    continued = /\\\r?$/.test(line);
    if (wasContinued || continued) continue;
    const header = /^\s*\[\s*([A-Za-z0-9-]+)(?:\s+"(?:[^"\\]|\\.)*")?\s*\]\s*$/.exec(line)?.[1];
    if (header !== undefined) {
      section = header.toLowerCase();
      kept.push(line);
    } else if (/^\s*(?:[#;].*)?$/.test(line) || isHarmless(section, line, allowed)) kept.push(line);
    // Also the header of a section that could not be read: what follows belongs to no known one.
    else if (/^\s*\[/.test(line)) section = undefined;
  }
  return kept.join('\n');
}

function isHarmless(section: string | undefined, line: string, allowed: { readonly worktree: boolean }): boolean {
  const entry = /^\s*([A-Za-z][A-Za-z0-9-]*)\s*(?:=(.*))?$/.exec(line);
  const key = entry?.[1]?.toLowerCase();
  if (section === undefined || key === undefined) return false;
  if (section === 'core' && key === 'worktree') return allowed.worktree;
  const keys = Object.hasOwn(harmless, section) ? harmless[section] : undefined;
  return keys?.test(key) === true && !runsProgram.test(entry?.[2] ?? '');
}

/** Hooks keep their text under a name that git does not know. */
function neutralizeHooks(at: string): void {
  for (const name of readdirSync(at)) {
    const known = name.endsWith('.sample') || /\.from-sandbox(?:-\d+)?$/.test(name);
    if (!known) setAside(at, name);
  }
}
