// The why-tree: what lies behind a decision, as data. Asks the same matchers as the decision itself, never others.
import { type Decision, describeReason, type RuleRef } from '#shared/permissions/decision';
import { type PermissionMode, permissionModes } from '#shared/permissions/modes';
import type { RuleStanding, WhyCommand, WhyFile, WhyGate, WhyRule, WhyTree } from '#shared/permissions/why';
import type { OwnPermission } from '../tools/tool';
import type { CallFacts, FileFact } from './callFacts';
import type { HookAnswer, HookOpinion } from './decide';
import { nearMisses } from './explainNear';
import { allowedParts, mayAllow, mayStop, sameRule, short, stoppedParts } from './explainParts';
import { guardedBy, privateDetail } from './gates';
import type { SourcedRule } from './ruleSet';
import type { CompiledRule, RuleSet } from './rules';
import type { Confinement } from './sandboxed';

export interface ExplainOptions {
  readonly decision: Decision;
  readonly facts: CallFacts;
  /** The call before a hook or a person changed it. */
  readonly original?: CallFacts;
  readonly rules: RuleSet;
  readonly mode: PermissionMode;
  readonly own?: OwnPermission;
  readonly hook?: HookOpinion;
  /** What a hook answered in place of a person. */
  readonly answer?: HookAnswer;
  readonly confinement?: Confinement;
  /** All rules as written, those that are not in force too: they are the nearest misses. */
  readonly written?: readonly SourcedRule[];
  /** Allow rules that came with the folder and wait until a person trusts it. */
  readonly waiting?: readonly RuleRef[];
}

/** A tree is stored with its call, so each list is bounded. */
const maxCommands = 40;
const maxFiles = 40;
const maxHosts = 20;
const maxRules = 30;
const maxNearMisses = 12;
const maxPartsOfRule = 8;

/** What of the call stays uncovered although the rule fits some of it. */
function firstOpen({ decision, facts }: ExplainOptions): string {
  if (facts.shellProblems.length > 0) return 'No rule can allow this line as a whole.';
  const open = decision.parts.find((part) => part.behavior === 'ask' && part.reason.type === 'noRule');
  if (open === undefined) return 'It does not cover the whole call.';
  const output = open.kind === 'write' && facts.shellText !== null;
  return `${short(open.text)} is not covered.${output ? ' A rule for a command never covers the files it writes.' : ''}`;
}

/** Why an allow rule that speaks of the call does not decide it. */
function whyAllowLoses(options: ExplainOptions, asked: boolean): string {
  const { behavior, reason } = options.decision;
  switch (reason.type) {
    case 'rule':
      if (behavior === 'deny') return 'Deny beats allow, whichever is narrower and whichever file it stands in.';
      if (behavior === 'ask') return 'Ask beats allow, whichever is narrower and whichever file it stands in.';
      return 'Another rule comes first for the same part.';
    case 'safety':
      return reason.check === 'privateAddress'
        ? 'Only a rule that names this host opens this gate, or a person.'
        : 'No rule opens this gate, only a person.';
    case 'mode':
      if (behavior === 'allow') return `Not needed: ${permissionModes[reason.mode].label} mode runs it.`;
      if (reason.mode === 'plan') return 'Plan mode changes nothing, whatever the rules allow.';
      return asked ? 'Ask beats allow, and in this mode what would ask is denied.' : firstOpen(options);
    case 'noRule':
      return firstOpen(options);
    case 'readOnly':
      return 'Not needed: the call only reads.';
    case 'noPermissionNeeded':
      return 'Not needed: this tool needs no permission.';
    case 'hook':
      return behavior === 'allow'
        ? `Not enough alone: the hook allowed the rest. ${firstOpen(options)}`
        : 'What a hook refuses or puts before a person, no rule allows.';
    default:
      return behavior === 'allow' ? 'Something else decides first.' : `Not enough: ${describeReason(reason)}`;
  }
}

function whyStopLoses(rule: CompiledRule, decision: Decision): string {
  const { behavior, reason } = decision;
  if (reason.type === 'safety' && reason.check === 'privateFile') return 'The call is refused before rules are read.';
  if (rule.ref.behavior === 'deny') return 'It denies as well; the first rule found is named.';
  if (behavior === 'deny')
    return reason.type === 'mode' ? 'It asks, and in this mode what would ask is denied.' : 'Deny beats ask.';
  return reason.type === 'rule' ? 'It asks as well; the first rule found is named.' : 'Something else asks first.';
}

