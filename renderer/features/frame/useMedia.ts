import { useSyncExternalStore } from 'react';

/** Whether a media query matches now. */
export function useMedia(query: string): boolean {
  return useSyncExternalStore(
    (changed) => {
      const list = window.matchMedia(query);
      list.addEventListener('change', changed);
      return () => list.removeEventListener('change', changed);
    },
    () => window.matchMedia(query).matches,
  );
}

/** From this width on the sidebar stands beside the content. */
export const sidebarFits = '(min-width: 900px)';

/** From this width on the inspector stands beside the content. */
export const inspectorFits = '(min-width: 1100px)';
