// How often each rule had a part in what became of past calls: it decided, or allowed its part of an allowed call.
import type { RuleUsage } from '#shared/api/history';
import type { Decision, RuleRef } from '#shared/permissions/decision';
import type { Sources } from '../../permissions/combineSources';
import { ruleKey } from '../../permissions/explainParts';
import type { CallScope, Pace } from '../pastCalls';
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

/** Counts for every rule in force. Calls without a known mode count as made in the default mode. */
export async function usageOf(
  sources: Sources,
  { scope, project }: { readonly scope: CallScope; readonly project: string },
  { memory, pace }: { readonly memory: Memory; readonly pace: Pace },
): Promise<readonly RuleUsage[]> {
  const { groups } = await memory.timeline.counted(scope, pace);
  const policy = memory.verdictsOf(sources);
  const found = new Map<string, { matched: number; lastUsed: number }>();
  let decided = 0;
  for (const { one, count, last } of groups) {
    const { distinct } = one;
    if (distinct.project !== project || distinct.doubt === 'input') continue;
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
  return sources.rules.map(({ ref }): RuleUsage => {
    const known = found.get(ruleKey(ref));
    return { rule: { ...ref }, matched: known?.matched ?? 0, lastUsed: known?.lastUsed ?? null };
  });
}
