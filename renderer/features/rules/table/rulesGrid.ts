/** Names the grid of rules in the page. */
export const rulesGridId = 'rules-grid';

/** Brings the focus back to the rules once what had it is gone: a menu, the bar of chosen rules, a form. */
export function focusRules(): void {
  requestAnimationFrame(() => document.getElementById(rulesGridId)?.focus({ preventScroll: true }));
}
