// What commands may never write although it lies in a writable folder: it decides what runs later, outside of any sandbox.
import { join } from 'node:path';

/** Read as soon as somebody works in the folder that holds them, by git, shells, editors or package managers. */
const inFolder: readonly string[] = [
  ...['.claude', '.mcp.json', '.claude.json', '.vscode', '.idea', '.husky', '.devcontainer', '.devcontainer.json'],
  ...['.bashrc', '.bash_profile', '.bash_login', '.bash_logout', '.bash_aliases', '.profile', '.envrc', '.ripgreprc'],
  ...['.zshrc', '.zprofile', '.zshenv', '.zlogin', '.zlogout', '.gitconfig', '.gitmodules', '.npmrc'],
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

/** What stays read-only below a writable folder, absolute; they need not exist. */
export function protectedIn(folder: string, home: string): readonly string[] {
  return [...inFolder, ...(folder === home ? inHome : [])].map((name) => join(folder, name));
}
