/** Names the grid of files in the page. */
export const resultsGridId = 'results-grid';

/** Brings the focus back to the files once what had it is gone: a dialog, the bar of chosen files, the viewer. */
export function focusResults(): void {
  requestAnimationFrame(() => document.getElementById(resultsGridId)?.focus({ preventScroll: true }));
}
