// The key of this page, which the link from the terminal brought. It lies in the storage of this origin, which no other
// port of this machine can read, unlike a cookie.

const stored = 'gatehouse.pageKey';
const inAddress = /^#key=([\w-]{43})$/;

/** The parts of `window` that are used. */
export interface PageSurroundings {
  readonly location: Pick<Location, 'hash' | 'pathname' | 'host' | 'protocol'>;
  readonly history: Pick<History, 'replaceState'>;
  readonly localStorage: Pick<Storage, 'getItem' | 'setItem'>;
}

/** Moves the key from the address into the storage, and cleans the address. Must run before the first connection. */
export function takePageKey({ location, history, localStorage }: PageSurroundings): void {
  const key = inAddress.exec(location.hash)?.[1];
  if (key === undefined) return;
  localStorage.setItem(stored, key);
  history.replaceState(null, '', location.pathname);
}

/** The key, read anew each time: another tab may have been opened with a newer link. Null: none was brought. */
export function pageKey({ localStorage }: Pick<PageSurroundings, 'localStorage'>): string | null {
  return localStorage.getItem(stored);
}
