// Path patterns of Read and Edit rules: gitignore rules under four anchors.
import ignore, { type Ignore } from 'ignore';
import { fold, isInside } from './paths';

export type Anchor = 'root' | 'home' | 'source' | 'current';

/** A path pattern taken apart. */
export interface PathPattern {
  readonly anchor: Anchor;
  /** `!pattern`: an exception within its own list. */
  readonly negated: boolean;
  /** The pattern as written, without `!` and anchor. */
  readonly text: string;
  /** Whether the pattern matches a path relative to its anchor. */
  matches(relative: string): boolean;
}

/** Folders that the anchors stand for. Each is given in all its spellings. */
export interface Anchors {
  readonly home: readonly string[];
  readonly source: readonly string[];
  readonly current: readonly string[];
}

function anchorOf(text: string): { readonly anchor: Anchor; readonly pattern: string } {
  if (text.startsWith('//')) return { anchor: 'root', pattern: text.slice(1) };
  if (text === '~' || text.startsWith('~/')) return { anchor: 'home', pattern: text === '~' ? '/**' : text.slice(1) };
  if (text.startsWith('/')) return { anchor: 'source', pattern: text };
  return { anchor: 'current', pattern: text.replace(/^(\.\/)+/, '') };
}

/** What a refusal also covers: the folder itself, when everything in it is refused, and names with a slash behind. */
function widen(pattern: string): readonly string[] {
  return pattern.endsWith('/**') && pattern.length > 3 ? [pattern, pattern.slice(0, -3)] : [pattern];
}

/**
 * Compiles a pattern. `strict` is for allow: exact case where the disk has it, `dir/**` only directly below the anchor.
 * For deny and ask case is ignored, `dir/**` reaches every `dir`, and the folder itself counts too.
 */
export function compilePath(options: {
  readonly text: string;
  readonly strict: boolean;
  readonly ignoreCase: boolean;
}): PathPattern {
  const { text, strict } = options;
  const ignoreCase = options.ignoreCase || !strict;
  const negated = text.startsWith('!');
  const { anchor, pattern } = anchorOf((negated ? text.slice(1) : text).trimEnd());
  const single = anchor === 'current' && /^[^/]+\/\*\*$/.test(pattern);
  const placed = single ? (strict ? `/${pattern}` : `**/${pattern}`) : pattern;
  const lines = (strict ? [placed] : widen(placed)).map((line) => fold(line.replace(/^#/, '\\#'), ignoreCase));
  let tester: Ignore | undefined;
  return {
    anchor,
    negated,
    text: pattern,
    matches(relative) {
      if (relative === '') return !strict && /^\/?\*\*$/.test(pattern);
      tester ??= ignore({ ignorecase: ignoreCase }).add([...lines]);
      const name = fold(relative, ignoreCase);
      if (!ignore.isPathValid(name)) return false;
      return tester.ignores(name) || (!strict && tester.ignores(`${name}/`));
    },
  };
}

/** Whether a pattern matches one absolute path. Nothing matches above its anchor. */
export function matchesPath(options: {
  readonly pattern: PathPattern;
  readonly anchors: Anchors;
  readonly path: string;
  readonly ignoreCase: boolean;
}): boolean {
  const { pattern, anchors, ignoreCase } = options;
  const path = fold(options.path, ignoreCase);
  const folders = pattern.anchor === 'root' ? ['/'] : anchors[pattern.anchor];
  return folders.some((folder) => {
    const base = fold(folder, ignoreCase);
    if (!isInside(path, base)) return false;
    return pattern.matches(path.slice(base.length).replace(/^\//, ''));
  });
}
