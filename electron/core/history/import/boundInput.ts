// Inputs of calls as they are kept: nothing endless, nothing that poses as part of an object's own workings.

/** Longer texts within an input are cut: commands beyond half of it always ask, and contents of files decide nothing. */
export const maxTextChars = 20_000;
/** More values than this, or deeper than that, is no input of a call that anybody made. */
const maxValues = 5_000;
const maxDepth = 50;

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A bounded copy of a parsed input; null when it is none. */
export function boundInput(value: unknown): Record<string, unknown> | null {
  let left = maxValues;
  const copy = (each: unknown, depth: number): unknown => {
    left -= 1;
    if (left < 0 || depth > maxDepth) throw new TooMuch();
    if (typeof each === 'string') return each.length > maxTextChars ? each.slice(0, maxTextChars) : each;
    if (Array.isArray(each)) return each.map((item) => copy(item, depth + 1));
    if (!isRecord(each)) return each;
    const kept: [string, unknown][] = [];
    for (const [key, member] of Object.entries(each))
      if (key !== '__proto__' && key.length <= maxTextChars) kept.push([key, copy(member, depth + 1)]);
    return Object.fromEntries(kept);
  };
  try {
    const bounded = copy(value, 0);
    return isRecord(bounded) ? bounded : null;
  } catch (error) {
    if (error instanceof TooMuch) return null;
    throw error;
  }
}

class TooMuch extends Error {}