function whyWins(rule: CompiledRule, decision: Decision): string {
  switch (rule.ref.behavior) {
    case 'deny':
      return 'Deny beats ask and allow.';
    case 'ask':
      return 'Ask beats allow, and no deny rule fits.';
    case 'allow': {
      const more = decision.parts.filter(
        (part) => part.reason.type === 'rule' && !sameRule(part.reason.rule, rule.ref),
      );
      return more.length === 0
        ? 'Nothing denies or asks, and every part is allowed.'
        : 'Nothing denies or asks, and every part is allowed, each by a rule of its own.';
    }
  }
}

const standingOrder: readonly RuleStanding[] = ['wins', 'helps', 'loses'];
const behaviorOrder: readonly RuleRef['behavior'][] = ['deny', 'ask', 'allow'];

function rulesOf(options: ExplainOptions): readonly WhyRule[] {
  const { decision, facts, original, rules } = options;
  const seen = original === undefined ? [facts] : [facts, original];
  const found: WhyRule[] = [];
  let asked = false;
  const { reason } = decision;
  let winner: CompiledRule | undefined;
  const add = (rule: CompiledRule, parts: readonly string[], loses: () => string): void => {
    if (parts.length === 0) return;
    // Of rules written twice in one place the first wins.
    const wins = winner === undefined && reason.type === 'rule' && sameRule(reason.rule, rule.ref);
    if (wins) winner = rule;
    const helps =
      !wins &&
      decision.behavior === 'allow' &&
      !(reason.type === 'mode' && reason.mode === 'bypassPermissions') &&
      decision.parts.some((part) => part.reason.type === 'rule' && sameRule(part.reason.rule, rule.ref));
    found.push({
      rule: rule.ref,
      standing: wins ? 'wins' : helps ? 'helps' : 'loses',
      parts: [...new Set(parts.map(short))].slice(0, maxPartsOfRule),
      because: wins ? whyWins(rule, decision) : helps ? 'It allows its part of the call.' : loses(),
    });
  };
  for (const behavior of ['deny', 'ask'] as const)
    for (const rule of new Set(seen.flatMap((one) => mayStop(rules[behavior], one)))) {
      const parts = seen.flatMap((one) => stoppedParts(rule, one, rules));
      if (behavior === 'ask' && parts.length > 0) asked = true;
      add(rule, parts, () => whyStopLoses(rule, decision));
    }
  for (const rule of mayAllow(rules.allow, facts))
    add(rule, allowedParts(rule, facts, rules), () => whyAllowLoses(options, asked));
  return found.sort(
    (a, b) =>
      standingOrder.indexOf(a.standing) - standingOrder.indexOf(b.standing) ||
      behaviorOrder.indexOf(a.rule.behavior) - behaviorOrder.indexOf(b.rule.behavior),
  );
}

function commandsOf(facts: CallFacts): readonly WhyCommand[] {
  return facts.commands.map((command) => ({
    text: short(command.text),
    nested: command.nested,
    readOnly: command.readOnly.yes,
    note: short(
      command.never ?? (command.readOnly.yes ? command.readOnly.why : (command.exactOnly ?? command.readOnly.why)),
    ),
  }));
}

function fileNote(file: FileFact): string {
  if (file.unknown !== null) return file.unknown;
  const notes = [
    file.private ? 'one of Gatehouse’s own files' : '',
    file.protected === null ? '' : `protected: ${file.protected.name}`,
    file.inside ? '' : 'outside the working folders',
    file.spellings.length > 1 ? 'reached through a link' : '',
    file.personOnly ? 'which file this is can only be judged by a person' : '',
  ];
  return notes.filter((note) => note !== '').join('; ');
}

function filesOf(facts: CallFacts): readonly WhyFile[] {
  const files = facts.files.map(
    (file): WhyFile => ({
      given: short(file.given),
      real: file.unknown === null ? file.real : null,
      access: file.access,
      from: file.from,
      inside: file.inside,
      note: fileNote(file),
    }),
  );
  return [...new Map(files.map((file) => [JSON.stringify(file), file])).values()];
}

