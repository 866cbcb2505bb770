// Where a folder's local settings file lies.
import { statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { readRegularFile } from '../regularFile';

function kindOf(path: string): 'file' | 'folder' | null {
  try {
    // Asked for at every decision, mostly in vain: an exception would cost ten times as much.
    const found = statSync(path, { throwIfNoEntry: false });
    return found === undefined ? null : found.isDirectory() ? 'folder' : 'file';
  } catch {
    return null;
  }
}

function ownedByUs(path: string): boolean {
  const user = process.getuid?.();
  if (user === undefined) return true;
  try {
    return statSync(path).uid === user;
  } catch {
    return true;
  }
}

/** The main checkout of a linked worktree: `.git` is a file there that names `<main>/.git/worktrees/<name>`. */
function mainCheckout(root: string): string {
  try {
    const pointer = /^gitdir:\s*(.+?)\s*$/m.exec(readRegularFile(join(root, '.git')).toString())?.[1];
    const main =
      pointer === undefined
        ? undefined
        : /^(.*)[/\\]\.git[/\\]worktrees[/\\][^/\\]+$/.exec(resolve(root, pointer))?.[1];
    return main ?? root;
  } catch {
    return root;
  }
}

/**
 * Folder of `.claude/settings.local.json`: the root of the git checkout that the folder lies in, for a linked worktree
 * the main checkout. The folder itself is used outside git, on Windows, when the root is the home folder, and when root,
 * `.git` or `.claude` belong to somebody else.
 */
export function localSettingsFolder(options: {
  readonly folder: string;
  readonly home: string;
  readonly platform: string;
}): string {
  const { folder, home, platform } = options;
  if (platform === 'win32') return folder;
  for (let at = folder; ; at = dirname(at)) {
    const kind = kindOf(join(at, '.git'));
    if (kind !== null) {
      const root = kind === 'file' ? mainCheckout(at) : at;
      const ours = [root, join(root, '.git'), join(root, '.claude')].every(ownedByUs);
      return root === home || !ours ? folder : root;
    }
    if (at === dirname(at)) return folder;
  }
}
