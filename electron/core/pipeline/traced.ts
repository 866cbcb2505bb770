// What of a value goes into the trace: enough to explain a step, never enough to burden the log.
import type { JsonValue } from '#shared/util/json';

/** Longest text, list and object kept, and how deep. All texts of one value share `maxTotal` characters. */
const maxText = 1_000;
const maxEntries = 30;
const maxDepth = 6;
const maxTotal = 6_000;

/** A bounded copy as JSON. What is left out is counted; what is no JSON stands as its kind. Never throws. */
export function traced(value: unknown): JsonValue {
  const budget = { left: maxTotal };
  try {
    return copy(value, 0, budget);
  } catch {
    // A getter or proxy of a tool's output may throw.
    return '(could not be read)';
  }
}

function copy(value: unknown, depth: number, budget: { left: number }): JsonValue {
  switch (typeof value) {
    case 'string':
      return text(value, budget);
    case 'number':
      return Number.isFinite(value) ? value : String(value);
    case 'boolean':
      return value;
    case 'object':
      break;
    default:
      return `(${typeof value})`;
  }
  if (value === null) return null;
  if (depth === maxDepth || budget.left <= 0) return '…';
  if (Array.isArray(value)) {
    const kept = value.slice(0, maxEntries).map((item: unknown) => copy(item, depth + 1, budget));
    return value.length > maxEntries ? [...kept, `… ${value.length - maxEntries} more`] : kept;
  }
  const entries = Object.entries(value);
  const kept = entries
    .slice(0, maxEntries)
    .filter(([, item]) => item !== undefined)
    .map(([key, item]): [string, JsonValue] => [text(key, budget), copy(item, depth + 1, budget)]);
  if (entries.length > maxEntries) kept.push(['…', `${entries.length - maxEntries} more`]);
  return Object.fromEntries(kept);
}

function text(value: string, budget: { left: number }): string {
  const limit = Math.max(0, Math.min(maxText, budget.left));
  budget.left -= Math.min(value.length, limit);
  if (value.length <= limit) return value;
  return `${value.slice(0, limit).replace(/[\uD800-\uDBFF]$/, '')}… (${value.length.toLocaleString('en')} characters)`;
}
