/** Names the grid of files in the page. */
export const resultsGridId = 'results-grid';

/** Brings the focus back to the files once what had it is gone: a dialog, the bar of chosen files, the viewer. */
export function focusResults(): void {
  requestAnimationFrame(() => document.getElementById(resultsGridId)?.focus({ preventScroll: true }));
}

/** Names the pane with the file. */
export const filePaneId = 'results-file-pane';

/** Brings the focus to the rows of the file that is open. */
export function focusFile(): void {
  document.getElementById(filePaneId)?.querySelector<HTMLElement>('[data-pane-focus]')?.focus({ preventScroll: true });
}
