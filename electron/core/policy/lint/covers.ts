// Which rules leave another one nothing to do: those that stand above it, cover it or equal it. Judged by what the rules
// compile to, and only where it is certain: what is named here can go without any verdict changing, save where `unless`
// says so.
import type { Behavior, RuleRef } from '#shared/permissions/decision';
import type { RuleSource } from '#shared/permissions/sources';
import { isBroad } from '../../permissions/broadRules';
import type { CompiledRule } from '../../permissions/compiledRule';
import { CoverIndex, type Covering, type Relation } from './coverIndex';

export type CoverKind = 'shadowedByDeny' | 'shadowedByAsk' | 'subsumed' | 'duplicate';

/** A rule that has nothing to do, because of another. */
export interface Cover {
  readonly rule: RuleRef;
  readonly kind: CoverKind;
  readonly other: RuleRef;
  /** When it has something to do all the same, as it follows "except"; empty when never. */
  readonly unless: string;
  /** Whether the other is there wherever and whenever the rule is, so that it can be taken out for good. */
  readonly lasting: boolean;
}

/** Of equal rules the one from the most lasting source stays. */
const stability: Readonly<Record<RuleSource, number>> = {
  policySettings: 0,
  userSettings: 1,
  projectSettings: 2,
  localSettings: 3,
  cliArg: 4,
  flagSettings: 5,
  session: 6,
  command: 7,
};

/** Whether rules of `other` are there wherever and whenever those of `source` are. */
export function outlasts(other: RuleSource, source: RuleSource): boolean {
  const everywhere = other === 'policySettings' || other === 'userSettings';
  switch (source) {
    case 'policySettings':
    case 'projectSettings':
      // Others who work with the project have none of the other sources here.
      return other === source;
    case 'userSettings':
      return everywhere;
    case 'localSettings':
      return everywhere || other === 'projectSettings' || other === 'localSettings';
    case 'cliArg':
    case 'flagSettings':
      return everywhere || other === source;
    case 'session':
    case 'command':
      return other !== 'command' && (other !== 'session' || source === 'session');
  }
}

const exactCountsMore =
  'in loops, behind variables and with files outside the working folders, where only the exact rule counts';
const setAside = 'in auto mode, where broad rules are set aside';

function unlessOf(rule: CompiledRule, { by, looser }: Covering, relation: Relation): string {
  if (relation !== 'allow') return '';
  const broad = isBroad(by) && !isBroad(rule) ? [setAside] : [];
  return [...(looser ? [exactCountsMore] : []), ...broad].join('; ');
}

interface Candidate {
  readonly kind: CoverKind;
  readonly by: CompiledRule;
  readonly unless: string;
  readonly lasting: boolean;
}

function better(one: Candidate, other: Candidate | null): boolean {
  if (other === null) return true;
  const rank = (candidate: Candidate): number => (candidate.lasting ? 0 : 2) + (candidate.unless === '' ? 0 : 1);
  return rank(one) < rank(other);
}

/** What stays of two equal rules. */
function staysOver(by: CompiledRule, rule: CompiledRule): boolean {
  const difference = stability[by.ref.source] - stability[rule.ref.source];
  return difference < 0 || (difference === 0 && by.order < rule.order);
}

/** `rules` are all that are in force, compiled; `folder` is the session's. The value is in their order. */
export function findCovers(rules: readonly CompiledRule[], folder: string): readonly Cover[] {
  const lists: Record<Behavior, CompiledRule[]> = { allow: [], ask: [], deny: [] };
  for (const rule of rules) lists[rule.ref.behavior].push(rule);
  const indexes = {
    allow: new CoverIndex(lists.allow, folder),
    ask: new CoverIndex(lists.ask, folder),
    deny: new CoverIndex(lists.deny, folder),
  };
  const best = (rule: CompiledRule, list: Behavior, relation: Relation): Candidate | null => {
    let found: Candidate | null = null;
    for (const covering of indexes[list].covering(rule, relation)) {
      const { by, equal } = covering;
      const sameList = list === rule.ref.behavior;
      if (by === rule || (sameList && equal && !staysOver(by, rule))) continue;
      // What ends in a moment is no reason to speak of anything.
      if (by.ref.source === 'command' || (by.ref.source === 'session' && rule.ref.source !== 'session')) continue;
      const kind: CoverKind = !sameList
        ? list === 'deny'
          ? 'shadowedByDeny'
          : 'shadowedByAsk'
        : equal
          ? 'duplicate'
          : 'subsumed';
      const lasting = outlasts(by.ref.source, rule.ref.source);
      const candidate = { kind, by, unless: unlessOf(rule, covering, relation), lasting };
      if (better(candidate, found)) found = candidate;
    }
    return found;
  };
  return rules.flatMap((rule): Cover[] => {
    const found =
      rule.ref.behavior === 'allow'
        ? (best(rule, 'deny', 'above') ?? best(rule, 'ask', 'above') ?? best(rule, 'allow', 'allow'))
        : rule.ref.behavior === 'ask'
          ? (best(rule, 'deny', 'stops') ?? best(rule, 'ask', 'stops'))
          : best(rule, 'deny', 'stops');
    if (found === null) return [];
    const { kind, by, unless, lasting } = found;
    return [{ rule: rule.ref, kind, other: by.ref, unless, lasting }];
  });
}
