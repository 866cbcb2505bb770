export interface Crumb {
  readonly label: string;
  readonly path: string;
}

/** The folders from the root to `path`, root first. Understands `/a/b` and `C:\a\b`. */
export function crumbsOf(path: string): Crumb[] {
  const drive = /^[A-Za-z]:[\\/]/.exec(path)?.[0];
  const separator = drive === undefined ? '/' : '\\';
  const root = drive ?? '/';
  const crumbs: Crumb[] = [{ label: root, path: root }];
  let at = root;
  for (const part of path.slice(root.length).split(/[\\/]/).filter(Boolean)) {
    at = at.endsWith(separator) || at === root ? `${at}${part}` : `${at}${separator}${part}`;
    crumbs.push({ label: part, path: at });
  }
  return crumbs;
}

/** What is wrong with a typed path before asking for it; empty when nothing is. `~` stands for the home folder. */
export function pathProblem(path: string): string {
  const typed = path.trim();
  if (typed === '') return 'Type the path of a folder.';
  if (/^(\/|~(\/|$)|[A-Za-z]:[\\/])/.test(typed)) return '';
  return 'A path starts at the root (/) or at your home folder (~).';
}

/** A typed path with `~` replaced. */
export function expandHome(path: string, home: string): string {
  const typed = path.trim();
  if (typed === '~') return home;
  return typed.startsWith('~/') ? `${home}${home.endsWith('/') ? '' : '/'}${typed.slice(2)}` : typed;
}