function gatesOf({ facts, original, decision, mode, confinement }: ExplainOptions): readonly WhyGate[] {
  const decides = (check: WhyGate['check']) =>
    decision.reason.type === 'safety' && decision.reason.check === check && decision.behavior !== 'allow';
  const gates: WhyGate[] = [];
  const secret = privateDetail([facts, ...(original === undefined ? [] : [original])]);
  if (secret !== null) gates.push({ check: 'privateFile', detail: short(secret), decides: true });
  if (confinement !== undefined && confinement.refusal !== '')
    gates.push({ check: 'noSandbox', detail: short(confinement.refusal), decides: decides('noSandbox') });
  if (confinement?.outside?.kind === 'wanted')
    gates.push({
      check: 'outsideSandbox',
      detail: short(confinement.outside.detail),
      decides: decides('outsideSandbox'),
    });
  const critical = facts.commands.find((command) => command.critical !== null)?.critical;
  if (critical !== undefined && critical !== null)
    gates.push({ check: 'criticalRemoval', detail: short(critical), decides: decides('criticalRemoval') });
  if (decision.reason.type === 'safety' && decision.reason.check === 'privateAddress')
    gates.push({ check: 'privateAddress', detail: short(decision.reason.detail), decides: decides('privateAddress') });
  const guarded = guardedBy(facts);
  if (guarded !== null) {
    const open = mode === 'bypassPermissions' && !guarded.ownLimit ? ' Bypass mode opens this gate.' : '';
    gates.push({
      check: 'protectedPath',
      detail: `${short(guarded.detail)}${open}`,
      decides: decides('protectedPath'),
    });
  }
  const { reason } = decision;
  if (reason.type === 'safety' && reason.check === 'repeatedCall')
    gates.push({ check: 'repeatedCall', detail: reason.detail, decides: true });
  return gates;
}

function opinionsOf({ own, hook, answer, confinement }: ExplainOptions): readonly string[] {
  const words = { allow: 'allows', ask: 'asks', deny: 'denies' };
  return [
    ...(own === undefined || own.behavior === 'passthrough'
      ? []
      : [`The tool itself ${words[own.behavior]}: ${own.detail}`]),
    ...(confinement?.outside?.kind === 'excluded' ? [confinement.outside.detail] : []),
    ...(hook === undefined ? [] : [`A hook ${words[hook.behavior]}: ${hook.detail}`]),
    ...(answer === undefined ? [] : [`A hook answers for you and ${words[answer.behavior]}: ${answer.detail}`]),
  ];
}

function modeNote({ mode, decision }: ExplainOptions): string {
  const { label, meaning } = permissionModes[mode];
  const decides = decision.reason.type === 'mode' && decision.reason.mode === mode;
  return `${label}: ${meaning}${decides ? ' This decides here.' : ''}`;
}

/** All that lies behind a decision. Pure; finds the same rules as `decide` did for the same facts and rules. */
export function explainDecision(options: ExplainOptions): WhyTree {
  const { decision, facts, rules, mode } = options;
  const commands = commandsOf(facts);
  const files = filesOf(facts);
  const matching = rulesOf(options);
  const near = nearMisses({
    facts,
    rules,
    decision,
    written: options.written ?? [],
    waiting: options.waiting ?? [],
    matching: matching.map((one) => one.rule),
  });
  const cut = (length: number, limit: number) => Math.max(0, length - limit);
  return {
    tool: facts.toolName,
    mode,
    modeNote: modeNote(options),
    commands: commands.slice(0, maxCommands),
    files: files.slice(0, maxFiles),
    hosts: facts.hosts.slice(0, maxHosts),
    rules: matching.slice(0, maxRules),
    nearMisses: near.slice(0, maxNearMisses),
    gates: [...gatesOf(options)],
    doubts: [...new Set(facts.shellProblems.map(short))],
    opinions: [...opinionsOf(options)],
    leftOut:
      cut(commands.length, maxCommands) +
      cut(files.length, maxFiles) +
      cut(facts.hosts.length, maxHosts) +
      cut(matching.length, maxRules) +
      cut(near.length, maxNearMisses),
  };
}
