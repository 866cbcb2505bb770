// The smallest rules that would have saved the most asks. What is dangerous is never proposed.
import type { Suggestion } from '#shared/api/history';
import { isBare, parseRule } from '#shared/permissions/rule';
import type { SavableSource } from '#shared/permissions/sources';
import { isBroad, runsAnything } from '../../permissions/broadRules';
import { holdsCredential } from '../../permissions/credentials';
import { mayAllow } from '../../permissions/explainParts';
import { gatherFacts, spellingsOf } from '../../permissions/facts';
import { buildRuleSet, extendRuleSet } from '../../permissions/ruleSet';
import type { CompiledRule, RuleSet } from '../../permissions/rules';
import { suggestRules } from '../../permissions/suggest';
import { allProbes } from '../../policy/probes/probes';
import type { CallIndex, CallScope, Pace, ReplayPolicies } from '../pastCalls';
import { dangerOf, dangerousFrom } from './danger';
import type { Distinct, Gathered, PastCase } from './distinctCalls';
import { rulesIn } from './moreRules';
import type { Outcome } from './outcome';
import { createRequestReader } from './pastRequest';
import type { PolicyVerdicts } from './policyVerdicts';
import { type Change, callsIn, reachOfChanges, type Sorted, sortChanges } from './reach';
import { decideAll, verdictsOf } from './replay';
import type { Group } from './timeline';
import type { Memory } from './world';

/** Proposals at most. */
const maxSuggestions = 12;
/** Different asks from which rules are made, the most frequent first. */
const maxSeeds = 1_500;
/** Groups of rules that are compared, the most promising first. */
const maxFamilies = 150;
const maxVariants = 6;
/** The part of calls that may have been refused at the time where a rule for them is proposed nevertheless. */
const maxRefused = 0.1;
const decisionsPerBreath = 8;

/** A call that is not allowed, and may be by a rule. */
interface Open {
  readonly group: Group;
  readonly before: Outcome;
  readonly gathered: Gathered;
  readonly policy: PolicyVerdicts;
}

/** Rules that would answer one kind of ask, narrow to broad. */
interface Family {
  readonly variants: readonly (readonly string[])[];
  /** Calls that it was made for. */
  weight: number;
}

interface Judged {
  readonly rules: readonly string[];
  readonly sorted: Sorted;
}

interface Work {
  readonly memory: Memory;
  readonly index: CallIndex;
  readonly pace: Pace;
}

const keyOf = (rules: readonly string[]): string => rules.join('\n');

/** Tries rules on calls of one policy. */
class Trials {
  private readonly sets = new Map<string, RuleSet>();

  constructor(
    private readonly source: SavableSource,
    private readonly probes: Probes,
  ) {}

  setWith(policy: PolicyVerdicts, cwd: string, rules: readonly string[]): RuleSet {
    const { sources, options } = policy;
    const key = `${sources.folder}\0${cwd}\0${keyOf(rules)}`;
    const known = this.sets.get(key);
    if (known !== undefined) return known;
    const { place, rules: own } = policy.at(cwd);
    const more = rulesIn(sources, { rules, behavior: 'allow', source: this.source });
    const made = extendRuleSet({ rules: own, more, place, view: options.view });
    if (this.sets.size >= 5_000) this.sets.clear();
    this.sets.set(key, made);
    return made;
  }

  outcome({ group, gathered, policy }: Open, rules: readonly string[]): Outcome {
    const { distinct, mode } = group.one;
    return policy.settle({ distinct, mode, gathered, rules: this.setWith(policy, distinct.cwd, rules) });
  }

  /** Whether nothing speaks against a person keeping the rules. */
  areSafe(policy: PolicyVerdicts, rules: readonly string[]): boolean {
    if (!rules.every((rule) => isSafeText(rule) && fits(rule, this.source))) return false;
    const { place } = policy.at(policy.sources.folder);
    const more = rulesIn(policy.sources, { rules, behavior: 'allow', source: this.source });
    const { allow } = buildRuleSet(more, place, policy.options.view);
    return allow.length === rules.length && !allow.some(isBroad) && !this.probes.allowedBy(policy, rules, allow, this);
  }
}

