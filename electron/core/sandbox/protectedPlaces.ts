// What commands may never write although it lies in a writable folder: it decides what runs later, outside of any sandbox.
import { join } from 'node:path';

/** Read by editors, package managers and Gatehouse as soon as somebody works in the folder that holds them. */
const inFolder: readonly string[] = [...['.claude', '.mcp.json', '.vscode', '.idea', '.devcontainer', '.npmrc']];

/**
 * Read at the start of a shell or program, mostly from the home folder. Elsewhere only those that are there are kept: what
 * stands for a missing one while commands run would show in the person's folder, and nobody would have read it there.
 */
const startUp: readonly string[] = [
  ...['.bashrc', '.bash_profile', '.bash_login', '.bash_logout', '.bash_aliases', '.profile', '.envrc', '.ripgreprc'],
  ...['.zshrc', '.zprofile', '.zshenv', '.zlogin', '.zlogout', '.gitconfig', '.gitmodules', '.husky'],
  ...['.claude.json', '.devcontainer.json'],
];

/** More of the home folder, for those who work in it. */
const inHome: readonly string[] = [
  ...['.config/autostart', '.config/systemd', '.config/fish', '.config/git', '.config/environment.d'],
  ...['.local/share/applications', '.pam_environment', '.xprofile', '.xsession', '.xinitrc', '.inputrc', '.tmux.conf'],
  ...['.vimrc', '.config/nvim', '.emacs', '.emacs.d', '.gdbinit', '.pythonrc', '.cargo/config', '.cargo/config.toml'],
  ...['.yarnrc', '.yarnrc.yml', '.bunfig.toml', 'Library/LaunchAgents', 'bin', '.local/bin'],
];

/** In the repository of a folder; kept by the mounts of each repository, submodules and worktrees included. */
export const ofRepository: readonly string[] = ['.git/hooks', '.git/config'];

/** Worktrees of agents lie in the protected `.claude`, and can be written all the same. */
export const worktreesOf = (folder: string): string => join(folder, '.claude', 'worktrees');

/** What stays read-only below a writable folder, absolute; some need not exist. */
export function protectedIn(
  folder: string,
  { home, exists }: { readonly home: string; readonly exists: (path: string) => boolean },
): readonly string[] {
  const isHome = folder === home;
  return [
    ...inFolder.map((name) => join(folder, name)),
    ...startUp.map((name) => join(folder, name)).filter((path) => isHome || exists(path)),
    ...(isHome ? inHome.map((name) => join(folder, name)) : []),
  ];
}
