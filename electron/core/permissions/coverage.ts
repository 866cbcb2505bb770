// Which parts of a call are allowed, and by what. A call is allowed when every part is.
import type { DecisionReason, PartVerdict } from '#shared/permissions/decision';
import type { PermissionMode } from '#shared/permissions/modes';
import { isLocalHost } from '#shared/web/address';
import type { CallFacts, CommandFact, FileFact } from './callFacts';
import { documentationHosts, namesHost } from './matchHost';
import { finderOf, type Subject } from './ruleIndex';
import { allowsCommand, allowsFile, type CompiledRule, matchesCall, matchesHostRule, type RuleSet } from './rules';

export interface Coverage {
  readonly parts: readonly PartVerdict[];
  /** Why the call is not allowed as a whole, in words; null when it is. */
  readonly uncovered: string | null;
  /** The reason that says most about an allowed call. */
  readonly reason: DecisionReason;
  /** Nothing in the call changes anything. */
  readonly onlyReads: boolean;
  /** A host on this machine or a private network that no rule names; null when there is none. */
  readonly localHost: string | null;
}

export interface CoverOptions {
  readonly facts: CallFacts;
  readonly rules: RuleSet;
  readonly mode: PermissionMode;
  readonly hookAllows: boolean;
}

/** Not shown as a part of its own: words of a command that may be file names would crowd out what matters. */
const withCommand: DecisionReason = { type: 'readOnly', detail: 'goes with its command' };

type Verdict = { readonly covered: DecisionReason } | { readonly open: string };

/** Tools that never need a permission of their own; their files and hosts may still. */
const freeTools: ReadonlySet<string> = new Set(
  (
    'Read Glob Grep ListDirectory AskUserQuestion EnterPlanMode TodoWrite Agent Task TaskCreate TaskGet TaskUpdate ' +
    'TaskListItems TaskOutput BashOutput TaskStop KillShell TaskList ExitWorktree ListMcpResources ReadMcpResource ' +
    'ListMcpPrompts WaitForMcpServers ToolSearch LSP GetDiagnostics CronCreate CronList CronDelete GetConfig ' +
    'SendNotification'
  ).split(' '),
);

const fileTools: ReadonlySet<string> = new Set(['Edit', 'Write', 'MultiEdit', 'NotebookEdit']);

function byRule(rule: CompiledRule): Verdict {
  return { covered: { type: 'rule', rule: rule.ref } };
}

/** The texts by which allow rules may know a command. */
function subjectOf(command: CommandFact, facts: CallFacts): Subject {
  const texts = new Set([...command.exactForms, ...command.starForms.map((form) => form.text)]);
  return { commands: [...texts], line: facts.shellText };
}

function coverCommand(command: CommandFact, options: CoverOptions): Verdict {
  const { facts, rules, mode } = options;
  const [problem] = facts.shellProblems;
  if (problem !== undefined) return { open: `No rule can allow this line: ${problem}.` };
  if (command.never !== null) return { open: `No rule can allow this: ${command.never}.` };
  if (command.readOnly.yes) return { covered: { type: 'readOnly', detail: command.readOnly.why } };
  if (mode === 'acceptEdits' && command.edits) return { covered: { type: 'mode', mode } };
  const whole = facts.shellText;
  for (const rule of finderOf(rules.allow)({ ...subjectOf(command, facts), tools: [facts.toolName] })) {
    if (rule.kind === 'tool' && matchesCall(rule, facts)) return byRule(rule);
    if (rule.kind !== 'command') continue;
    if (whole !== null && rule.pattern.exact && rule.pattern.matches(whole)) return byRule(rule);
    if (allowsCommand(rule, command)) return byRule(rule);
  }
  if (command.exactOnly !== null) return { open: `No rule with a star covers this: ${command.exactOnly}.` };
  return { open: `No rule allows it, and ${command.readOnly.why}.` };
}

/** Whether the rule that covers the file's command names it exactly, arguments included. */
function coveredExactly(file: FileFact, options: CoverOptions): CompiledRule | undefined {
  const { facts, rules } = options;
  const command = file.command === null ? undefined : facts.commands[file.command];
  if (command === undefined || facts.shellProblems.length > 0) return undefined;
  return finderOf(rules.allow)(subjectOf(command, facts)).find((rule) => {
    if (rule.kind !== 'command' || !rule.pattern.exact) return false;
    return allowsCommand(rule, command) || (facts.shellText !== null && rule.pattern.matches(facts.shellText));
  });
}

function coverFile(file: FileFact, options: CoverOptions): Verdict {
  const { facts, rules, mode } = options;
  const verb = file.access === 'read' ? 'Reading' : 'Writing';
  if (file.personOnly) return { open: `${verb} ${file.given}: which file this is can only be judged by a person.` };
  if (file.ownResult) return { covered: { type: 'readOnly', detail: 'a kept result of this session' } };
  if (file.from === 'argument') {
    const exact = coveredExactly(file, options);
    if (exact !== undefined) return byRule(exact);
  }
  if (file.unknown !== null) return { open: `${verb} ${file.given}: ${file.unknown}.` };
  const candidates = finderOf(rules.allow)({ tools: [facts.toolName], paths: file.spellings });
  const rule = candidates.find((one) => allowsFile(one, file, facts, rules));
  if (rule !== undefined) return byRule(rule);
  // Inside, what a command does with its arguments goes with the command; a redirect is the shell's own write.
  if (file.inside && file.from === 'argument') return { covered: withCommand };
  if (file.inside && file.access === 'read')
    return { covered: { type: 'readOnly', detail: 'a read inside the working folder' } };
  const modeWrites = mode === 'acceptEdits' || (mode === 'auto' && file.from === 'tool');
  if (file.inside && modeWrites) return { covered: { type: 'mode', mode } };
  const place = file.inside ? '' : ', which lies outside the working folders';
  return { open: `No rule allows ${verb.toLowerCase()} ${file.given}${place}.` };
}

