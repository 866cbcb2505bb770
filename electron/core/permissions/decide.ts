// THE decision. Pure: facts, rules and mode in, decision out. The order below is the specification's.
import type { Decision, DecisionReason, PartVerdict, RuleRef } from '#shared/permissions/decision';
import type { PermissionMode } from '#shared/permissions/modes';
import type { OwnPermission } from '../tools/tool';
import { withoutBroadAllows } from './broadRules';
import type { CallFacts } from './callFacts';
import { type Coverage, coverParts, localHostText } from './coverage';
import { type Guarded, guardedBy, privateDetail } from './gates';
import { finderOf, type Subject } from './ruleIndex';
import { type CompiledRule, matchesCall, matchesHostRule, type RuleSet, stopsCommand, stopsFile } from './rules';
import type { Confinement } from './sandboxed';

/** What a hook said. Its allow only saves the question; its deny and ask always count. */
export interface HookOpinion {
  readonly behavior: 'allow' | 'ask' | 'deny';
  readonly detail: string;
}

/** What a hook answered where a person would be asked. Its allow opens all that a person could open, but no ask rule. */
export interface HookAnswer {
  readonly behavior: 'allow' | 'deny';
  readonly detail: string;
}

export interface DecideOptions {
  readonly facts: CallFacts;
  /** The call before a hook or a person changed it: its deny and ask rules count as well. */
  readonly original?: CallFacts;
  readonly own: OwnPermission;
  readonly rules: RuleSet;
  readonly mode: PermissionMode;
  readonly hook?: HookOpinion;
  readonly answer?: HookAnswer;
  /** What it would run in; left out: nobody knows of a sandbox. */
  readonly confinement?: Confinement;
}

interface Stop {
  readonly rule: RuleRef;
  readonly text: string;
  readonly kind: PartVerdict['kind'];
}

/** All by which a rule may know the call. */
function subjectOf(facts: CallFacts): Subject {
  const commands = facts.commands.flatMap((command) => command.denyForms);
  return {
    // A refusal of all reading stops changes too.
    tools: facts.files.length === 0 ? [facts.toolName] : [facts.toolName, 'Read'],
    commands: [...new Set([...commands, ...facts.loose])],
    line: facts.shellText,
    paths: [...new Set(facts.files.flatMap((file) => file.spellings))],
    hosts: facts.hosts,
  };
}

/** The first rule of a list that knows the call, one of its commands, files or hosts. */
function firstStop(options: {
  readonly list: readonly CompiledRule[];
  readonly facts: CallFacts;
  readonly subject: Subject;
  readonly rules: RuleSet;
}): Stop | null {
  const { list, facts, subject, rules } = options;
  for (const rule of finderOf(list)(subject)) {
    if (matchesCall(rule, facts)) return { rule: rule.ref, text: facts.shellText ?? facts.toolName, kind: 'tool' };
    const command = facts.commands.find((one) => stopsCommand(rule, one));
    if (command !== undefined) return { rule: rule.ref, text: command.text, kind: 'command' };
    const loose = rule.kind === 'command' ? facts.loose.find((text) => rule.pattern.matches(text)) : undefined;
    if (loose !== undefined) return { rule: rule.ref, text: loose, kind: 'command' };
    const whole = facts.shellText;
    if (whole !== null && rule.kind === 'command' && rule.pattern.exact && rule.pattern.matches(whole))
      return { rule: rule.ref, text: whole, kind: 'command' };
    const file = facts.files.find((one) => stopsFile(rule, one, facts, rules));
    if (file !== undefined) return { rule: rule.ref, text: file.given, kind: file.access };
    const host = facts.hosts.find((one) => matchesHostRule(rule, one, facts));
    if (host !== undefined) return { rule: rule.ref, text: host, kind: 'host' };
  }
  return null;
}

function result(
  behavior: Decision['behavior'],
  reason: DecisionReason,
  coverage: Coverage,
  stop?: Stop | null,
): Decision {
  const verdict = stop === undefined || stop === null ? null : { text: stop.text, kind: stop.kind, behavior, reason };
  const parts = coverage.parts.map((part) =>
    verdict !== null && part.text === verdict.text && part.kind === verdict.kind ? verdict : part,
  );
  const named = verdict === null || verdict.kind === 'tool' || parts.includes(verdict);
  return { behavior, reason, parts: named ? parts : [...parts, verdict] };
}

function protectedReason({ detail }: Guarded): DecisionReason {
  return { type: 'safety', check: 'protectedPath', detail };
}

const withoutBare = new WeakMap<readonly CompiledRule[], readonly CompiledRule[]>();

/** Ask rules but those for all of Bash. Kept, so that a list is indexed once. */
function scopedAsks(list: readonly CompiledRule[]): readonly CompiledRule[] {
  const known = withoutBare.get(list);
  if (known !== undefined) return known;
  const scoped = list.filter((rule) => !(rule.kind === 'tool' && rule.tool === 'Bash'));
  withoutBare.set(list, scoped);
  return scoped;
}

/** Whether the sandbox stands for an ask that no more is known of than that it is a command. */
function isAutoAllowed({ confinement, mode, rules, facts }: DecideOptions): boolean {
  if (confinement?.autoAllows !== true || mode === 'plan' || facts.toolName !== 'Bash') return false;
  return !(mode === 'auto' && rules.judgesShell === true);
}

