// Every call of a scope decided by the rules as they are and as they would be.
import type { Replay, ReplayFilter } from '#shared/api/history';
import type { CallScope, Pace, ReplayPolicies } from '../pastCalls';
import { type Doubt, doubts, isDoubt, type Outcome, verdictOf } from './outcome';
import type { PolicyVerdicts } from './policyVerdicts';
import { type Draft, dangerOfCall, RowCollector, sortRows, wantsText, wantsVerdicts } from './rows';
import type { Counted } from './timeline';
import type { Memory } from './world';

/** Between two looks at the clock, calls that are decided. */
const decisionsPerBreath = 16;

type Count = { allow: number; ask: number; deny: number };
const noCount = (): Count => ({ allow: 0, ask: 0, deny: 0 });

export interface Replayed {
  readonly counted: Counted;
  readonly matrix: Replay['matrix'];
  readonly undetermined: Replay['undetermined'];
  /** All rows of the filter, sorted. */
  readonly drafts: readonly Draft[];
  /** What decides the calls of a project afterwards. */
  readonly after: ReadonlyMap<string, PolicyVerdicts>;
}

/** The verdicts of every policy by project. */
export function verdictsOf(policies: ReplayPolicies['before'], memory: Memory): ReadonlyMap<string, PolicyVerdicts> {
  return new Map([...policies].map(([project, sources]) => [project, memory.verdictsOf(sources)]));
}

/** Decides the calls of a scope, each in one policy or none. */
export async function replayScope(
  { scope, filter }: { readonly scope: CallScope; readonly filter: ReplayFilter },
  policies: ReplayPolicies,
  { memory, pace }: { readonly memory: Memory; readonly pace: Pace },
): Promise<Replayed> {
  const { calls, timeline } = memory;
  const counted = await timeline.counted(scope, pace);
  const before = verdictsOf(policies.before, memory);
  // What follows takes over from what is in force, so that comes first.
  await decideAll(counted, before, { memory, pace });
  const after = verdictsOf(policies.after, memory);
  await decideAll(counted, after, { memory, pace });
  const matrix = { allow: noCount(), ask: noCount(), deny: noCount() };
  const reasons = new Map<Doubt, number>();
  const rows = new RowCollector();
  const text = filter.text.toLowerCase();
  for (const group of counted.groups) {
    const { distinct } = group.one;
    const old: Outcome = before.get(distinct.project)?.outcome(group.one, calls) ?? 'policy';
    const now: Outcome = after.get(distinct.project)?.outcome(group.one, calls) ?? 'policy';
    if (!isDoubt(old) && !isDoubt(now)) matrix[old][now] += group.count;
    else {
      const reason = isDoubt(now) ? now : isDoubt(old) ? old : 'policy';
      reasons.set(reason, (reasons.get(reason) ?? 0) + group.count);
    }
    if (wantsVerdicts(filter, verdictOf(old), verdictOf(now)) && wantsText(distinct, text)) rows.add(group, old, now);
  }
  const drafts = sortRows(rows.all(), ({ distinct }) => dangerOfCall(distinct, after.get(distinct.project), calls));
  const undetermined = [...reasons]
    .sort((a, b) => b[1] - a[1])
    .map(([reason, number]) => ({ reason: doubts[reason], calls: number }));
  return { counted, matrix, undetermined, drafts, after };
}

/** Decides all that is not decided yet, with breaks. */
export async function decideAll(
  { groups }: Counted,
  verdicts: ReadonlyMap<string, PolicyVerdicts>,
  { memory, pace }: { readonly memory: Memory; readonly pace: Pace },
): Promise<void> {
  let decided = 0;
  for (const { one } of groups) {
    verdicts.get(one.distinct.project)?.outcome(one, memory.calls);
    decided += 1;
    if (decided % decisionsPerBreath === 0) {
      const others = pace.breathe();
      if (others !== undefined) await others;
    }
  }
}
