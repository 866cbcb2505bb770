// Rules that look as if they spoke of a call and do not, each with the reason. A rule is near when a small change of it
// would match; the changed rule is tried with the decision's own matchers.
import { examineRule, type RuleProblem } from '#shared/permissions/deadRules';
import type { Decision, RuleRef } from '#shared/permissions/decision';
import { formatRule, parseRule } from '#shared/permissions/rule';
import type { NearMiss, NearMissKind } from '#shared/permissions/why';
import type { CallFacts } from './callFacts';
import { nearCommand } from './explainNearCommand';
import { nearHost, nearName, nearParameter, nearTool } from './explainNearName';
import { nearPath } from './explainNearPath';
import { allowedParts, type Miss, type NearContext, sameRule, short, stoppedParts } from './explainParts';
import type { SourcedRule } from './ruleSet';
import { type CompiledRule, compileRule, type RuleSet } from './rules';

/** Near before far: what a reader most likely meant comes first. */
const closeness: readonly NearMissKind[] = [
  'dead',
  'case',
  'wordBoundary',
  'bareForm',
  'wildcard',
  'anchor',
  'moreWords',
  'access',
  'link',
  'exception',
  'depth',
  'blocked',
  'wrapper',
  'unknownFile',
  'between',
  'host',
  'parameter',
  'name',
  'otherWords',
];

/** Rules that only begin with the same word say little; a few are enough. */
const maxFar = 4;

const problems = new WeakMap<RuleRef, { readonly found: RuleProblem | null }>();

function problemOf(ref: RuleRef): RuleProblem | null {
  const known = problems.get(ref);
  if (known !== undefined) return known.found;
  const found = examineRule(ref.text, ref.behavior);
  problems.set(ref, { found });
  return found;
}

function speaking(facts: CallFacts, rules: RuleSet): NearContext['speaks'] {
  return (rule) =>
    rule.ref.behavior === 'allow' ? allowedParts(rule, facts, rules) : stoppedParts(rule, facts, rules);
}

/** A rule that is not in force, or not as it looks: near when its working form would match, or when it names the tool. */
function nearDead({ ref, sourceFolder }: SourcedRule, facts: CallFacts, rules: RuleSet): Miss | null {
  const problem = problemOf(ref);
  if (problem === null) return null;
  const { instead } = problem;
  const working =
    instead === undefined
      ? null
      : compileRule({
          ref: { ...ref, text: instead },
          group: '',
          order: 0,
          sourceFolders: sourceFolder === null ? rules.allowFolders : [sourceFolder],
          ignoreCase: rules.ignoreCase,
        });
  const part = working === null ? undefined : speaking(facts, rules)(working)[0];
  if (part !== undefined && instead !== undefined)
    return {
      kind: problem.inForce && !instead.startsWith('Bash') ? 'anchor' : problem.inForce ? 'wildcard' : 'dead',
      part: short(part),
      because: problem.inForce ? problem.problem : `Not in force: ${problem.problem}`,
      instead,
    };
  const word = /^\s*([^\s()]+)/.exec(ref.text)?.[1] ?? '';
  if (problem.inForce || instead !== undefined || word.toLowerCase() !== facts.toolName.toLowerCase()) return null;
  return { kind: 'dead', part: short(facts.shellText ?? facts.toolName), because: `Not in force: ${problem.problem}` };
}

function nearOf(context: NearContext): Miss | null {
  switch (context.rule.kind) {
    case 'command':
      return nearCommand(context, context.rule.pattern);
    case 'path':
      return nearPath(context);
    case 'host':
      return nearHost(context, context.rule.host);
    case 'name':
      return nearName(context);
    case 'parameter':
      return nearParameter(context, context.rule.param);
    case 'tool':
      return nearTool(context);
  }
}

function isFirst(list: readonly NearMiss[], index: number, miss: NearMiss): boolean {
  return list.findIndex((other) => sameRule(other.rule, miss.rule)) === index;
}

/**
 * Near misses, the nearest first; one for a rule. Of an allowed call only what might have stopped it is of interest.
 * `matching` are the rules that do speak of the call.
 */
export function nearMisses(options: {
  readonly facts: CallFacts;
  readonly rules: RuleSet;
  readonly decision: Decision;
  readonly written: readonly SourcedRule[];
  readonly matching: readonly RuleRef[];
}): readonly NearMiss[] {
  const { facts, rules, decision, written, matching } = options;
  const skip = (ref: RuleRef) =>
    (decision.behavior === 'allow' && ref.behavior === 'allow') || matching.some((other) => sameRule(other, ref));
  const found: NearMiss[] = [];
  const add = (rule: RuleRef, miss: Miss | null): void => {
    if (miss !== null) found.push({ rule, ...miss });
  };
  const speaks = speaking(facts, rules);
  for (const rule of [...rules.deny, ...rules.ask, ...rules.allow]) {
    const parsed = skip(rule.ref) ? null : parseRule(rule.ref.text);
    if (parsed === null || !parsed.ok) continue;
    const changed = (content: string, tool = parsed.value.tool): CompiledRule | null =>
      compileRule({
        ref: { ...rule.ref, text: formatRule({ tool, content }) },
        group: rule.group,
        order: rule.order,
        sourceFolders: rule.sourceFolders,
        ignoreCase: rules.ignoreCase,
      });
    const context = { facts, rules, rule, parsed: parsed.value, changed, speaks };
    add(rule.ref, nearOf(context));
  }
  for (const rule of written) if (!skip(rule.ref)) add(rule.ref, nearDead(rule, facts, rules));
  const order = (miss: NearMiss) => closeness.indexOf(miss.kind);
  let far = 0;
  return found
    .sort((a, b) => order(a) - order(b))
    .filter((miss, index, all) => isFirst(all, index, miss))
    .filter((miss) => miss.kind !== 'otherWords' || far++ < maxFar);
}