const bySandbox: DecisionReason = {
  type: 'tool',
  detail: 'the sandbox it runs in (sandbox.autoAllowBashIfSandboxed)',
};

/** Decides one call. Never throws for odd facts; what nothing covers asks, and in dontAsk is denied. */
export function decide(options: DecideOptions): Decision {
  const { facts, original, own, mode, hook, answer, confinement } = options;
  const autoAllowed = isAutoAllowed(options);
  const rules = mode === 'auto' ? withoutBroadAllows(options.rules) : options.rules;
  const coverage = coverParts({ facts, rules, mode, hookAllows: hook?.behavior === 'allow' });
  const ask = (reason: DecisionReason, stop?: Stop | null): Decision => {
    if (answer?.behavior === 'allow' && reason.type !== 'rule')
      return result('allow', { type: 'hook', detail: answer.detail }, coverage);
    return mode === 'dontAsk'
      ? result('deny', { type: 'mode', mode }, coverage, stop)
      : result('ask', reason, coverage, stop);
  };
  const seen = (original === undefined ? [facts] : [facts, original]).map((one) => ({
    facts: one,
    subject: subjectOf(one),
  }));

  // 1. Files that hold Gatehouse's own secrets: no rule, mode or person opens them to a tool.
  const secret = privateDetail(seen.map((one) => one.facts));
  if (secret !== null) return result('deny', { type: 'safety', check: 'privateFile', detail: secret }, coverage);

  // 2. Deny rules, then the tool's and the hooks' own deny.
  for (const one of seen) {
    const denied = firstStop({ ...one, list: rules.deny, rules });
    if (denied !== null) return result('deny', { type: 'rule', rule: denied.rule }, coverage, denied);
  }
  if (own.behavior === 'deny') return result('deny', { type: 'tool', detail: own.detail }, coverage);
  for (const said of [hook, answer])
    if (said?.behavior === 'deny') return result('deny', { type: 'hook', detail: said.detail }, coverage);
  if (confinement !== undefined && confinement.refusal !== '')
    return result('deny', { type: 'safety', check: 'noSandbox', detail: confinement.refusal }, coverage);

  // 3. Ask rules, then the tool's and the hook's own ask.
  for (const one of seen) {
    const asked = firstStop({ ...one, list: autoAllowed ? scopedAsks(rules.ask) : rules.ask, rules });
    if (asked !== null) return ask({ type: 'rule', rule: asked.rule }, asked);
  }
  if (own.behavior === 'ask' && !(own.hookMayAllow === true && hook?.behavior === 'allow'))
    return ask({ type: 'tool', detail: own.detail });
  if (hook?.behavior === 'ask') return ask({ type: 'hook', detail: hook.detail });

  // 4. Hard gates: only a person opens them. Bypass may change protected files, but neither
  // removes critical folders nor moves the agent’s own limits.
  if (confinement?.outside?.kind === 'wanted')
    return ask({ type: 'safety', check: 'outsideSandbox', detail: confinement.outside.detail });
  const critical = facts.commands.find((command) => command.critical !== null);
  if (critical?.critical != null) return ask({ type: 'safety', check: 'criticalRemoval', detail: critical.critical });
  const { localHost } = coverage;
  if (localHost !== null) return ask({ type: 'safety', check: 'privateAddress', detail: localHostText(localHost) });
  const guarded = guardedBy(facts);
  // What would outlast the mode that the person chose.
  if (guarded?.ownLimit === true && mode === 'bypassPermissions') return ask(protectedReason(guarded));
  if (mode === 'bypassPermissions') return result('allow', { type: 'mode', mode }, coverage);
  // A question to the person would be a prompt, and this mode has none.
  if (mode === 'dontAsk' && facts.toolName === 'AskUserQuestion')
    return result('deny', { type: 'mode', mode }, coverage);
  if (own.behavior === 'allow') return result('allow', { type: 'noPermissionNeeded' }, coverage);
  // What would have asked above, had the hook not answered.
  if (own.behavior === 'ask' && hook?.behavior === 'allow')
    return result('allow', { type: 'hook', detail: hook.detail }, coverage);
  if (guarded !== null && !(mode === 'plan' && facts.shellText === null && !guarded.mentioned))
    return ask(protectedReason(guarded));

  // 5. Plan: nothing is changed, whatever the rules say.
  if (mode === 'plan' && !coverage.onlyReads)
    return facts.files.some((file) => file.access === 'write' && file.from === 'tool')
      ? result('deny', { type: 'mode', mode }, coverage)
      : ask({ type: 'mode', mode });

  // 6. Mode, read-only set and allow rules, each part by one of them. 7. The hook's allow covers what is left.
  if (coverage.uncovered === null) return result('allow', coverage.reason, coverage);
  if (hook?.behavior === 'allow') return result('allow', { type: 'hook', detail: hook.detail }, coverage);

  if (autoAllowed) return result('allow', bySandbox, coverage);

  // 8. A person.
  return ask({ type: 'noRule', detail: coverage.uncovered });
}
