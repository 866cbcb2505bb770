// A repository that a sandboxed command has made: git would run its hooks, and what its config names, outside of the
// sandbox at the next `git status`. What only describes the repository stays.
import { lstatSync, readdirSync, readFileSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
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
      neutralizeConfig(join(repository, 'config'), { worktree: repository !== folder });
      rmSync(join(repository, 'config.worktree'), { recursive: true, force: true });
      neutralizeHooks(join(repository, 'hooks'));
    }
    rmSync(join(folder, 'commondir'), { recursive: true, force: true });
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

function neutralizeConfig(path: string, allowed: { readonly worktree: boolean }): void {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return;
  const readable = stats.isFile() && stats.size <= longestConfig;
  const text = readable ? readFileSync(path, 'utf8') : '';
  const kept = readable ? harmlessConfig(text, allowed) : emptyConfig;
  if (readable && kept === text) return;
  rmSync(path, { recursive: true, force: true });
  writeFileSync(path, kept, { flag: 'wx' });
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
function neutralizeHooks(folder: string): void {
  const stats = lstatSync(folder, { throwIfNoEntry: false });
  if (stats === undefined) return;
  if (!stats.isDirectory()) {
    rmSync(folder, { force: true });
    return;
  }
  for (const name of readdirSync(folder)) {
    if (name.endsWith('.sample') || name.endsWith('.from-sandbox')) continue;
    const target = join(folder, `${name}.from-sandbox`);
    rmSync(target, { recursive: true, force: true });
    renameSync(join(folder, name), target);
  }
}
