// Where a path leads: links followed, also for files that do not exist yet, and which folder it lies in.
import { posix } from 'node:path';
import type { FileView } from './fileView';

export type Platform = 'linux' | 'darwin' | 'win32' | 'other';

/** All engine paths are absolute and use `/`; a Windows drive is the first folder: `C:\proj` → `/c/proj`. */
export function toEnginePath(path: string, platform: Platform): string {
  if (platform !== 'win32') return posix.normalize(path);
  const slashes = path.replaceAll('\\', '/').replace(/^\/\/[?.]\//, '');
  const drive = /^([A-Za-z]):(?:\/|$)/.exec(slashes)?.[1];
  return posix.normalize(drive === undefined ? slashes : `/${drive.toLowerCase()}/${slashes.slice(3)}`);
}

/** The form in which names are compared: composed letters, and small ones where the disk does not tell them apart. */
export function fold(path: string, ignoreCase: boolean): string {
  const composed = path.normalize('NFC');
  return ignoreCase ? composed.toLowerCase() : composed;
}

/** `/a/b` lies in `/a` and in itself, never in `/a/bc`. */
export function isInside(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith('/') ? folder : `${folder}/`);
}

export interface Resolved {
  /** Links followed to the end; names that do not exist stay as written. */
  readonly real: string;
  /** The path as given and after each link on its way. */
  readonly spellings: readonly string[];
}

/** More links than this are a circle. */
const maxLinks = 40;

/** Follows all links of an absolute path. Names behind the deepest existing folder are kept. */
export function resolvePath(path: string, view: FileView): Resolved {
  const spellings = [path];
  let rest = path.split('/').filter((name) => name !== '');
  let real = '';
  let links = 0;
  while (rest.length > 0) {
    const [name = '', ...after] = rest;
    rest = after;
    if (name === '.') continue;
    if (name === '..') {
      real = real.slice(0, Math.max(0, real.lastIndexOf('/')));
      continue;
    }
    const next = `${real}/${name}`;
    const kind = view.kind(next);
    if (kind === 'link' && links < maxLinks) {
      links++;
      const target = view.linkTarget(next).replaceAll('\\', '/');
      const isAbsolute = target.startsWith('/');
      rest = [...target.split('/').filter((one) => one !== ''), ...after];
      if (isAbsolute) real = '';
      spellings.push(posix.normalize([real, ...rest].join('/') || '/'));
      continue;
    }
    real = next;
    if (kind === null) {
      real = posix.normalize([real, ...rest].join('/'));
      break;
    }
  }
  real = real === '' ? '/' : real;
  if (spellings.at(-1) !== real) spellings.push(real);
  return { real, spellings: [...new Set(spellings)] };
}

type Token = 'star' | ((char: string) => boolean);

function bracket(inner: string): (char: string) => boolean {
  const negated = /^[!^]/.test(inner);
  const body = (negated ? inner.slice(1) : inner).replace(/[\\\]^[]/g, '\\$&');
  try {
    const pattern = new RegExp(`^[${negated ? '^' : ''}${body}]$`, 'su');
    return (char) => pattern.test(char);
  } catch {
    // A range that makes no sense: any character may be meant.
    return () => true;
  }
}

function segmentTokens(segment: string): readonly Token[] {
  const tokens: Token[] = [];
  for (let at = 0; at < segment.length; at++) {
    const char = segment.charAt(at);
    const end = char === '[' ? segment.indexOf(']', at + 2) : -1;
    if (char === '*') tokens.push('star');
    else if (char === '?') tokens.push(() => true);
    else if (end !== -1) {
      tokens.push(bracket(segment.slice(at + 1, end)));
      at = end;
    } else tokens.push((other) => other === char);
  }
  return tokens;
}

/** Matches a name; goes back to the last star only, so that no pattern can take long. */
function matchesSegment(name: string, tokens: readonly Token[]): boolean {
  let at = 0;
  let token = 0;
  let star = -1;
  let retry = 0;
  while (at < name.length) {
    const current = tokens[token];
    if (current === 'star') {
      star = token++;
      retry = at;
    } else if (current?.(name.charAt(at)) === true) {
      at++;
      token++;
    } else if (star !== -1) {
      token = star + 1;
      at = ++retry;
    } else return false;
  }
  return tokens.slice(token).every((rest) => rest === 'star');
}

/** Whether one name fits one segment of a shell pattern. */
export function matchesName(name: string, pattern: string): boolean {
  return matchesSegment(name, segmentTokens(pattern));
}

/** Whether a segment holds a pattern. */
export function isPattern(text: string): boolean {
  return /[*?[]/.test(text);
}

/**
 * Files that an absolute shell pattern stands for now; null when there are more than `limit`. A leading dot is matched
 * by the pattern too, because shells can be set to do so.
 */
export function expandPattern(pattern: string, view: FileView, limit: number): readonly string[] | null {
  let found: readonly string[] = [''];
  for (const segment of pattern.split('/').filter((name) => name !== '')) {
    if (!isPattern(segment)) {
      found = found.map((folder) => `${folder}/${segment}`);
      continue;
    }
    const tokens = segmentTokens(segment);
    found = found.flatMap((folder) =>
      view
        .names(folder === '' ? '/' : folder)
        .filter((name) => matchesSegment(name, tokens))
        .map((name) => `${folder}/${name}`),
    );
    if (found.length > limit) return null;
  }
  return found;
}
