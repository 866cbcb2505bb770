// Removals that must not happen by mistake: the root, the home folder, the working folder and what lies above it.
import { posix } from 'node:path';
import { isInside } from './paths';
import type { ShellPart } from './shell/walk';
import { baseName } from './shell/wrappers';

export interface Precious {
  readonly homes: readonly string[];
  /** The session's folder and the folder the command starts in, in all spellings. */
  readonly folders: readonly string[];
  readonly additional: readonly string[];
}

function isPrecious(path: string, precious: Precious): boolean {
  const depth = path.split('/').filter((name) => name !== '').length;
  if (depth <= 1) return true;
  if (/^\/(private|[a-z])\/[^/]+$/.test(path)) return true;
  return [...precious.homes, ...precious.folders].some((folder) => isInside(folder, path));
}

/** Patterns at the end of a path that take all or nearly all there is: `*`, `.*`, `?*`, `*.*`, `[a-z]*`, and `**` in front. */
const sweep = /(^|\/)(?:\*\*\/)*(?:\{\*,\.\*\}|(?:\[[^\]/]*\]|[*?.])*\*)\/?$/;

/** Whether removing this would remove something precious; the text says what. */
function judge(value: string, cwds: readonly string[] | null, precious: Precious): string | null {
  if (/^\$\{?\w+[^/]*\}?\/(\*|\.\*)?$/.test(value))
    return `${value}: if the variable is empty this is the root of the file system`;
  if (/^~[\w.-]+\/?(\*|\.\*)?$/.test(value)) return `${value}: somebody’s home folder`;
  if (/^(\$\{?OLDPWD\}?|~-)\/?$/.test(value)) return `${value}: the folder that was left may be any`;
  const sweeping = sweep.test(value);
  const target = sweeping ? value.replace(sweep, '$1') : value;
  if (!value.startsWith('/') && cwds === null && (sweeping || /^(\.{1,2}\/?)+$/.test(value)))
    return `${value}, in a folder that is not known before it runs`;
  const bases = value.startsWith('/') ? ['/'] : (cwds ?? []);
  for (const base of bases) {
    const path = posix.resolve(base, target === '' ? '.' : target);
    if (isPrecious(path, precious)) return sweeping ? `everything in ${path}` : path;
    if (sweeping && precious.additional.includes(path)) return `everything in ${path}`;
    if (sweeping && /(^|\/)\.\*\/?$/.test(value) && isPrecious(posix.dirname(path), precious))
      return posix.dirname(path);
  }
  return null;
}

const findFilters =
  /^-(name|iname|path|ipath|wholename|regex|iregex|size|mtime|mmin|atime|ctime|newer\w*|empty|user|group|perm)$/;

/** Start folders of a find that deletes. Filters make it an ordinary clean-up of the working folder. */
function findTargets(values: readonly (readonly string[])[]): {
  readonly targets: readonly string[];
  readonly filtered: boolean;
} {
  const args = values.slice(1);
  const end = args.findIndex((words) => /^[-(!]/.test(words[0] ?? '') && !/^-[HLP]$/.test(words[0] ?? ''));
  const starts = (end === -1 ? args : args.slice(0, end)).flat().filter((word) => !word.startsWith('-'));
  return {
    targets: starts.length === 0 ? ['.'] : starts,
    filtered: args.some((words) => findFilters.test(words[0] ?? '')),
  };
}

/** What precious thing a command removes, in words; null when it removes none. */
export function criticalRemoval(part: ShellPart, precious: Precious): string | null {
  const name = baseName(part.words[0]?.values[0] ?? '');
  const values = part.words.map((word) => word.values);
  if (name === 'find') {
    const deletes = values.some((words, at) => {
      if (words[0] === '-delete') return true;
      return (
        /^-(exec|execdir|ok|okdir)$/.test(words[0] ?? '') && /^(rm|rmdir)$/.test(baseName(values[at + 1]?.[0] ?? ''))
      );
    });
    if (!deletes) return null;
    const { targets, filtered } = findTargets(values);
    for (const target of targets) {
      const found = judge(target, part.cwds, precious);
      const own = precious.folders.some((folder) => found === folder);
      if (found !== null && !(filtered && own)) return `This deletes from ${found}.`;
    }
    return null;
  }
  const removing = part.words.findIndex((word) => word.values.some((value) => /^(.*\/)?(rm|rmdir)$/.test(value)));
  // Braces may hold the name itself: {rm,-rf,/}.
  if (removing !== 0) return null;
  const targets = values
    .slice(1)
    .flat()
    .concat(values[0]?.slice(1) ?? [])
    .flatMap((value) => value.split(/\s+/))
    .filter((value) => value !== '' && !/^-./.test(value));
  for (const target of targets) {
    const found = judge(target, part.cwds, precious);
    if (found !== null) return `This removes ${found}.`;
  }
  return null;
}
