// Remarks for which the rule's surroundings are looked at: the disk, the servers, the past, the system.
import { posix } from 'node:path';
import type { LintFinding } from '#shared/api/rules';
import type { RuleRef } from '#shared/permissions/decision';
import { serverKeys } from '../../mcp/names';
import type { CompiledRule } from '../../permissions/compiledRule';
import { onRule, removal } from './finding';
import type { LintWorld } from './world';

/** Text of a pattern before anything that is not literal; null when nothing certain is named. */
function literalPath(pattern: string): string | null {
  const path = pattern.replace(/\/\*\*?$/, '').replace(/\/$/, '');
  if (path === '' || path === '/' || /[*?[\]\\!{}]/.test(path)) return null;
  return path;
}

function namedPath(rule: CompiledRule, world: LintWorld): string | null {
  if (rule.kind === 'command') {
    const [name = ''] = rule.pattern.head.split(' ', 1);
    const whole = rule.pattern.exact || rule.pattern.endsAtWord || rule.pattern.head.includes(' ');
    return whole && name.startsWith('/') && !/[*?[\]\\$'"`]/.test(name) ? name : null;
  }
  if (rule.kind !== 'path' || rule.pattern.negated) return null;
  const path = literalPath(rule.pattern.text);
  if (path === null) return null;
  const { folder } = world.sources;
  switch (rule.pattern.anchor) {
    case 'root':
      return posix.join('/', path);
    case 'home':
      return posix.join(world.home, path);
    case 'source':
      return posix.join(rule.sourceFolders[0] ?? folder, path);
    case 'current':
      // A name alone is meant at any depth.
      return path.includes('/') || rule.pattern.text.endsWith('/**') ? posix.join(folder, path) : null;
  }
}

/** How the disk writes a path that is not there but for upper and lower case; null where there is none. */
function otherSpelling(path: string, world: LintWorld): string | null {
  let at = '/';
  let differs = false;
  for (const name of path.split('/').filter((one) => one !== '')) {
    const next = posix.join(at, name);
    if (world.view.kind(next) !== null) at = next;
    else {
      const other = world.view.names(at).find((one) => one.toLowerCase() === name.toLowerCase());
      if (other === undefined) return null;
      differs = true;
      at = posix.join(at, other);
    }
  }
  return differs ? at : null;
}

function missingPath(rule: CompiledRule, world: LintWorld): LintFinding | null {
  const { ref } = rule;
  // A refusal may be there for what comes one day.
  if (ref.behavior !== 'allow') return null;
  const path = namedPath(rule, world);
  if (path === null || world.view.kind(path) !== null) return null;
  const other = otherSpelling(path, world);
  if (other !== null)
    return onRule({
      kind: 'platform',
      severity: 'warning',
      rule: ref,
      message: `There is no ${path} here, but ${other}. On a disk that tells upper and lower case apart the rule allows nothing; on one that does not it allows this.`,
    });
  return onRule({
    kind: 'missingPath',
    severity: 'hint',
    rule: ref,
    message: `There is no ${path} on this disk.`,
    fix: removal(ref),
  });
}

function platform(rule: CompiledRule, world: LintWorld): LintFinding | null {
  const { ref } = rule;
  const windows = world.platform === 'win32';
  if (rule.kind === 'path' && rule.pattern.anchor === 'root' && /^\/[a-zA-Z](\/|$)/.test(rule.pattern.text) && !windows)
    return world.view.kind(rule.pattern.text.slice(0, 2)) !== null
      ? null
      : onRule({
          kind: 'platform',
          severity: 'hint',
          rule: ref,
          message: `//${rule.pattern.text.charAt(1)}/ is a drive of Windows; this system has no drives, so the rule speaks of nothing here.`,
        });
  if (!windows && (rule.kind === 'text' || (rule.kind === 'tool' && rule.tool === 'PowerShell')))
    return onRule({
      kind: 'platform',
      severity: 'hint',
      rule: ref,
      message: 'PowerShell is offered on Windows alone; on this system the rule speaks of nothing.',
    });
  if (rule.kind === 'path' && /[A-Za-z0-9_]\\[A-Za-z0-9_]/.test(rule.pattern.text))
    return onRule({
      kind: 'platform',
      severity: 'warning',
      rule: ref,
      message: 'Paths in rules are written with / on every system; a backslash only makes the next character literal.',
    });
  return null;
}

/** `git` of `mcp__git__push` and of `mcp__git__*`; null where no one server is named. */
function serverOf(rule: CompiledRule): string | null {
  if (rule.kind !== 'tool' && rule.kind !== 'parameter') return null;
  const found = /^mcp__((?:(?!__)[^*])+)(__|$)/.exec(rule.tool);
  return found?.[1] ?? null;
}

/** Makes the check for servers, whose keys are the same for all rules. */
export function serverCheck(world: LintWorld): (rule: CompiledRule) => LintFinding | null {
  if (world.servers === null) return () => null;
  const keys = new Set(serverKeys(world.servers).values());
  return (rule) => {
    const server = serverOf(rule);
    if (server === null || keys.has(server)) return null;
    const { ref } = rule;
    return onRule({
      kind: 'unknownMcpServer',
      severity: ref.behavior === 'allow' ? 'warning' : 'hint',
      rule: ref,
      message: `No MCP server called ${server} is configured here.${ref.behavior === 'allow' ? ' A server of that name that comes later would be allowed at once.' : ''}`,
      fix: ref.behavior === 'allow' ? removal(ref) : null,
    });
  };
}

/** Makes the check for use. */
export function usageCheck(world: LintWorld): (rule: CompiledRule) => LintFinding | null {
  const { usage } = world;
  if (usage === null || usage.calls === 0) return () => null;
  // Lines move with every change above them.
  const keyOf = ({ source, file, behavior, text }: RuleRef): string => `${source}\0${file ?? ''}\0${behavior}\0${text}`;
  const used = new Map(usage.usage.map((one) => [keyOf(one.rule), one.matched]));
  return ({ ref }) => {
    // Those of other sources count in other folders too, of whose calls nothing is said.
    if (ref.behavior !== 'allow' || (ref.source !== 'projectSettings' && ref.source !== 'localSettings')) return null;
    if (used.get(keyOf(ref)) !== 0) return null;
    return onRule({
      kind: 'neverUsed',
      severity: 'hint',
      rule: ref,
      message: `It had no part in any of the ${usage.calls.toLocaleString('en')} calls made in this folder in the last ${usage.days} days.`,
      fix: removal(ref),
    });
  };
}

/** Remarks by the disk and the system on a rule that is in force. */
export function worldFindings(rule: CompiledRule, world: LintWorld): readonly LintFinding[] {
  const found = platform(rule, world) ?? missingPath(rule, world);
  return found === null ? [] : [found];
}
