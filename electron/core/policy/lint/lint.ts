// All remarks on the rules of a session: 25 kinds, each with its place and, where there is one, a fix.
import { type LintFinding, LintKind } from '#shared/api/rules';
import type { RuleRef } from '#shared/permissions/decision';
import { spellingsOf } from '../../permissions/facts';
import { type CompiledRule, compileRule } from '../../permissions/rules';
import { type Cover, findCovers } from './covers';
import { fileFindings } from './fileChecks';
import { named, onRule, removal } from './finding';
import { reachFindings } from './reachChecks';
import { shapeFindings } from './shapeChecks';
import { type LintWorld, placeKey } from './world';
import { serverCheck, usageCheck, worldFindings } from './worldChecks';

export type { LintUsage, LintWorld } from './world';

function compile(world: LintWorld): readonly CompiledRule[] {
  const { sources, view, platform } = world;
  const ignoreCase = platform === 'win32' || platform === 'darwin';
  const folders = spellingsOf(sources.folder, view);
  const known = new Map<string, readonly string[]>();
  const spellings = (folder: string): readonly string[] => {
    const found = known.get(folder) ?? spellingsOf(folder, view);
    known.set(folder, found);
    return found;
  };
  return sources.rules.flatMap(({ ref, sourceFolder }, order) => {
    const group = `${ref.source} ${ref.file ?? ''} ${ref.behavior}`;
    const sourceFolders = sourceFolder === null ? folders : spellings(sourceFolder);
    return compileRule({ ref, group, order, sourceFolders, ignoreCase }) ?? [];
  });
}

/** What rules of other lists do to allow rules, and equal ones to each other, in words. */
function coverFinding({ rule, kind, other, unless, lasting }: Cover): LintFinding {
  const except = unless === '' ? '' : ` That holds everywhere but ${unless}.`;
  const here = lasting ? '' : ' The other one does not count everywhere that this one does, so both may be wanted.';
  const words: Record<Cover['kind'], string> = {
    shadowedByDeny: `It never counts: everything that it speaks of is denied by ${named(other)}.`,
    shadowedByAsk: `It never counts: everything that it allows is put to you because of ${named(other)}.`,
    subsumed: `Everything that it speaks of is covered by ${named(other)} already.${except}`,
    duplicate: `It says the same as ${named(other)}.`,
  };
  const certain = lasting && unless === '';
  const dead = kind === 'shadowedByDeny' || kind === 'shadowedByAsk';
  // Taking an allow rule out only restricts; of the others only what is covered for certain may go.
  const fix = lasting && (certain || unless.startsWith('in loops')) ? removal(rule, 'Remove the rule', true) : null;
  return onRule({
    kind,
    severity: dead ? 'warning' : 'hint',
    rule,
    other,
    message: `${words[kind]}${here}`,
    fix: rule.behavior === 'allow' || certain ? fix : null,
  });
}

function trustFinding(rule: RuleRef): LintFinding {
  return onRule({
    kind: 'needsTrust',
    severity: 'warning',
    rule,
    message:
      'It came with the folder and counts only once you trust the folder. Look at what the folder brings, then trust it, or write the rule into your own settings.',
    fix: {
      label: 'Copy to your local settings',
      edits: [{ type: 'copy', rule, to: 'localSettings' }],
      safe: false,
    },
  });
}

const kindOrder: ReadonlyMap<string, number> = new Map(LintKind.options.map((kind, index) => [kind, index]));
const severityOrder = { error: 0, warning: 1, hint: 2 } as const;

function inOrder(one: LintFinding, other: LintFinding): number {
  return (
    severityOrder[one.severity] - severityOrder[other.severity] ||
    (kindOrder.get(one.kind) ?? 0) - (kindOrder.get(other.kind) ?? 0) ||
    (one.file ?? '').localeCompare(other.file ?? '') ||
    (one.line ?? 0) - (other.line ?? 0)
  );
}

/**
 * Looks all rules over. Errors first, then by kind and place. Nothing is claimed of a rule that is not so: taking out what
 * is called shadowed, a duplicate or covered changes no verdict, save as the remark says. Reads names on the disk, settings
 * and git's ignore files; runs nothing.
 */
export function lintRules(world: LintWorld): readonly LintFinding[] {
  const found: LintFinding[] = [...fileFindings(world)];
  const waiting = new Set(world.sources.trust.waitingRules.map(placeKey));
  for (const rule of world.standing) {
    found.push(...shapeFindings(rule));
    if (waiting.has(placeKey(rule))) found.push(trustFinding(rule));
  }
  const compiled = compile(world);
  for (const cover of findCovers(compiled, world.sources.folder)) found.push(coverFinding(cover));
  const checks = [serverCheck(world), usageCheck(world)];
  const noShell = compiled.some(
    (rule) => rule.kind === 'tool' && rule.ref.behavior === 'deny' && rule.names.test('Bash'),
  );
  for (const rule of compiled) {
    found.push(...reachFindings(rule, { noShell }), ...worldFindings(rule, world));
    for (const check of checks) {
      const one = check(rule);
      if (one !== null) found.push(one);
    }
  }
  return found.sort(inOrder);
}
