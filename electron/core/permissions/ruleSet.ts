// Compiles the rules of all sources for one place.
import type { RuleRef } from '#shared/permissions/decision';
import type { RuleSource } from '#shared/permissions/sources';
import { type Place, spellingsOf } from './facts';
import type { FileView } from './fileView';
import { finderOf, setFinder } from './ruleIndex';
import { type CompiledRule, compileRule, type RuleSet } from './rules';

/** A rule with the folder that its leading `/` stands for; null = the session's folder. */
export interface SourcedRule {
  readonly ref: RuleRef;
  readonly sourceFolder: string | null;
}

type RuleLists = Readonly<Record<RuleRef['behavior'], readonly CompiledRule[]>>;

/** What was compiled last from a list of rules: a change of the current folder alone compiles nothing. */
const compiled = new WeakMap<readonly SourcedRule[], { readonly key: string; readonly lists: RuleLists }>();

function compileLists(options: {
  readonly rules: readonly SourcedRule[];
  readonly folders: readonly string[];
  readonly ignoreCase: boolean;
  readonly view: FileView;
}): RuleLists {
  const { rules, folders, ignoreCase, view } = options;
  const known = new Map<string | null, readonly string[]>([[null, folders]]);
  for (const { sourceFolder } of rules)
    if (sourceFolder !== null && !known.has(sourceFolder)) known.set(sourceFolder, spellingsOf(sourceFolder, view));
  const key = JSON.stringify([ignoreCase, [...known]]);
  const before = compiled.get(rules);
  if (before?.key === key) return before.lists;
  const lists: Record<RuleRef['behavior'], CompiledRule[]> = { allow: [], ask: [], deny: [] };
  for (const [order, { ref, sourceFolder }] of rules.entries()) {
    const rule = compileRule({
      ref,
      group: `${ref.source} ${ref.file ?? ''} ${ref.behavior}`,
      order,
      sourceFolders: known.get(sourceFolder) ?? folders,
      ignoreCase,
    });
    if (rule !== null) lists[ref.behavior].push(rule);
  }
  compiled.set(rules, { key, lists });
  return lists;
}

/**
 * Compiles rules in the order given. The list itself must not change afterwards. Rules of user settings anchor `/p` at the settings folder, those of a `--settings`
 * file at its folder, all others at the session's folder. Relative allow patterns start at the session's folder, so
 * that a `cd` of the model cannot move them; relative deny and ask patterns start there, at the current folder and at
 * every additional folder.
 */
export function buildRuleSet(rules: readonly SourcedRule[], place: Place, view: FileView): RuleSet {
  const folders = spellingsOf(place.folder, view);
  const others = [place.cwd, ...place.additional].flatMap((folder) => spellingsOf(folder, view));
  const lists = compileLists({ rules, folders, ignoreCase: place.ignoreCase, view });
  return {
    ...lists,
    ignoreCase: place.ignoreCase,
    homeFolders: spellingsOf(place.home, view),
    allowFolders: folders,
    denyFolders: [...new Set([...folders, ...others])],
  };
}

/** The same rules with more behind them, compiled for the same place. */
export function extendRuleSet(options: {
  readonly rules: RuleSet;
  readonly more: readonly SourcedRule[];
  readonly place: Place;
  readonly view: FileView;
}): RuleSet {
  const { rules, more, place, view } = options;
  const added = buildRuleSet(more, place, view);
  return {
    ...rules,
    allow: joined(rules.allow, added.allow),
    ask: joined(rules.ask, added.ask),
    deny: joined(rules.deny, added.deny),
  };
}

/** One list behind the other. It is looked up in both, so that a long list is not indexed anew for one rule more. */
function joined(first: readonly CompiledRule[], second: readonly CompiledRule[]): readonly CompiledRule[] {
  if (second.length === 0) return first;
  const list = [...first, ...second];
  const finders = [finderOf(first), finderOf(second)];
  setFinder(list, (subject) => finders.flatMap((find) => find(subject)));
  return list;
}

/** Sources in the order in which their rules are tried and shown. */
export const sourceOrder: readonly RuleSource[] = [
  'policySettings',
  'cliArg',
  'flagSettings',
  'localSettings',
  'projectSettings',
  'userSettings',
  'command',
  'session',
];