/** Why a host on this machine or a private network stays open. */
export function localHostText(host: string): string {
  return `${host} is not on the public internet but on this machine or a private network; only a rule that names it covers it.`;
}

function coverHost(host: string, options: CoverOptions): Verdict {
  const { facts, rules } = options;
  const candidates = finderOf(rules.allow)({ tools: [facts.toolName], hosts: [host] });
  // One that names the host opens more than one that only fits it, so it comes first.
  const named = candidates.find(
    (one) => one.kind === 'host' && namesHost(one.host, host) && matchesHostRule(one, host, facts),
  );
  if (named !== undefined) return byRule(named);
  if (facts.toolName === 'WebFetch' && isLocalHost(host)) return { open: localHostText(host) };
  const rule = candidates.find((one) => matchesHostRule(one, host, facts) || matchesCall(one, facts));
  if (rule !== undefined) return byRule(rule);
  if (facts.toolName === 'WebFetch' && documentationHosts.has(host))
    return { covered: { type: 'readOnly', detail: 'a host of public documentation' } };
  return { open: `No rule allows fetching from ${host}.` };
}

/** The call itself, where neither a command nor a file nor a host stands for it. */
function coverCall(options: CoverOptions): Verdict {
  const { facts, rules } = options;
  const rule = finderOf(rules.allow)({ tools: [facts.toolName] }).find((one) => matchesCall(one, facts));
  if (rule !== undefined) return byRule(rule);
  if (freeTools.has(facts.toolName)) return { covered: { type: 'noPermissionNeeded' } };
  return { open: `No rule allows ${facts.toolName}.` };
}

function rank(reason: DecisionReason): number {
  return reason.type === 'rule' ? 3 : reason.type === 'mode' ? 2 : reason.type === 'readOnly' ? 1 : 0;
}

/** Judges every part of the call. Nested commands and files are not judged: only deny, ask and gates look at them. */
export function coverParts(options: CoverOptions): Coverage {
  const { facts } = options;
  const judged: { readonly text: string; readonly kind: PartVerdict['kind']; readonly verdict: Verdict }[] = [];
  for (const command of facts.commands)
    if (!command.nested) judged.push({ text: command.text, kind: 'command', verdict: coverCommand(command, options) });
  for (const file of facts.files)
    if (!file.nested) judged.push({ text: file.given, kind: file.access, verdict: coverFile(file, options) });
  for (const host of facts.hosts) judged.push({ text: host, kind: 'host', verdict: coverHost(host, options) });
  const stands = fileTools.has(facts.toolName)
    ? facts.files.length > 0
    : facts.shellText !== null || facts.hosts.length > 0;
  if (!stands || (facts.shellText !== null && judged.length === 0))
    judged.push({
      text: facts.shellText ?? facts.toolName,
      kind: 'tool',
      verdict: facts.shellText === null ? coverCall(options) : emptyLine(facts),
    });

  const open = judged.find((one) => 'open' in one.verdict)?.verdict;
  const reasons = judged.flatMap((one) => ('covered' in one.verdict ? [one.verdict.covered] : []));
  const reason = [...reasons].sort((a, b) => rank(b) - rank(a))[0] ?? { type: 'noPermissionNeeded' as const };
  const parts = judged.map(
    ({ text, kind, verdict }): PartVerdict =>
      'covered' in verdict
        ? { text, kind, behavior: 'allow', reason: verdict.covered }
        : { text, kind, behavior: 'ask', reason: { type: 'noRule', detail: verdict.open } },
  );
  const writes = facts.files.some((file) => file.access === 'write' && !file.nested);
  const onlyReads =
    !writes &&
    (facts.shellText === null
      ? facts.isReadOnly || freeTools.has(facts.toolName)
      : facts.commands.every((command) => command.nested || command.readOnly.yes));
  return {
    parts: parts.filter((part) => part.kind !== 'tool' && part.reason !== withCommand),
    uncovered: open !== undefined && 'open' in open ? open.open : null,
    reason,
    onlyReads,
    localHost: localHostOf(facts, parts),
  };
}

function localHostOf({ toolName, hosts }: CallFacts, parts: readonly PartVerdict[]): string | null {
  if (toolName !== 'WebFetch') return null;
  const open = parts.filter((part) => part.kind === 'host' && part.behavior !== 'allow').map((part) => part.text);
  return hosts.find((host) => open.includes(host) && isLocalHost(host)) ?? null;
}

/** A shell line without a command: empty, or a text that no parser understood. */
function emptyLine(facts: CallFacts): Verdict {
  const [problem] = facts.shellProblems;
  return problem === undefined
    ? { covered: { type: 'readOnly', detail: 'it runs nothing' } }
    : { open: `No rule can allow this line: ${problem}.` };
}
