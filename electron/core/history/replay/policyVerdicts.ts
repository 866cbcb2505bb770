// The verdicts of one policy on past calls, by the engine that decides everywhere. What was decided once is kept.
import type { Decision } from '#shared/permissions/decision';
import type { PermissionMode } from '#shared/permissions/modes';
import { compileMatcher, type Matches } from '../../hooks/matcher';
import type { CallFacts, FileFact } from '../../permissions/callFacts';
import { classifierTakesPart } from '../../permissions/classifier';
import type { Sources } from '../../permissions/combineSources';
import { compileSources, modeInForce, placeIn, type SourcesHost } from '../../permissions/compileSources';
import { decide } from '../../permissions/decide';
import { explainDecision } from '../../permissions/explain';
import { allowedParts, mayAllow, mayStop, stoppedParts } from '../../permissions/explainParts';
import { gathererAt, type Place, spellingsOf } from '../../permissions/facts';
import type { FileView } from '../../permissions/fileView';
import { isInside } from '../../permissions/paths';
import type { PermissionRequest } from '../../permissions/permissionRequest';
import { buildRuleSet, type SourcedRule } from '../../permissions/ruleSet';
import { ruleSpeaksOf } from '../../permissions/ruleSpeaksOf';
import type { CompiledRule, RuleSet } from '../../permissions/rules';
import { applySwitches } from '../../permissions/switches';
import type { Distinct, DistinctCalls, Gathered, ModeKey, PastCase } from './distinctCalls';
import type { Outcome } from './outcome';

export interface PolicyOptions {
  readonly sources: Sources;
  readonly host: SourcesHost;
  readonly view: FileView;
}

interface Spot {
  readonly place: Place;
  readonly rules: RuleSet;
  readonly factsOf: (request: PermissionRequest) => CallFacts;
  /** Folders of the place that are no longer there. */
  readonly gone: readonly string[];
}

interface Hook {
  /** Null: nobody knows whether it matches. */
  readonly matches: Matches | null;
  readonly condition: string | null;
}

/** Current folders whose rule sets are kept. */
const maxSpots = 500;

/** Modes that a call without a recorded one may have been made in. */
const usualModes: readonly PermissionMode[] = ['default', 'acceptEdits', 'plan'];

/** Whether any of the rules has a say in a call. */
function speaksOf(rules: RuleSet, facts: CallFacts): boolean {
  const stops = (list: readonly CompiledRule[]): boolean =>
    mayStop(list, facts).some((rule) => stoppedParts(rule, facts, rules).length > 0);
  return (
    stops(rules.deny) ||
    stops(rules.ask) ||
    mayAllow(rules.allow, facts).some((rule) => allowedParts(rule, facts, rules).length > 0)
  );
}

export class PolicyVerdicts {
  private readonly spots = new Map<string, Spot>();
  private readonly outcomes = new Map<PastCase, Outcome>();
  private readonly hooks: readonly Hook[];
  readonly sources: Sources;

  constructor(readonly options: PolicyOptions) {
    this.sources = options.sources;
    this.hooks = options.sources.callHooks.map(({ matcher, condition }) => {
      const compiled = compileMatcher(matcher, 'pattern');
      return { matches: compiled.ok ? compiled.value : null, condition };
    });
  }

  /** Decides a case, or says why that cannot be done. */
  outcome(one: PastCase, calls: DistinctCalls): Outcome {
    const known = this.outcomes.get(one);
    if (known !== undefined) return known;
    const found = this.outcomeAnew(one, calls);
    if (found !== 'gone') this.outcomes.set(one, found);
    return found;
  }

  /** Takes over the verdicts of another policy on all calls that none of the changed rules can concern. */
  adopt(from: PolicyVerdicts, changed: readonly SourcedRule[], calls: DistinctCalls): void {
    if (changed.length === 0) {
      for (const [one, outcome] of from.outcomes) this.outcomes.set(one, outcome);
      return;
    }
    const sources = { ...this.sources, rules: changed };
    const alone = new Map<string, RuleSet>();
    const concerns = new Map<Distinct, boolean>();
    const isConcerned = (distinct: Distinct): boolean => {
      const { place, rules } = this.at(distinct.cwd);
      const facts = calls.gatheredAlready(distinct, place)?.facts;
      if (facts === undefined) return true;
      let set = alone.get(distinct.cwd);
      if (set === undefined) {
        const { deny, ask, allow } = compileSources(sources, place, this.options.view);
        set = { ...rules, deny, ask, allow };
        alone.set(distinct.cwd, set);
      }
      return speaksOf(set, facts);
    };
    for (const [one, outcome] of from.outcomes) {
      const known = concerns.get(one.distinct) ?? isConcerned(one.distinct);
      concerns.set(one.distinct, known);
      if (!known) this.outcomes.set(one, outcome);
    }
  }

  /** The place of calls in a folder, and the rules there. */
  at(cwd: string): Spot {
    const known = this.spots.get(cwd);
    if (known !== undefined) return known;
    const { sources, host, view } = this.options;
    const place = placeIn({ sources, cwd, host });
    const gone = [...new Set([place.folder, place.cwd])].filter((folder) => view.kind(folder) === null);
    const rules = compileSources(sources, place, view);
    const spot: Spot = { place, rules, factsOf: gathererAt(place, view), gone };
    if (this.spots.size >= maxSpots) this.spots.clear();
    this.spots.set(cwd, spot);
    return spot;
  }

