// What differs between two states of the rules, where the rest is the same.
import type { Sources } from '../../permissions/combineSources';
import type { SourcedRule } from '../../permissions/ruleSet';

const names = new WeakMap<SourcedRule, string>();

/** The same for rules that do the same; the line it stands in does nothing. */
function nameOf(rule: SourcedRule): string {
  const known = names.get(rule);
  if (known !== undefined) return known;
  const { ref, sourceFolder } = rule;
  const name = JSON.stringify([ref.text, ref.behavior, ref.source, ref.file, sourceFolder]);
  names.set(rule, name);
  return name;
}

const isException = (rule: SourcedRule): boolean => /\(\s*!/.test(rule.ref.text);

function rest(sources: Sources): string {
  const { folder, additional, defaultMode, bypassDisabled, autoDisabled, switches, descriptions, callHooks } = sources;
  return JSON.stringify([
    folder,
    additional,
    defaultMode,
    bypassDisabled,
    autoDisabled,
    switches,
    descriptions,
    callHooks,
  ]);
}

const rests = new WeakMap<Sources, string>();

function restOf(sources: Sources): string {
  const known = rests.get(sources) ?? rest(sources);
  rests.set(sources, known);
  return known;
}

function without(rules: readonly SourcedRule[], others: readonly SourcedRule[]): readonly SourcedRule[] {
  const counts = new Map<string, number>();
  for (const rule of others) counts.set(nameOf(rule), (counts.get(nameOf(rule)) ?? 0) + 1);
  return rules.filter((rule) => {
    const left = counts.get(nameOf(rule)) ?? 0;
    if (left > 0) counts.set(nameOf(rule), left - 1);
    return left === 0;
  });
}

/**
 * Rules that only one of the two has: a verdict can differ only for calls that one of them speaks of. Null where that does
 * not hold, because something else differs or an exception changes what other rules say.
 */
export function changedRules(before: Sources, after: Sources): readonly SourcedRule[] | null {
  if (restOf(before) !== restOf(after)) return null;
  const changed = [...without(before.rules, after.rules), ...without(after.rules, before.rules)];
  if (changed.some(isException)) return null;
  // An exception counts for the rules before it, so with one the order must not differ either.
  if (before.rules.some(isException)) {
    const both = (rules: readonly SourcedRule[], others: readonly SourcedRule[]): string => {
      const only = new Set(without(rules, others));
      return rules.flatMap((rule) => (only.has(rule) ? [] : [nameOf(rule)])).join('\n');
    };
    if (both(before.rules, after.rules) !== both(after.rules, before.rules)) return null;
  }
  return changed;
}
