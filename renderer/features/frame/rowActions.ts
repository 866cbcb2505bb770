/** What a row is asked to do; the list knows its neighbours. */
export type RowAction = 'open' | 'rename' | 'delete' | 'pin' | 'archive' | 'menu' | 'closeMenu';
export type RowMove = 'next' | 'previous' | 'first' | 'last' | 'nextPage' | 'previousPage';
