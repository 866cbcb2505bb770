// Which places on the disk a path, a pattern or a permission rule means for commands in the sandbox.
import { dirname, isAbsolute, join, normalize, resolve } from 'node:path';
import type { RuleRef } from '#shared/permissions/decision';
import { isBare, parseRule } from '#shared/permissions/rule';
import { compilePath, matchesPath, type PathPattern } from '../permissions/matchPath';
import { isInside } from '../permissions/paths';

/** Where paths start. All absolute. */
export interface Anchors {
  readonly home: string;
  /** Folder of the person's own settings: where a leading `/` of their rules starts. */
  readonly claudeConfig: string;
  /** The session's folder. */
  readonly folder: string;
  /** Where relative refusals start besides: the current folder and the other working folders. */
  readonly folders: readonly string[];
}

/** A pattern that has to be looked up on the disk, below `base`. */
export interface Pattern {
  readonly base: string;
  matches(path: string): boolean;
}

/** What a text means: places that are named, and patterns. */
export interface Meant {
  readonly paths: readonly string[];
  readonly patterns: readonly Pattern[];
}

const wildcard = /[*?[\]]/;
/** Longest path that a system takes. */
const maxPathChars = 4_096;

/** A path of `sandbox.filesystem`; the reason when it is none. A wildcard may only stand for all that lies below. */
export function pathOf(
  text: string,
  { base, home }: { readonly base: string; readonly home: string },
): { readonly path: string } | { readonly problem: string } {
  if (text.length > maxPathChars) return { problem: 'It is longer than a path can be.' };
  if (text.startsWith('$')) return { problem: 'Variables are not filled in. Write the path, or begin with ~/.' };
  if (/^~[^/]/.test(text)) return { problem: 'Of the homes only your own, ~/, can be named so.' };
  const bare = text.replace(/\/\*\*\/?$/, '') || '/';
  const path =
    bare === '~' || bare.startsWith('~/') ? join(home, bare.slice(1)) : isAbsolute(bare) ? bare : resolve(base, bare);
  return { path: withoutEnd(normalize(path.replace(/^\/+/, '/'))) };
}

/** A path or a pattern of a list that refuses. */
export function meantBy(
  text: string,
  about: { readonly base: string; readonly home: string },
): Meant | { readonly problem: string } {
  const found = pathOf(text, about);
  if ('problem' in found || !wildcard.test(found.path))
    return 'problem' in found ? found : { paths: [found.path], patterns: [] };
  const pattern = compilePath({ text: `/${found.path}`, strict: false, ignoreCase: false });
  return { paths: [], patterns: [onDisk(pattern, '/')] };
}

/** What a rule for Read or Edit means; null for other rules, for those of a whole tool, and for exceptions. */
export function meantByRule(rule: RuleRef, anchors: Anchors): (Meant & { readonly tool: 'Read' | 'Edit' }) | null {
  const parsed = parseRule(rule.text);
  if (!parsed.ok || isBare(parsed.value) || parsed.value.content === null) return null;
  const { tool, content } = parsed.value;
  if (tool !== 'Read' && tool !== 'Edit') return null;
  const pattern = compilePath({ text: content, strict: rule.behavior === 'allow', ignoreCase: false });
  if (pattern.negated) return null;
  const bases = basesOf(pattern, rule, anchors);
  const named = nameOf(pattern, rule.behavior === 'allow');
  return named === null
    ? { tool, paths: [], patterns: bases.map((base) => onDisk(pattern, base)) }
    : { tool, paths: bases.map((base) => withoutEnd(normalize(join(base, named)))), patterns: [] };
}

function basesOf(pattern: PathPattern, rule: RuleRef, anchors: Anchors): readonly string[] {
  const { home, folder, folders, claudeConfig } = anchors;
  switch (pattern.anchor) {
    case 'root':
      return ['/'];
    case 'home':
      return [home];
    case 'source':
      if (rule.source === 'userSettings') return [claudeConfig];
      return [rule.source === 'flagSettings' && rule.file !== undefined ? dirname(rule.file) : folder];
    case 'current':
      return rule.behavior === 'allow' ? [folder] : [...new Set([folder, ...folders])];
  }
}

