// Rules that look as if they spoke of a call and do not, each with the reason. A rule is near when a small change of it
// would match; the changed rule is tried with the decision's own matchers.
import type { RuleProblem } from '#shared/permissions/deadRules';
import type { Decision, RuleRef } from '#shared/permissions/decision';
import { formatRule, type ParsedRule, parseRule } from '#shared/permissions/rule';
import type { NearMiss, NearMissKind } from '#shared/permissions/why';
import type { CallFacts } from './callFacts';
import { formsOf, nearCommand, startOf } from './explainNearCommand';
import { nearHost, nearName, nearParameter, nearTool } from './explainNearName';
import { nearPath } from './explainNearPath';
import { allowedParts, type Miss, type NearContext, ruleKey, short, stoppedParts } from './explainParts';
import { ruleProblem } from './ruleInForce';
import type { SourcedRule } from './ruleSet';
import { type CompiledRule, compileRule, type RuleSet } from './rules';

/** Near before far: what a reader most likely meant comes first. */
const closeness: readonly NearMissKind[] = [
  'untrusted',
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
  const found = ruleProblem(ref);
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

/** A rule that would fit if the folder it came with were trusted. */
function nearUntrusted(ref: RuleRef, facts: CallFacts, rules: RuleSet): Miss | null {
  const { allowFolders, ignoreCase } = rules;
  const rule = compileRule({ ref, group: '', order: 0, sourceFolders: allowFolders, ignoreCase });
  const part = rule === null ? undefined : allowedParts(rule, facts, rules)[0];
  const because = 'It came with this folder and does not count until you trust the folder.';
  return part === undefined ? null : { kind: 'untrusted', part: short(part), because };
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
    case 'text':
      return null;
    case 'tool':
      return nearTool(context);
  }
}

/** A list's rules by what a near call has in common with them. */
interface NearIndex {
  /** Command rules by the small letters before their first blank or star. */
  readonly commands: ReadonlyMap<string, readonly number[]>;
  /** Of its keys, each length once. */
  readonly lengths: readonly number[];
  readonly paths: readonly number[];
  readonly others: readonly number[];
}

const indexes = new WeakMap<readonly CompiledRule[], NearIndex>();

function indexOf(list: readonly CompiledRule[]): NearIndex {
  const known = indexes.get(list);
  if (known !== undefined) return known;
  const commands = new Map<string, number[]>();
  const paths: number[] = [];
  const others: number[] = [];
  for (const [position, rule] of list.entries()) {
    if (rule.kind === 'path') paths.push(position);
    else if (rule.kind !== 'command') others.push(position);
    else {
      const start = startOf(rule.pattern.head);
      const positions = commands.get(start) ?? [];
      commands.set(start, positions);
      positions.push(position);
    }
  }
  const lengths = [...new Set([...commands.keys()].map((start) => start.length))];
  const index = { commands, lengths, paths, others };
  indexes.set(list, index);
  return index;
}

/** Rules of one list that are looked at closely: each costs about as much as a decision. */
const maxLookedAt = 200;

function sharedLength(one: string, other: string): number {
  let at = 0;
  while (at < one.length && at < other.length && one.charCodeAt(at) === other.charCodeAt(at)) at++;
  return at;
}

/** Of too many rules those that begin most like the call; of path rules those with the longest name of the path. */
function nearest(rules: readonly CompiledRule[], facts: CallFacts): readonly CompiledRule[] {
  const texts = facts.commands.slice(0, 8).map((command) => command.denyForms[0] ?? command.text);
  const names = facts.files.slice(0, 8).flatMap((file) => file.spellings.slice(0, 1).map(lastName));
  const rank = (rule: CompiledRule): number => {
    if (rule.kind === 'command') return Math.max(0, ...texts.map((text) => sharedLength(text, rule.pattern.head)));
    if (rule.kind === 'path')
      return Math.max(0, ...names.map((name) => sharedLength(name, lastName(rule.pattern.text))));
    return Number.MAX_SAFE_INTEGER;
  };
  const ranked = rules.map((rule, position) => ({ rule, position, rank: rank(rule) }));
  return ranked
    .sort((a, b) => b.rank - a.rank || a.position - b.position)
    .slice(0, maxLookedAt)
    .map(({ rule }) => rule);
}

function lastName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1).toLowerCase();
}

/** Rules of a list that may nearly fit, in its order; of very many only the nearest. */
function candidates(list: readonly CompiledRule[], facts: CallFacts): readonly CompiledRule[] {
  const { commands, lengths, paths, others } = indexOf(list);
  const positions = new Set(others);
  if (facts.files.length > 0) for (const position of paths) positions.add(position);
  for (const word of new Set(facts.commands.flatMap((command) => formsOf(command).map((form) => form.first))))
    for (const length of lengths)
      if (length <= word.length)
        for (const position of commands.get(word.slice(0, length)) ?? []) positions.add(position);
  const found = [...positions].sort((a, b) => a - b).flatMap((position) => list[position] ?? []);
  return found.length <= maxLookedAt ? found : nearest(found, facts);
}

const parsedRules = new WeakMap<CompiledRule, ParsedRule | null>();

function parsedOf(rule: CompiledRule): ParsedRule | null {
  const known = parsedRules.get(rule);
  if (known !== undefined) return known;
  const parsed = parseRule(rule.ref.text);
  const value = parsed.ok ? parsed.value : null;
  parsedRules.set(rule, value);
  return value;
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
  readonly waiting: readonly RuleRef[];
  readonly matching: readonly RuleRef[];
}): readonly NearMiss[] {
  const { facts, rules, decision, written, waiting } = options;
  const matching = new Set(options.matching.map(ruleKey));
  const skip = (ref: RuleRef) =>
    (decision.behavior === 'allow' && ref.behavior === 'allow') || matching.has(ruleKey(ref));
  const found: NearMiss[] = [];
  const add = (rule: RuleRef, miss: Miss | null): void => {
    if (miss !== null) found.push({ rule, ...miss });
  };
  const speaks = speaking(facts, rules);
  const lists = decision.behavior === 'allow' ? [rules.deny, rules.ask] : [rules.deny, rules.ask, rules.allow];
  for (const rule of lists.flatMap((list) => candidates(list, facts))) {
    const parsed = skip(rule.ref) ? null : parsedOf(rule);
    if (parsed === null) continue;
    const changed = (content: string, tool = parsed.tool): CompiledRule | null =>
      compileRule({
        ref: { ...rule.ref, text: formatRule({ tool, content }) },
        group: rule.group,
        order: rule.order,
        sourceFolders: rule.sourceFolders,
        ignoreCase: rules.ignoreCase,
      });
    add(rule.ref, nearOf({ facts, rules, rule, parsed, changed, speaks }));
  }
  const doubtful = written.filter((rule) => problemOf(rule.ref) !== null && !skip(rule.ref));
  for (const rule of doubtful.slice(0, maxLookedAt)) add(rule.ref, nearDead(rule, facts, rules));
  for (const rule of waiting.slice(0, maxLookedAt)) if (!skip(rule)) add(rule, nearUntrusted(rule, facts, rules));
  const order = (miss: NearMiss) => closeness.indexOf(miss.kind);
  const shown = new Set<string>();
  let far = 0;
  return found
    .sort((a, b) => order(a) - order(b))
    .filter(({ rule, kind }) => {
      const key = ruleKey(rule);
      if (shown.has(key) || (kind === 'otherWords' && far++ >= maxFar)) return false;
      shown.add(key);
      return true;
    });
}
