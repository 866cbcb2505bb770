import { ChevronRight } from 'lucide-react';
import { useMemo, useState } from 'react';
import type { LintFinding, LintKind } from '#shared/api/rules';
import type { RuleDraft } from '#shared/permissions/ruleEdits';
import { useRulesPage } from '../../../stores/rulesPage';
import { Button } from '../../../ui/Button';
import { Chip } from '../../../ui/Chip';
import { Skeleton } from '../../../ui/Skeleton';
import { VisibleText } from '../../../ui/VisibleText';
import { Hint } from '../../chat/inspector/Hint';
import { counted } from '../../frame/words';
import { stage } from '../actions';
import { Remark } from './Remark';

/** The kinds in words, in the order in which they are shown. */
const kinds: Readonly<Record<LintKind, string>> = {
  syntax: 'Not a rule',
  credential: 'Holds a credential',
  invisibleCharacters: 'Invisible characters',
  notStrictJson: 'Not strict JSON',
  unknownTool: 'No such tool',
  neverConsulted: 'Never consulted',
  managedOnly: 'Void by policy',
  needsTrust: 'Waits for trust',
  shadowedByDeny: 'Shadowed by a deny',
  shadowedByAsk: 'Shadowed by an ask',
  duplicate: 'Duplicates',
  subsumed: 'Covered by another rule',
  multiLine: 'Several lines',
  misplacedColonStar: ':* not at the end',
  wordBoundary: 'Word boundary',
  wrongAnchor: 'Wrong anchor',
  overBroad: 'Very broad',
  wrapperNotStripped: 'Wrapper that is not stripped',
  denyWalkedRound: 'Can be walked round',
  redirect: 'Redirect',
  unknownMcpServer: 'Server not configured',
  missingPath: 'Path does not exist',
  neverUsed: 'Never used',
  localNotIgnored: 'Local file is not ignored',
  platform: 'Differs between platforms',
};

/** What can go when rules are tidied: said twice, covered, dead, never used, or holding a secret. */
const cleanUp: ReadonlySet<LintKind> = new Set<LintKind>([
  'duplicate',
  'subsumed',
  'syntax',
  'unknownTool',
  'neverConsulted',
  'managedOnly',
  'shadowedByDeny',
  'shadowedByAsk',
  'missingPath',
  'neverUsed',
  'credential',
  'multiLine',
]);

const severities = ['error', 'warning', 'hint'] as const;

/** By kind, the worst first. */
function sortedGroups(findings: readonly LintFinding[]): readonly (readonly [LintKind, readonly LintFinding[]])[] {
  const groups = new Map<LintKind, LintFinding[]>();
  for (const finding of findings) groups.set(finding.kind, [...(groups.get(finding.kind) ?? []), finding]);
  const order = Object.keys(kinds);
  const worst = (all: readonly LintFinding[]) => Math.min(...all.map(({ severity }) => severities.indexOf(severity)));
  return [...groups].sort(
    ([one, ones], [other, others]) => worst(ones) - worst(others) || order.indexOf(one) - order.indexOf(other),
  );
}

/** `2 errors, 1 warning`. */
function countsOf(findings: readonly LintFinding[]): string {
  return severities
    .map((severity) => ({ severity, count: findings.filter((finding) => finding.severity === severity).length }))
    .filter(({ count }) => count > 0)
    .map(({ severity, count }) => counted(count, severity))
    .join(', ');
}

/** Edits of all safe fixes; a rule is taken out once, however many remarks would. */
function safeEdits(findings: readonly LintFinding[]): RuleDraft {
  const touched = new Set<string>();
  return findings.flatMap(({ fix }) => {
    if (fix === null || !fix.safe) return [];
    const names = fix.edits.map((edit) => ('rule' in edit ? JSON.stringify(edit.rule) : JSON.stringify(edit)));
    if (names.some((name) => touched.has(name))) return [];
    for (const name of names) touched.add(name);
    return fix.edits;
  });
}

/** What the checks say of the rules, by kind, with one step that mends all that can be mended safely. */
export function ChecksTab() {
  const findings = useRulesPage((page) => page.findings);
  const show = useRulesPage((page) => page.show);
  const [which, setWhich] = useState<'all' | 'cleanUp'>('all');
  const shown = useMemo(
    () => (findings ?? []).filter(({ kind }) => which === 'all' || cleanUp.has(kind)),
    [findings, which],
  );
  const groups = useMemo(() => sortedGroups(shown), [shown]);
  const safe = useMemo(() => safeEdits(shown), [shown]);
  if (findings === null) return <Skeleton label="Checking the rules" className="p-4" rows={6} />;
  if (findings.length === 0)
    return <Hint title="Nothing to object to">All 25 kinds of checks are done again with each change.</Hint>;
  return (
    <div className="flex flex-col gap-4 px-4 py-3.5">
      <div>
        <h2 className="font-semibold text-title">{counted(shown.length, 'remark')}</h2>
        <p className="text-muted">{countsOf(shown)}</p>
        <fieldset aria-label="Which remarks" className="my-2 flex gap-1">
          <Chip aria-pressed={which === 'all'} onClick={() => setWhich('all')}>
            All {findings.length}
          </Chip>
          <Chip
            aria-pressed={which === 'cleanUp'}
            title="Said twice, covered, dead, never used, or with a secret in it"
            onClick={() => setWhich('cleanUp')}
          >
            Clean up {findings.filter(({ kind }) => cleanUp.has(kind)).length}
          </Chip>
        </fieldset>
        <p className="text-muted">
          {safe.length === 0
            ? 'None can be mended without allowing more or losing something you may want.'
            : `${counted(safe.length, 'change')} would mend some without allowing anything more.`}
        </p>
        {safe.length === 0 ? null : (
          <Button variant="primary" className="mt-2" onClick={() => stage(safe)}>
            Mend all that is safe
          </Button>
        )}
      </div>
      {groups.map(([kind, all]) => {
        const fixes = all.flatMap(({ fix }) => (fix === null || fix.edits.length === 0 ? [] : [fix]));
        return (
          <details key={kind} open={all.length <= 8} className="group">
            <summary className="flex cursor-pointer items-center gap-2 rounded-small py-1 font-semibold">
              <ChevronRight
                aria-hidden
                size={15}
                strokeWidth={1.75}
                className="shrink-0 text-muted transition-transform duration-100 group-open:rotate-90"
              />
              {kinds[kind]}
              <span className="rounded-full bg-panel px-1.5 font-normal text-muted text-small">{all.length}</span>
            </summary>
            {fixes.length > 1 && fixes.every(({ safe: isSafe }) => isSafe) ? (
              <Button size="small" className="mt-1" onClick={() => stage(safeEdits(all))}>
                Mend all {fixes.length}
              </Button>
            ) : null}
            <ul className="mt-1 flex flex-col gap-3">
              {all.map((finding) => (
                <li key={`${finding.file} ${finding.line} ${finding.rule?.text} ${finding.message}`}>
                  {finding.rule === null ? null : (
                    <button
                      type="button"
                      className="block max-w-full truncate rounded-small font-mono text-accent text-mono hover:underline"
                      onClick={() => show({ search: finding.rule?.text ?? '', view: 'table' })}
                    >
                      <VisibleText text={finding.rule.text} />
                    </button>
                  )}
                  <Remark finding={finding} />
                </li>
              ))}
            </ul>
          </details>
        );
      })}
    </div>
  );
}
