// The rows of a replay: past calls with their verdicts before and after, and why.
import type { Danger, ReplayFilter, ReplayRow, Verdict } from '#shared/api/history';
import { type Decision, describeReason } from '#shared/permissions/decision';
import { type CallIndex, pastCallOf } from '../pastCalls';
import { dangerOf } from './danger';
import type { Distinct, DistinctCalls, ModeKey } from './distinctCalls';
import { doubts, isDoubt, type Outcome, verdictOf } from './outcome';
import type { PolicyVerdicts } from './policyVerdicts';
import type { Group } from './timeline';

/** A row before its call is looked up. */
export interface Draft {
  readonly distinct: Distinct;
  readonly mode: ModeKey;
  count: number;
  last: number;
  id: string;
  refused: string | null;
  readonly before: Outcome;
  readonly after: Outcome;
  danger: Danger | null;
}

/** Whether a filter wants rows with these verdicts. */
export function wantsVerdicts(filter: ReplayFilter, before: Verdict, after: Verdict): boolean {
  if (filter.before === undefined && filter.after === undefined)
    return before !== after && before !== 'undetermined' && after !== 'undetermined';
  if (filter.before !== undefined && filter.before !== before) return false;
  if (filter.after !== undefined && filter.after !== after) return false;
  const given = filter.before ?? filter.after;
  // With one side given all changes are meant, and all of which nothing can be told.
  const both = filter.before !== undefined && filter.after !== undefined;
  return both || given === 'undetermined' || before !== after;
}

/** Whether the filter's text is part of the title or tool. */
export function wantsText({ tool, title }: Distinct, text: string): boolean {
  return text === '' || `${tool} ${title}`.toLowerCase().includes(text);
}

export const noDanger: Danger = { score: 0, reason: '' };

const isNewlyAllowed = ({ before, after }: Draft): boolean => after === 'allow' && before !== 'allow';

function compare(a: Draft, b: Draft): number {
  const first = Number(isNewlyAllowed(b)) - Number(isNewlyAllowed(a));
  if (first !== 0) return first;
  const danger = isNewlyAllowed(a) ? (b.danger?.score ?? 0) - (a.danger?.score ?? 0) : 0;
  return danger || b.count - a.count || b.last - a.last || (a.id < b.id ? -1 : 1);
}

/** Collects rows; equal calls with equal verdicts become one. */
export class RowCollector {
  private readonly drafts = new Map<Distinct, Draft[]>();

  add(group: Group, before: Outcome, after: Outcome): void {
    const { one, count, last, id, refused } = group;
    const known = this.drafts.get(one.distinct) ?? [];
    this.drafts.set(one.distinct, known);
    const same = known.find((draft) => draft.before === before && draft.after === after);
    if (same === undefined) {
      known.push({ ...one, count, last, id, refused, before, after, danger: null });
      return;
    }
    same.count += count;
    same.refused ??= refused;
    if (last <= same.last) return;
    same.last = last;
    same.id = id;
  }

  all(): readonly Draft[] {
    return [...this.drafts.values()].flat();
  }
}

/** Newly allowed first, the most dangerous on top; then by number. */
export function sortRows(drafts: readonly Draft[], dangerFor: (draft: Draft) => Danger): readonly Draft[] {
  for (const draft of drafts) if (isNewlyAllowed(draft)) draft.danger ??= dangerFor(draft);
  return [...drafts].sort(compare);
}

const starts = { allow: 'Allowed', ask: 'Asks', deny: 'Denied' } as const;

function becauseOf({ behavior, reason }: Decision): string {
  const words = describeReason(reason);
  if (reason.type === 'rule') return `${starts[behavior]}: the rule ${words}`;
  return `${starts[behavior]}: ${words}`;
}

/** The danger of a call; none where its facts are gone. */
export function dangerOfCall(distinct: Distinct, policy: PolicyVerdicts | undefined, calls: DistinctCalls): Danger {
  const gathered = policy?.gather(distinct, calls);
  return gathered == null ? noDanger : dangerOf(gathered.facts);
}

/** Makes rows whole. `null`: the call is gone from the index. */
export function rowOf(
  draft: Draft,
  options: {
    readonly index: CallIndex;
    readonly calls: DistinctCalls;
    /** With which the call is decided afterwards; undefined where that cannot be told. */
    readonly policy: PolicyVerdicts | undefined;
    /** In place of what the policy says. */
    readonly because?: string;
  },
): ReplayRow | null {
  const { index, calls, policy } = options;
  const { distinct, count, before, after } = draft;
  // One that was refused then says more than one that ran.
  const id = isNewlyAllowed(draft) ? (draft.refused ?? draft.id) : draft.id;
  const call = index.find(id) ?? index.find(draft.id);
  if (call === null) return null;
  const runs = after === 'allow' || isDoubt(after);
  const danger = runs ? (draft.danger ?? dangerOfCall(distinct, policy, calls)) : noDanger;
  return {
    call: pastCallOf(call),
    count,
    before: verdictOf(before),
    after: verdictOf(after),
    danger,
    because: options.because ?? because(draft, policy, calls),
  };
}

function because(
  { distinct, mode, before, after }: Draft,
  policy: PolicyVerdicts | undefined,
  calls: DistinctCalls,
): string {
  if (isDoubt(after)) return doubts[after];
  const gathered = policy?.gather(distinct, calls);
  if (policy === undefined || gathered == null) return '';
  const [first = 'default'] = policy.modesOf(mode);
  const words = becauseOf(policy.decide(distinct.cwd, gathered, { mode: first }));
  return isDoubt(before) ? `${words}. Before: ${doubts[before]}` : words;
}