  gather(distinct: Distinct, calls: DistinctCalls): Gathered | null {
    const { place, factsOf } = this.at(distinct.cwd);
    return calls.gather(distinct, place, factsOf);
  }

  /** The decision in a mode, with rules beside those of the policy when given. */
  decide(
    cwd: string,
    gathered: Gathered,
    options: { readonly mode: PermissionMode; readonly rules?: RuleSet },
  ): Decision {
    const { facts, request } = gathered;
    const mode = modeInForce(options.mode, this.sources);
    const rules = options.rules ?? this.at(cwd).rules;
    return applySwitches(decide({ facts, own: request.own, rules, mode }), facts, this.sources.switches);
  }

  /** The same with everything behind it. */
  explain(cwd: string, gathered: Gathered, wished: PermissionMode): Decision {
    const { facts, request } = gathered;
    const mode = modeInForce(wished, this.sources);
    const { rules } = this.at(cwd);
    const decision = this.decide(cwd, gathered, { mode });
    const waiting = this.sources.trust.waitingRules;
    const { own } = request;
    const why = explainDecision({ decision, facts, own, rules, mode, written: this.sources.rules, waiting });
    return { ...decision, why };
  }

  /** Modes that a call may have been made in, the most likely first. */
  modesOf(mode: ModeKey): readonly PermissionMode[] {
    if (mode !== 'unknown' && mode !== 'unknownRan') return [mode];
    const { defaultMode } = this.sources;
    // Plan mode carries out nothing that changes anything, and what only reads is decided there as elsewhere.
    const usual = mode === 'unknown' ? usualModes : usualModes.filter((one) => one !== 'plan');
    return [...new Set(defaultMode === null ? usual : [defaultMode, ...usual])];
  }

  private outcomeAnew({ distinct, mode }: PastCase, calls: DistinctCalls): Outcome {
    if (distinct.doubt === 'input') return 'input';
    const gathered = this.gather(distinct, calls);
    if (gathered === null) return 'gone';
    return this.settle({ distinct, mode, gathered });
  }

  /** The verdict with all doubts about it; with rules beside those of the policy when given. */
  settle(options: {
    readonly distinct: Distinct;
    readonly mode: ModeKey;
    readonly gathered: Gathered;
    readonly rules?: RuleSet;
  }): Outcome {
    const { distinct, gathered, rules } = options;
    if (distinct.doubt === 'input') return 'input';
    const found = new Set<Outcome>();
    for (const mode of this.modesOf(options.mode)) {
      const decision = this.decide(distinct.cwd, gathered, rules === undefined ? { mode } : { mode, rules });
      found.add(this.doubted({ decision, distinct, gathered, mode }));
    }
    const [first, ...more] = found;
    return more.length === 0 && first !== undefined ? first : 'mode';
  }

  private doubted(options: {
    readonly decision: Decision;
    readonly distinct: Distinct;
    readonly gathered: Gathered;
    readonly mode: PermissionMode;
  }): Outcome {
    const { decision, distinct, gathered, mode } = options;
    const { behavior, reason } = decision;
    // A rule that denies counts whatever hooks, links and modes do.
    if (behavior === 'deny' && (reason.type === 'rule' || reason.type === 'safety')) return 'deny';
    if (distinct.doubt !== null) return distinct.doubt;
    const { facts } = gathered;
    if (this.hooks.some((hook) => this.mayRun(hook, distinct, facts))) return 'hook';
    const disk = this.dependsOnDisk(distinct, facts);
    if (disk !== null) return disk;
    const isOpen = behavior === 'ask' && reason.type === 'noRule';
    return isOpen && classifierTakesPart(modeInForce(mode, this.sources), this.sources.descriptions)
      ? 'model'
      : behavior;
  }

  private mayRun(hook: Hook, { cwd }: Distinct, facts: CallFacts): boolean {
    if (hook.matches === null) return true;
    if (!hook.matches(facts.toolName)) return false;
    if (hook.condition === null) return true;
    const { place } = this.at(cwd);
    return ruleSpeaksOf(hook.condition, facts, (text) =>
      buildRuleSet(
        [{ ref: { text, behavior: 'deny', source: 'session' }, sourceFolder: null }],
        place,
        this.options.view,
      ),
    );
  }

  private dependsOnDisk({ cwd }: Distinct, facts: CallFacts): 'folder' | 'link' | null {
    const { gone, place } = this.at(cwd);
    const isGone = ({ unknown, spellings: [given = ''] }: FileFact): boolean =>
      unknown === null && gone.some((folder) => isInside(given, folder));
    if (gone.length > 0 && facts.files.some(isGone)) return 'folder';
    return facts.files.some((file) => this.followsLink(file, place)) ? 'link' : null;
  }

  /** Whether a link decides which file it is; one on the way to the working folder itself, or to its like, is none. */
  private followsLink({ real, spellings: [given], unknown }: FileFact, place: Place): boolean {
    if (unknown !== null || given === undefined || given === real) return false;
    const { view } = this.options;
    return ![place.folder, place.home, ...place.additional, '/tmp', '/var', '/bin', '/lib', '/etc'].some((folder) => {
      if (!isInside(given, folder)) return false;
      const rest = given.slice(folder.length);
      return spellingsOf(folder, view).some((other) => `${other}${rest}` === real);
    });
  }
}
