/**
 * JSON that is nested deeper than this is nobody's honest value: what reads, checks, shows or writes values goes down them by
 * recursion, and the stack holds a few thousand steps.
 */
const deepestJson = 200;

/** Whether a value of JSON is nested too deep to be passed on. */
export function isNestedTooDeep(value: unknown): boolean {
  let level: readonly unknown[] = [value];
  for (let depth = 0; depth <= deepestJson; depth += 1) {
    const next: unknown[] = [];
    for (const one of level)
      if (typeof one === 'object' && one !== null)
        for (const inner of Object.values(one)) if (typeof inner === 'object' && inner !== null) next.push(inner);
    if (next.length === 0) return false;
    level = next;
  }
  return true;
}