/** In the user's own settings a leading `/` starts at the settings folder, so such a rule would mean another file. */
function fits(rule: string, source: SavableSource): boolean {
  return source !== 'userSettings' || !/^(Read|Edit)\((?!\/\/|~)/.test(rule);
}

/** Neither in several lines, nor with a credential, nor for what runs whatever it is given. */
export function isSafeText(rule: string): boolean {
  if (/[\n\r]/.test(rule) || holdsCredential(rule)) return false;
  const parsed = parseRule(rule);
  if (!parsed.ok) return false;
  const { tool, content } = parsed.value;
  const isShell = tool === 'Bash' || tool === 'Monitor' || tool === 'PowerShell';
  if (!isShell) return true;
  if (isBare(parsed.value) || content === null) return false;
  const words = content
    .replace(/(:\*|\s*\*)$/, '')
    .trim()
    .split(/\s+/);
  const heads = words.slice(0, 3).map((_, at) => words.slice(0, at + 1).join(' '));
  // With the script's name behind it, a package manager's `run` runs what the project says.
  const runsScript = (head: string): boolean => words.length > 2 && /^(npm|pnpm|yarn|bun) run$/.test(head);
  return !heads.some((head) => runsAnything(head) && !runsScript(head));
}

/** Known dangerous calls, as they would be made in a folder. */
class Probes {
  private readonly known = new Map<string, readonly Gathered[]>();
  private readonly verdicts = new Map<string, boolean>();

  constructor(private readonly home: string) {}

  private of(policy: PolicyVerdicts): readonly Gathered[] {
    const { folder } = policy.sources;
    const known = this.known.get(folder);
    if (known !== undefined) return known;
    const read = createRequestReader(this.home);
    const { place } = policy.at(folder);
    const found = allProbes().flatMap(({ tool, input }): Gathered[] => {
      const { request, doubt } = read({ tool, input, cwd: folder, project: folder });
      if (doubt !== null) return [];
      const facts = gatherFacts(request, place, policy.options.view);
      return dangerOf(facts).score >= dangerousFrom ? [{ request, facts }] : [];
    });
    this.known.set(folder, found);
    return found;
  }

  /** Whether one of them would run with the rules that does not run without them. */
  allowedBy(policy: PolicyVerdicts, rules: readonly string[], list: readonly CompiledRule[], trials: Trials): boolean {
    const { folder } = policy.sources;
    const key = `${folder}\0${keyOf(rules)}`;
    const known = this.verdicts.get(key);
    if (known !== undefined) return known;
    const found = this.of(policy).some((gathered) => {
      if (mayAllow(list, gathered.facts).length === 0) return false;
      const withThem = { mode: 'default', rules: trials.setWith(policy, folder, rules) } as const;
      return (
        policy.decide(folder, gathered, withThem).behavior === 'allow' &&
        policy.decide(folder, gathered, { mode: 'default' }).behavior !== 'allow'
      );
    });
    this.verdicts.set(key, found);
    return found;
  }
}

/** Proposes allow rules from the calls of a scope: for the folder, or with a scope without one for the user. */
export async function suggestFromPast(
  { scope, folder }: { readonly scope: CallScope; readonly folder: string },
  policies: ReplayPolicies,
  work: Work,
): Promise<{ readonly suggestions: readonly Suggestion[]; readonly asked: number }> {
  const { memory, pace } = work;
  const source: SavableSource = scope.folder === null ? 'userSettings' : 'localSettings';
  const counted = await memory.timeline.counted(scope, pace);
  const own = new Map([...policies.after].filter(([project]) => scope.folder === null || project === folder));
  const verdicts = verdictsOf(own, memory);
  await decideAll(counted, verdicts, { memory, pace });
  const open = openCalls(counted.groups, verdicts, memory);
  const asked = open.filter((one) => one.before === 'ask').reduce((sum, { group }) => sum + group.count, 0);
  const [first] = verdicts.values();
  if (first === undefined) return { suggestions: [], asked };
  const trials = new Trials(source, new Probes(first.options.host.home));
  const families = await familiesOf(open, trials, pace);
  const hits = await hitsOf(open, families, { source, pace });
  const judged = new Map<string, Judged>();
  const judge = (rules: readonly string[]): Judged => {
    const known = judged.get(keyOf(rules));
    if (known !== undefined) return known;
    const may = new Set(rules.flatMap((rule) => hits.get(rule) ?? []));
    const changes = [...may].flatMap((one): Change[] => {
      const after = trials.outcome(one, rules);
      return after === 'allow' ? [{ ...one, after }] : [];
    });
    const made = { rules, sorted: sortChanges(changes, 'allow', memory) };
    judged.set(keyOf(rules), made);
    return made;
  };

  const left: { readonly family: Family; readonly chosen: Judged }[] = [];
  for (const family of families) {
    const chosen = usualOf(family.variants.map(judge));
    if (chosen !== null) left.push({ family, chosen });
    await pace.breathe();
  }
  const suggestions: Suggestion[] = [];
  const done = new Set<PastCase>();
  const gain = ({ chosen }: (typeof left)[number]): number =>
    chosen.sorted.covers.reduce((sum, { group }) => sum + (done.has(group.one) ? 0 : group.count), 0);
  while (suggestions.length < maxSuggestions) {
    const best = left.reduce<(typeof left)[number] | null>(
      (top, one) => (top === null || gain(one) > gain(top) ? one : top),
      null,
    );
    if (best === null || gain(best) < 2) break;
    left.splice(left.indexOf(best), 1);
    for (const { group } of best.chosen.sorted.covers) done.add(group.one);
    suggestions.push(suggestionOf({ ...best, judge, source }, work));
    await pace.breathe();
  }
  return { suggestions, asked };
}

function openCalls(
  groups: readonly Group[],
  verdicts: ReadonlyMap<string, PolicyVerdicts>,
  { calls }: Memory,
): readonly Open[] {
  return groups.flatMap((group): Open[] => {
    const { distinct } = group.one;
    const policy = verdicts.get(distinct.project);
    const before = policy?.outcome(group.one, calls);
    if (policy === undefined || before === undefined || before === 'allow' || distinct.doubt !== null) return [];
    const gathered = policy.gather(distinct, calls);
    return gathered === null ? [] : [{ group, before, gathered, policy }];
  });
}

/** Makes rules for the most frequent asks that are not dangerous and were not refused. */
async function familiesOf(open: readonly Open[], trials: Trials, pace: Pace): Promise<readonly Family[]> {
  const counts = new Map<Distinct, number>();
  const refusals = new Map<Distinct, number>();
  for (const { group } of open) {
    counts.set(group.one.distinct, (counts.get(group.one.distinct) ?? 0) + group.count);
    refusals.set(group.one.distinct, (refusals.get(group.one.distinct) ?? 0) + group.refusals);
  }
  const isUnwanted = ({ group }: Open): boolean =>
    (refusals.get(group.one.distinct) ?? 0) > (counts.get(group.one.distinct) ?? 0) * maxRefused;
  const countOf = ({ group }: Open): number => counts.get(group.one.distinct) ?? 0;
  const seeds = open.filter((one) => one.before === 'ask' && !isUnwanted(one)).sort((a, b) => countOf(b) - countOf(a));
  const families = new Map<string, Family>();
  let made = 0;
  for (const one of seeds) {
    const { group, gathered, policy } = one;
    if (made >= maxSeeds) break;
    if (dangerOf(gathered.facts).score >= dangerousFrom || holdsCredential(gathered.facts.shellText ?? '')) continue;
    made += 1;
    if (made % decisionsPerBreath === 0) await pace.breathe();
    const { distinct } = group.one;
    const { place, rules } = policy.at(distinct.cwd);
    const [mode = 'default'] = policy.modesOf(group.one.mode);
    const { suggestions } = suggestRules({
      decision: policy.decide(distinct.cwd, gathered, { mode }),
      facts: gathered.facts,
      managedOnly: policy.sources.managedOnly,
      folders: rules.allowFolders,
      homes: spellingsOf(place.home, policy.options.view),
      wouldAllow: (texts) => trials.outcome(one, texts) === 'allow',
    });
    const variants = suggestions.map((each) => each.rules).filter((texts) => trials.areSafe(policy, texts));
    const broadest = variants.at(-1);
    if (broadest === undefined) continue;
    const known = families.get(keyOf(broadest));
    // The first is the most frequent; its narrow forms stand for all.
    if (known === undefined) families.set(keyOf(broadest), { variants, weight: group.count });
    else known.weight += group.count;
  }
  return [...families.values()].sort((a, b) => b.weight - a.weight).slice(0, maxFamilies);
}

/** The calls that each rule may speak of. */
async function hitsOf(
  open: readonly Open[],
  families: readonly Family[],
  { source, pace }: { readonly source: SavableSource; readonly pace: Pace },
): Promise<ReadonlyMap<string, readonly Open[]>> {
  const texts = [...new Set(families.flatMap((family) => family.variants.flat()))];
  const lists = new Map<PolicyVerdicts, readonly CompiledRule[]>();
  const hits = new Map<string, Open[]>();
  for (const [at, one] of open.entries()) {
    const { policy, gathered } = one;
    const { sources, options } = policy;
    const list =
      lists.get(policy) ??
      buildRuleSet(
        rulesIn(sources, { rules: texts, behavior: 'allow', source }),
        policy.at(sources.folder).place,
        options.view,
      ).allow;
    lists.set(policy, list);
    for (const { ref } of mayAllow(list, gathered.facts)) {
      const known = hits.get(ref.text) ?? [];
      hits.set(ref.text, known);
      known.push(one);
    }
    if (at % decisionsPerBreath === 0) await pace.breathe();
  }
  return hits;
}

/** The narrowest that covers two different calls; else the narrowest that covers two; null where none does. */
function usualOf(variants: readonly Judged[]): Judged | null {
  const good = variants.filter(
    // A few that somebody stopped among many that ran are told; what is dangerous is not proposed at all.
    ({ sorted }) => !sorted.isDangerous && callsIn(sorted.overReach) <= callsIn(sorted.covers) * maxRefused,
  );
  const different = ({ sorted }: Judged): number => new Set(sorted.covers.map(({ group }) => group.one.distinct)).size;
  return (
    good.find((one) => different(one) >= 2 && callsIn(one.sorted.covers) >= 2) ??
    good.find((one) => callsIn(one.sorted.covers) >= 2) ??
    null
  );
}

function suggestionOf(
  of: {
    readonly family: Family;
    readonly chosen: Judged;
    readonly source: SavableSource;
    readonly judge: (rules: readonly string[]) => Judged;
  },
  { memory, index }: Work,
): Suggestion {
  const { family, chosen, source, judge } = of;
  const rules = [...chosen.rules];
  const behavior = 'allow';
  const because = `Allowed: by ${rules.join(' and ')}.`;
  const reach = reachOfChanges(chosen.sorted, { memory, index, because });
  const kinds = new Set(chosen.sorted.covers.map(({ group }) => group.one.distinct)).size;
  const different = kinds > 1 ? `, ${kinds} different ones` : '';
  return {
    rules,
    behavior,
    source,
    edits: rules.map((text) => ({ type: 'add' as const, source, behavior, text })),
    reach,
    because: `It would have answered ${reach.covers} ${reach.covers === 1 ? 'ask' : 'asks'}${different}.`,
    variants: family.variants.slice(0, maxVariants).map((one) => {
      const { sorted } = judge(one);
      return { rules: [...one], covers: callsIn(sorted.covers), overReach: callsIn(sorted.overReach) };
    }),
  };
}
