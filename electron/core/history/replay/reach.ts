// What rules would have done in the past, if they had been added.
import type { Reach, ReplayRow } from '#shared/api/history';
import type { Behavior } from '#shared/permissions/decision';
import type { SavableSource } from '#shared/permissions/sources';
import { compileSources } from '../../permissions/compileSources';
import { mayAllow, mayStop } from '../../permissions/explainParts';
import type { CallIndex, CallScope, Pace, ReplayPolicies } from '../pastCalls';
import { dangerousFrom } from './danger';
import { rulesIn, withRules } from './moreRules';
import type { Outcome } from './outcome';
import { PolicyVerdicts } from './policyVerdicts';
import { decideAll, verdictsOf } from './replay';
import { type Draft, dangerOfCall, RowCollector, rowOf, sortRows } from './rows';
import type { Group } from './timeline';
import type { Memory } from './world';

const maxCovered = 20;
const maxWorst = 3;
const decisionsPerBreath = 16;

export interface ReachQuestion {
  readonly scope: CallScope;
  readonly folder: string;
  readonly rules: readonly string[];
  readonly behavior: Behavior;
  readonly source: SavableSource;
}

/** A call whose verdict rules would change. */
export interface Change {
  readonly group: Group;
  readonly before: Outcome;
  readonly after: Outcome;
  readonly policy: PolicyVerdicts;
}

export interface Sorted {
  readonly covers: readonly Change[];
  readonly overReach: readonly Change[];
  /** Some of what is too much is dangerous. */
  readonly isDangerous: boolean;
}

/** The change for some of the calls of its group; nothing for none of them. */
function part(change: Change, count: number, refused: string | null): readonly Change[] {
  const { group } = change;
  return count === 0
    ? []
    : [{ ...change, group: { ...group, count, refused, refusals: refused === null ? 0 : count } }];
}

/**
 * Of allow rules: `covers` asked and would run, `overReach` would run as well although it was refused at the time or is
 * dangerous. Of others: `covers` would be stopped, `overReach` too, although it had been carried out.
 */
export function sortChanges(changes: Iterable<Change>, behavior: Behavior, memory: Memory): Sorted {
  const covers: Change[] = [];
  const overReach: Change[] = [];
  let isDangerous = false;
  for (const change of changes) {
    const { group, policy } = change;
    const { count, refusals, ran, refused } = group;
    if (behavior !== 'allow') {
      overReach.push(...part(change, ran, null));
      covers.push(...part(change, count - ran, refused));
    } else if (dangerOfCall(group.one.distinct, policy, memory.calls).score >= dangerousFrom) {
      isDangerous = true;
      overReach.push(change);
    } else {
      overReach.push(...part(change, refusals, refused));
      covers.push(...part(change, count - refusals, null));
    }
  }
  return { covers, overReach, isDangerous };
}

export const callsIn = (changes: readonly Change[]): number => changes.reduce((sum, { group }) => sum + group.count, 0);

/** Numbers with samples. */
export function reachOfChanges(
  { covers, overReach }: Pick<Sorted, 'covers' | 'overReach'>,
  { memory, index, because }: { readonly memory: Memory; readonly index: CallIndex; readonly because?: string },
): Reach {
  const { calls } = memory;
  const collect = (changes: readonly Change[]) => {
    const rows = new RowCollector();
    for (const { group, before, after } of changes) rows.add(group, before, after);
    return rows.all();
  };
  const policies = new Map([...covers, ...overReach].map(({ group, policy }) => [group.one.distinct, policy]));
  const rows = (drafts: readonly Draft[]): ReplayRow[] =>
    drafts.flatMap((draft) => {
      const policy = policies.get(draft.distinct);
      const row = rowOf(draft, { index, calls, policy, ...(because === undefined ? {} : { because }) });
      return row === null ? [] : [row];
    });
  const mostFrequent = [...collect(covers)].sort((a, b) => b.count - a.count || b.last - a.last);
  const worst = sortRows(collect(overReach), ({ distinct }) => dangerOfCall(distinct, policies.get(distinct), calls));
  return {
    covers: callsIn(covers),
    overReach: callsIn(overReach),
    covered: rows(mostFrequent.slice(0, maxCovered)),
    worst: rows(worst.slice(0, maxWorst)),
  };
}

/** What adding rules to a source would change in the scope. */
export async function reachOf(
  question: ReachQuestion,
  policies: ReplayPolicies,
  { memory, index, pace }: { readonly memory: Memory; readonly index: CallIndex; readonly pace: Pace },
): Promise<Reach> {
  const { scope, folder, behavior, source, rules } = question;
  const { calls } = memory;
  const counted = await memory.timeline.counted(scope, pace);
  const everywhere = source === 'userSettings';
  const own = new Map([...policies.after].filter(([project]) => everywhere || project === folder));
  const before = verdictsOf(own, memory);
  await decideAll(counted, before, { memory, pace });
  const trials = new Map([...before].map(([project, policy]) => [project, trialOf(policy, question)]));
  const changes: Change[] = [];
  const hasException = rules.some((rule) => /\(\s*!/.test(rule));
  let looked = 0;
  for (const group of counted.groups) {
    const { one } = group;
    const policy = before.get(one.distinct.project);
    const trial = trials.get(one.distinct.project);
    const old = policy?.outcome(one, calls);
    looked += 1;
    if (looked % decisionsPerBreath === 0) await pace.breathe();
    if (policy === undefined || trial === undefined || old === undefined || old === behavior || old === 'gone')
      continue;
    const gathered = policy.gather(one.distinct, calls);
    if (gathered === null) continue;
    const { list } = trial;
    const may = behavior === 'allow' ? mayAllow(list, gathered.facts) : mayStop(list, gathered.facts);
    if (may.length === 0 && !hasException) continue;
    const after = trial.policy.settle({ ...one, gathered });
    if (after === behavior) changes.push({ group, before: old, after, policy: trial.policy });
  }
  return reachOfChanges(sortChanges(changes, behavior, memory), { memory, index });
}

/** The policy with the rules, and the rules alone. */
function trialOf(policy: PolicyVerdicts, more: Parameters<typeof rulesIn>[1]) {
  const { sources, options } = policy;
  const alone = compileSources(
    { ...sources, rules: rulesIn(sources, more) },
    policy.at(sources.folder).place,
    options.view,
  );
  return {
    policy: new PolicyVerdicts({ ...options, sources: withRules(sources, more) }),
    list: alone[more.behavior],
  };
}
