// What a sandboxed command may do with a path: the one decision behind every kind of sandbox.
import { depth, isInside } from './places';

export type PlaceState = 'hidden' | 'readOnly' | 'writable';

/** Real paths all. */
export interface PolicyPlaces {
  readonly writable: readonly string[];
  /** Can be read, wherever they lie. */
  readonly shown: readonly string[];
  readonly hidden: readonly string[];
  readonly readOnly: readonly string[];
}

/** Remembers what it was asked. */
export class ViewOfPlaces {
  private readonly places: PolicyPlaces;
  private readonly known = new Map<string, PlaceState>();

  constructor(places: PolicyPlaces) {
    this.places = places;
  }

  /** The state of one real path, which need not exist. */
  stateOf(path: string): PlaceState {
    const known = this.known.get(path);
    if (known !== undefined) return known;
    const state = this.decide(path);
    this.known.set(path, state);
    return state;
  }

  /**
   * To be seen the more specific place counts, and hiding between two that are the same. To be written a place must lie
   * in a writable one that is not hidden from within, and what stays read-only does so however specific the other is.
   */
  private decide(path: string): PlaceState {
    const { writable, shown, hidden, readOnly } = this.places;
    const writableAt = deepest(writable, path);
    const hiddenAt = deepest(hidden, path);
    if (hiddenAt >= 0 && hiddenAt >= Math.max(writableAt, deepest(shown, path))) return 'hidden';
    if (writableAt < 0 || hiddenAt >= writableAt) return 'readOnly';
    return readOnly.some((place) => isInside(place, path) && !this.isWorktree(place, path)) ? 'readOnly' : 'writable';
  }

  /**
   * Worktrees of a session lie in `.claude`, which is protected: their folder, or one of them, is no part of it where it is
   * given as writable.
   */
  private isWorktree(place: string, path: string): boolean {
    const worktrees = `${place}/worktrees`;
    return (
      place.endsWith('/.claude') &&
      isInside(worktrees, path) &&
      this.places.writable.some((folder) => isInside(worktrees, folder) && isInside(folder, path))
    );
  }
}

/** How deep the innermost place around the path lies; -1 for none. */
function deepest(places: readonly string[], path: string): number {
  let found = -1;
  for (const place of places) if (isInside(place, path)) found = Math.max(found, depth(place));
  return found;
}
