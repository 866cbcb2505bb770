// How often each rule had a part in what became of past calls: it decided, or allowed its part of an allowed call.
import type { RuleUsage } from '#shared/api/history';
import type { Decision, RuleRef } from '#shared/permissions/decision';
import { ruleKey } from '../../permissions/explainParts';
import type { CallScope, Pace, ReplayPolicies } from '../pastCalls';
import { verdictsOf } from './replay';
import type { Memory } from './world';

const decisionsPerBreath = 16;

/** Rules that decide a call or help to, as the why-tree names them. */
export function speakingRules({ behavior, reason, parts }: Decision): readonly RuleRef[] {
  const rules = new Map<string, RuleRef>();
  if (reason.type === 'rule') rules.set(ruleKey(reason.rule), reason.rule);
  const helps = behavior === 'allow' && !(reason.type === 'mode' && reason.mode === 'bypassPermissions');
  if (helps)
    for (const part of parts) if (part.reason.type === 'rule') rules.set(ruleKey(part.reason.rule), part.reason.rule);
  return [...rules.values()];
}

/**
 * Counts for every rule in force in a folder. A call counts by the rules of the project that it was made in, so that rules
 * for all projects are counted everywhere. Calls without a known mode count as made in the default mode.
 */
export async function usageOf(
  folder: string,
  { scope, policies }: { readonly scope: CallScope; readonly policies: ReplayPolicies['before'] },
  { memory, pace }: { readonly memory: Memory; readonly pace: Pace },
): Promise<readonly RuleUsage[]> {
  const { groups } = await memory.timeline.counted(scope, pace);
  const verdicts = verdictsOf(policies, memory);
  const found = new Map<string, { matched: number; lastUsed: number }>();
  let decided = 0;
  for (const { one, count, last } of groups) {
    const { distinct } = one;
    const policy = verdicts.get(distinct.project);
    if (policy === undefined || distinct.doubt === 'input') continue;
    const gathered = policy.gather(distinct, memory.calls);
    if (gathered === null) continue;
    const [mode = 'default'] = policy.modesOf(one.mode);
    for (const rule of speakingRules(policy.decide(distinct.cwd, gathered, { mode }))) {
      const known = found.get(ruleKey(rule)) ?? { matched: 0, lastUsed: 0 };
      known.matched += count;
      known.lastUsed = Math.max(known.lastUsed, last);
      found.set(ruleKey(rule), known);
    }
    decided += 1;
    if (decided % decisionsPerBreath === 0) await pace.breathe();
  }
  return (policies.get(folder)?.rules ?? []).map(({ ref }): RuleUsage => {
    const known = found.get(ruleKey(ref));
    return { rule: { ...ref }, matched: known?.matched ?? 0, lastUsed: known?.lastUsed ?? null };
  });
}