/** The one place that a pattern names below its anchor; null when it may be many. */
function nameOf({ anchor, text }: PathPattern, strict: boolean): string | null {
  const whole = text.endsWith('/**');
  const bare = whole ? text.slice(0, -3) : text.replace(/\/$/, '');
  if (wildcard.test(bare) || bare.includes('\\')) return null;
  // Without a slash inside, it is a name at any depth; a folder of all that lies in it too, where it refuses.
  const isAnchored = anchor !== 'current' || bare.includes('/') || (strict && whole);
  return isAnchored ? bare : null;
}

/** Patterns by what they were made of, so that what they matched is known at the next look at the disk. */
const patternsMade = new Map<string, Pattern>();
const maxPatterns = 500;
/** Paths that a pattern remembers. */
const maxRemembered = 20_000;

function onDisk(pattern: PathPattern, anchor: string): Pattern {
  const key = `${anchor}\0${pattern.anchor}\0${pattern.text}`;
  const known = patternsMade.get(key);
  if (known !== undefined) return known;
  // A relative one may mean a name at any depth.
  const fixed = pattern.anchor === 'current' ? '' : pattern.text.slice(0, pattern.text.search(wildcard));
  const way = fixed.slice(0, fixed.lastIndexOf('/') + 1);
  const anchors = { home: [anchor], source: [anchor], current: [anchor] };
  const seen = new Map<string, boolean>();
  const made: Pattern = {
    base: withoutEnd(normalize(join(anchor, way))),
    matches(path) {
      const before = seen.get(path);
      if (before !== undefined) return before;
      if (seen.size >= maxRemembered) seen.clear();
      const matches = matchesPath({ pattern, anchors, path, ignoreCase: true });
      seen.set(path, matches);
      return matches;
    },
  };
  if (patternsMade.size >= maxPatterns) patternsMade.clear();
  patternsMade.set(key, made);
  return made;
}

const withoutEnd = (path: string): string => (path.length > 1 ? path.replace(/\/+$/, '') : path);

/** The disk, as far as patterns look at it. */
export interface PlacesView {
  /** What lies in a folder; empty where it cannot be read. Links are not followed. */
  entries(folder: string): readonly { readonly name: string; readonly isFolder: boolean }[];
}

/** Names that are looked at for all patterns together. */
export const maxLookedAt = 10_000;
/** Places that patterns stand for, taken together: each is a mount of its own, and a command waits for all of them. */
export const maxFound = 300;

/** Never looked through: not files, or without end. */
const notFiles: ReadonlySet<string> = new Set(['/proc', '/sys', '/dev']);
/** Not looked through unless a pattern starts there: mostly others' files, and more than all others together. */
const ofOthers: ReadonlySet<string> = new Set(['node_modules', '.git']);

/**
 * What patterns stand for now, in their order. The folders of `first` are looked through before others, upper ones first;
 * `complete` is false when not all could be looked at or taken. Packages (`node_modules`) and `.git` are left out. Below what
 * a pattern stands for nothing more is looked for.
 */
export function lookUp(
  patterns: readonly Pattern[],
  { view, first }: { readonly view: PlacesView; readonly first: readonly string[] },
): { readonly found: readonly (readonly string[])[]; readonly complete: boolean } {
  const found = patterns.map((): string[] => []);
  const bases = [...new Set(patterns.map((pattern) => pattern.base))];
  const near = first.filter((folder) => bases.some((base) => isInside(folder, base)));
  const seen = new Set<string>();
  let looked = 0;
  let places = 0;
  for (const start of [...near, ...bases]) {
    const queue = [start];
    for (let at = queue.shift(); at !== undefined; at = queue.shift()) {
      if (seen.has(at)) continue;
      seen.add(at);
      for (const { name, isFolder } of view.entries(at)) {
        if (++looked > maxLookedAt) return { found, complete: false };
        const path = at === '/' ? `/${name}` : `${at}/${name}`;
        let isFound = false;
        for (const [index, pattern] of patterns.entries())
          if (isInside(path, pattern.base) && pattern.matches(path)) {
            found[index]?.push(path);
            isFound = true;
          }
        if (isFound && ++places >= maxFound) return { found, complete: false };
        const leads = !isFound || patterns.some((pattern) => pattern.base !== path && isInside(pattern.base, path));
        if (isFolder && leads && !notFiles.has(path) && !ofOthers.has(name)) queue.push(path);
      }
    }
  }
  return { found, complete: true };
}
