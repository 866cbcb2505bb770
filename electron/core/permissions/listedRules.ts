// Rules as the page lists them, with what is wrong with each.
import type { RuleWarning } from '#shared/api/permissions';
import type { RuleRef } from '#shared/permissions/ruleRef';
import { ruleProblem } from './ruleInForce';
import type { SourcedRule } from './ruleSet';

interface ListedRules {
  readonly rules: readonly RuleRef[];
  readonly warnings: readonly RuleWarning[];
}

const none: readonly SourcedRule[] = [];
const lists = new WeakMap<readonly SourcedRule[], ListedRules>();

/** The list of some rules. Kept, since every call looks at it and the rules rarely change. */
export function listedRules(written: readonly SourcedRule[] = none): ListedRules {
  const known = lists.get(written);
  if (known !== undefined) return known;
  const rules = written.map((rule) => rule.ref);
  const warnings = rules.flatMap((rule): RuleWarning[] => {
    const found = ruleProblem(rule);
    if (found === null) return [];
    const problem = found.inForce ? found.problem : `Not in force: ${found.problem}`;
    return [found.instead === undefined ? { rule, problem } : { rule, problem, instead: found.instead }];
  });
  lists.set(written, { rules, warnings });
  return { rules, warnings };
}
