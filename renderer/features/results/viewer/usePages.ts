import { useEffect, useSyncExternalStore } from 'react';
import type { Pages } from './pages';

/** Draws anew when pages come, and asks for those in view. */
export function usePages<Row>(
  pages: Pages<Row>,
  range: { readonly from: number; readonly to: number; readonly count: number },
): void {
  useSyncExternalStore(pages.subscribe, pages.version);
  const { from, to, count } = range;
  useEffect(() => pages.want({ from, to, count }), [pages, from, to, count]);
}
