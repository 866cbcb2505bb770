// A worktree is a second checkout of the same files: what is denied or asked for in one is so in the other.
import { worktreeAt } from '../worktrees/worktrees';
import type { Place } from './facts';
import type { SourcedRule } from './ruleSet';

interface Checkouts {
  readonly place: Pick<Place, 'folder' | 'cwd'>;
  /** The folder of the session's rules; a sub-agent's place may be another checkout of it. */
  readonly main: string;
}

/** The other checkout: the session's own for an agent in a worktree, the worktree for a session that has moved into one. */
function twinOf({ place, main }: Checkouts): string | null {
  return place.folder === main ? (worktreeAt(main, place.cwd)?.path ?? null) : main;
}

/** Rules that start from the folder, for the other checkout. Allowing ones stay where they are. */
export function rulesOfTwin(rules: readonly SourcedRule[], checkouts: Checkouts): readonly SourcedRule[] {
  const sourceFolder = twinOf(checkouts);
  if (sourceFolder === null) return [];
  return rules
    .filter((rule) => rule.sourceFolder === null && rule.ref.behavior !== 'allow' && /\(\/(?!\/)/.test(rule.ref.text))
    .map(({ ref }) => ({ ref, sourceFolder }));
}

/** Folders that relative patterns of denying rules start from, with the other checkout. */
export function deniedBelow(folders: readonly string[], checkouts: Checkouts): readonly string[] {
  const twin = twinOf(checkouts);
  return twin === null || folders.includes(twin) ? folders : [...folders, twin];
}
