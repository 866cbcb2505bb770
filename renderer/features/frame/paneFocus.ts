const focusable =
  'button:not([disabled]), [href], input:not([disabled]), textarea:not([disabled]), select:not([disabled]), [tabindex="0"]';

/** Moves the focus to the next (1) or previous (-1) element marked `data-pane`, to its last or first focusable part. */
export function focusPane(step: 1 | -1): void {
  const panes = [...document.querySelectorAll<HTMLElement>('[data-pane]')];
  if (panes.length === 0) return;
  const here = panes.findIndex((pane) => pane.contains(document.activeElement));
  const next = here === -1 ? (step === 1 ? 0 : panes.length - 1) : (here + step + panes.length) % panes.length;
  const pane = panes[next];
  if (pane === undefined) return;
  const preferred = pane.querySelector<HTMLElement>('[data-pane-focus]') ?? pane.querySelector<HTMLElement>(focusable);
  (preferred ?? pane).focus();
}
