// Whether git ignores a file: its ignore files read as git reads them, since no program is started here.
import { posix } from 'node:path';
import ignore from 'ignore';

export interface IgnoreWorld {
  readonly home: string;
  kind(path: string): 'file' | 'folder' | 'link' | null;
  /** Null where there is no such file. */
  readText(path: string): string | null;
}

interface Repository {
  readonly root: string;
  /** Where `info/exclude` lies. */
  readonly git: string;
}

function repositoryOf(folder: string, world: IgnoreWorld): Repository | null {
  for (let at = folder; ; at = posix.dirname(at)) {
    const dotGit = posix.join(at, '.git');
    const kind = world.kind(dotGit);
    if (kind === 'folder' || kind === 'link') return { root: at, git: dotGit };
    if (kind === 'file') {
      const pointer = /^gitdir:\s*(.+?)\s*$/m.exec(world.readText(dotGit) ?? '')?.[1];
      const git = pointer === undefined ? dotGit : posix.resolve(at, pointer);
      // The exclude file of a linked worktree is that of the main checkout.
      return { root: at, git: git.replace(/\/worktrees\/[^/]+$/, '') };
    }
    if (at === posix.dirname(at)) return null;
  }
}

/** The person's own ignore file for all repositories. */
function globalFile(world: IgnoreWorld): string {
  const { home } = world;
  for (const config of [posix.join(home, '.gitconfig'), posix.join(home, '.config/git/config')]) {
    const named = /^\s*excludesfile\s*=\s*"?([^"\n#;]+?)"?\s*$/im.exec(world.readText(config) ?? '')?.[1];
    if (named !== undefined) return named.startsWith('~/') ? posix.join(home, named.slice(2)) : named;
  }
  return posix.join(home, '.config/git/ignore');
}

/** Longest ignore file that is read, in characters. */
const maxChars = 1_000_000;

/** One ignore file's word on a path below its folder: yes, no, or nothing. */
function wordOf(text: string, relative: string): boolean | null {
  const tester = ignore().add(text.slice(0, maxChars));
  // A folder that is ignored hides all that is in it, whatever is said of the file.
  const names = relative.split('/');
  for (let count = 1; count < names.length; count++)
    if (tester.test(`${names.slice(0, count).join('/')}/`).ignored) return true;
  const { ignored, unignored } = tester.test(relative);
  return ignored ? true : unignored ? false : null;
}

/** Null: the file lies in no repository. `file` is absolute, with `/`. */
export function isGitIgnored(file: string, world: IgnoreWorld): boolean | null {
  const repository = repositoryOf(posix.dirname(file), world);
  if (repository === null) return null;
  const { root, git } = repository;
  // The nearest speaks first; then the repository's own list, then the person's.
  for (let at = posix.dirname(file); ; at = posix.dirname(at)) {
    const text = world.readText(posix.join(at, '.gitignore'));
    const said = text === null ? null : wordOf(text, posix.relative(at, file));
    if (said !== null) return said;
    if (at === root) break;
  }
  for (const path of [posix.join(git, 'info/exclude'), globalFile(world)]) {
    const text = world.readText(path);
    const said = text === null ? null : wordOf(text, posix.relative(root, file));
    if (said !== null) return said;
  }
  return false;
}
