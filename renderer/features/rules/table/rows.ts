// Rows of the table: rules as they would stand after the draft, those that it takes away, and all that is known of each.
import type { RuleUsage } from '#shared/api/history';
import type { ExpiringRule } from '#shared/api/permissions';
import type { DraftView, LintFinding } from '#shared/api/rules';
import { parseRule } from '#shared/permissions/rule';
import type { RuleDraft } from '#shared/permissions/ruleEdits';
import type { Behavior, RuleRef } from '#shared/permissions/ruleRef';
import { type RuleSource, ruleSources } from '#shared/permissions/sources';
import { assertNever } from '#shared/util/assertNever';
import type { RuleGrouping, RuleOrder } from '../../../stores/rulesPage';

export interface RuleRow {
  readonly key: string;
  readonly rule: RuleRef;
  readonly tool: string;
  readonly state: DraftView['rules'][number]['state'] | 'removed';
  /** Why it does not count; empty when it does. */
  readonly held: string;
  /** Why it cannot be changed here; empty when it can. */
  readonly locked: string;
  /** Null: not known. */
  readonly matched: number | null;
  /** Epoch milliseconds; null: never, or not known. */
  readonly lastUsed: number | null;
  /** The worst first. */
  readonly findings: readonly LintFinding[];
  readonly note: string;
  /** When a rule of the session ends; null: with the task; undefined: with the session, or it is none. */
  readonly until: number | null | undefined;
}

export type RuleLine =
  | { readonly kind: 'group'; readonly key: string; readonly group: RuleGroup }
  | { readonly kind: 'rule'; readonly key: string; readonly row: RuleRow };

export interface RuleGroup {
  readonly name: string;
  readonly source: RuleSource | null;
  readonly count: number;
}

/** Sources in the order of the table: what nobody here can change first. */
export const shownSources: readonly RuleSource[] = [
  'policySettings',
  'projectSettings',
  'localSettings',
  'userSettings',
  'session',
  'flagSettings',
  'cliArg',
  'command',
];

const lockedBecause: Readonly<Partial<Record<RuleSource, string>>> = {
  policySettings: 'Managed by the administrator. Copy it to a file of yours to change it there.',
  flagSettings: 'Given with --settings at launch. Change that file, or copy the rule.',
  cliArg: 'Given on the command line at launch. Copy it to keep it.',
  command: 'Given by the command or skill that runs now. It ends with the turn.',
};

const severities = { error: 0, warning: 1, hint: 2 };

function plainKey(rule: Pick<RuleRef, 'source' | 'behavior' | 'text'>): string {
  return [rule.source, rule.behavior, rule.text].join('\n');
}

function placeKey(rule: RuleRef): string {
  return [plainKey(rule), rule.line ?? ''].join('\n');
}

function grouped<Value>(values: readonly Value[], keyOf: (value: Value) => string): ReadonlyMap<string, Value[]> {
  const groups = new Map<string, Value[]>();
  for (const value of values) {
    const key = keyOf(value);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [value]);
    else group.push(value);
  }
  return groups;
}

/** Key of the row of a rule; equal rules of one source are told apart by `at`, their order. */
export function rowKey(rule: Pick<RuleRef, 'source' | 'behavior' | 'text'>, at = 0): string {
  return [rule.source, rule.behavior, rule.text, at].join('\n');
}

export interface RowSources {
  readonly preview: DraftView;
  readonly draft: RuleDraft;
  readonly findings: readonly LintFinding[];
  readonly usage: readonly RuleUsage[];
  readonly notes: Readonly<Record<string, string>>;
  readonly expiring: readonly ExpiringRule[];
  readonly managedOnly: boolean;
}

/** All rows, in the order of the files. */
export function rowsOf(sources: RowSources): readonly RuleRow[] {
  const { preview, draft, notes, expiring, managedOnly } = sources;
  const findings = grouped(
    sources.findings.filter(({ rule }) => rule !== null),
    ({ rule }) => (rule === null ? '' : placeKey(rule)),
  );
  const usage = grouped(sources.usage, ({ rule }) => plainKey(rule));
  const seen = new Map<string, number>();
  const row = (rule: RuleRef, state: RuleRow['state'], held: string): RuleRow => {
    const plain = plainKey(rule);
    const at = seen.get(plain) ?? 0;
    seen.set(plain, at + 1);
    const used = usage.get(plain)?.[0];
    const parsed = parseRule(rule.text);
    const ends = rule.source === 'session' ? expiring.find(({ text }) => text === rule.text) : undefined;
    return {
      key: rowKey(rule, at),
      rule,
      tool: parsed.ok ? parsed.value.tool : rule.text,
      state,
      held,
      locked:
        lockedBecause[rule.source] ?? (managedOnly ? 'The administrator lets only the rules of the policy count.' : ''),
      matched: used?.matched ?? (sources.usage.length === 0 ? null : 0),
      lastUsed: used?.lastUsed ?? null,
      findings: [...(findings.get(placeKey(rule)) ?? [])].sort(
        (a, b) => severities[a.severity] - severities[b.severity],
      ),
      note: notes[rule.text] ?? '',
      until: ends?.until,
    };
  };
  const present = preview.rules.map(({ rule, state, held }) => row(rule, state, held)).sort(byPlace);
  const removed = removedRules(draft)
    .map((rule) => row(rule, 'removed', ''))
    .sort(byPlace);
  return withRemoved(present, removed);
}

const behaviors: readonly Behavior[] = ['deny', 'ask', 'allow'];

/** Denials first, then by line; what is not written yet comes last. */
function byPlace(a: RuleRow, b: RuleRow): number {
  return (
    shownSources.indexOf(a.rule.source) - shownSources.indexOf(b.rule.source) ||
    behaviors.indexOf(a.rule.behavior) - behaviors.indexOf(b.rule.behavior) ||
    (a.rule.line ?? Number.MAX_SAFE_INTEGER) - (b.rule.line ?? Number.MAX_SAFE_INTEGER)
  );
}

/** Rules of the files that a draft takes out, as they were before it. What it had put there itself is no loss. */
function removedRules(draft: RuleDraft): readonly RuleRef[] {
  /** Where rules that the draft has made come from; null: from nowhere. */
  const origins = new Map<string, RuleRef | null>();
  const originOf = (rule: RuleRef): RuleRef | null => {
    const origin = origins.get(plainKey(rule));
    origins.delete(plainKey(rule));
    return origin === undefined ? rule : origin;
  };
  return draft.flatMap((edit): readonly RuleRef[] => {
    switch (edit.type) {
      case 'add':
        origins.set(plainKey(edit), null);
        return [];
      case 'copy':
        origins.set(plainKey({ ...edit.rule, source: edit.to }), null);
        return [];
      case 'change':
        origins.set(plainKey({ ...edit.rule, behavior: edit.behavior, text: edit.text }), originOf(edit.rule));
        return [];
      case 'move':
        origins.set(plainKey({ ...edit.rule, source: edit.to }), originOf(edit.rule));
        return [];
      case 'remove': {
        const origin = originOf(edit.rule);
        return origin === null ? [] : [origin];
      }
      case 'setScalar':
      case 'addDirectory':
      case 'removeDirectory':
        return [];
      default:
        return assertNever(edit, 'rule edit');
    }
  });
}

/** Puts removed rows where they stood. The lines of the others are those after the draft. */
function withRemoved(present: readonly RuleRow[], removed: readonly RuleRow[]): readonly RuleRow[] {
  if (removed.length === 0) return present;
  const gone = new Map(
    [...grouped(removed, ({ rule }) => rule.source)].map(([source, rows]): [string, readonly number[]] => [
      source,
      rows.flatMap(({ rule }) => rule.line ?? []).sort((a, b) => a - b),
    ]),
  );
  const before = (row: RuleRow): RuleRow => {
    let { line } = row.rule;
    if (line === undefined) return row;
    for (const lost of gone.get(row.rule.source) ?? []) {
      if (lost > line) break;
      line += 1;
    }
    return { ...row, rule: { ...row.rule, line } };
  };
  const rows: RuleRow[] = [];
  let next = 0;
  for (const row of present) {
    const place = gone.has(row.rule.source) ? before(row) : row;
    for (let lost = removed[next]; lost !== undefined && byPlace(lost, place) <= 0; lost = removed[next]) {
      rows.push(lost);
      next += 1;
    }
    rows.push(row);
  }
  return [...rows, ...removed.slice(next)];
}

export interface RowFilter {
  readonly sources: readonly RuleSource[];
  readonly verdicts: readonly Behavior[];
  readonly search: string;
}

/** Rows that fit. The search looks at the rule, its note, its source and what the checks say. */
export function filterRows(rows: readonly RuleRow[], filter: RowFilter): readonly RuleRow[] {
  const words = filter.search
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  return rows.filter((row) => {
    const { rule } = row;
    if (filter.sources.length > 0 && !filter.sources.includes(rule.source)) return false;
    if (filter.verdicts.length > 0 && !filter.verdicts.includes(rule.behavior)) return false;
    if (words.length === 0) return true;
    const said = [
      rule.behavior,
      rule.text,
      ruleSources[rule.source].label,
      row.note,
      row.held,
      ...row.findings.map(({ message, kind }) => `${kind} ${message}`),
    ]
      .join('\n')
      .toLowerCase();
    return words.every((word) => said.includes(word));
  });
}

const worst: Readonly<Record<LintFinding['severity'], number>> = { error: 3, warning: 2, hint: 1 };

/** How rows of one group are sorted; equal ones keep the order of their places. */
const orders: Readonly<Record<Exclude<RuleOrder, 'place'>, (a: RuleRow, b: RuleRow) => number>> = {
  rule: (a, b) => (a.rule.text < b.rule.text ? -1 : a.rule.text > b.rule.text ? 1 : 0),
  matched: (a, b) => (a.matched ?? -1) - (b.matched ?? -1),
  lastUsed: (a, b) => (a.lastUsed ?? 0) - (b.lastUsed ?? 0),
  check: (a, b) => concern(a) - concern(b),
};

function concern({ findings, held }: RuleRow): number {
  const [first] = findings;
  return Math.max(first === undefined ? 0 : worst[first.severity], held === '' ? 0 : worst.warning);
}

/** Rows in another order. */
export function sortRows(
  rows: readonly RuleRow[],
  { order, descending }: { readonly order: RuleOrder; readonly descending: boolean },
): readonly RuleRow[] {
  if (order === 'place') return rows;
  const compare = orders[order];
  return [...rows].sort(descending ? (a, b) => compare(b, a) : compare);
}

/** Rows with the heads of their groups. Empty groups of sources that can be written stay, so that rules can be moved there. */
export function linesOf(rows: readonly RuleRow[], grouping: RuleGrouping, filter: RowFilter): readonly RuleLine[] {
  if (grouping === 'none') return rows.map((row) => ({ kind: 'rule', key: row.key, row }));
  const keyOf = (row: RuleRow): string =>
    grouping === 'source' ? row.rule.source : grouping === 'verdict' ? row.rule.behavior : row.tool;
  const groups = grouped(rows, keyOf);
  const all = filter.search === '' && filter.verdicts.length === 0;
  const names: readonly string[] =
    grouping === 'source'
      ? shownSources.filter(
          (source) =>
            groups.has(source) ||
            (all && ruleSources[source].editable && (filter.sources.length === 0 || filter.sources.includes(source))),
        )
      : grouping === 'verdict'
        ? behaviors.filter((behavior) => groups.has(behavior))
        : [...groups.keys()].sort();
  return names.flatMap((name): RuleLine[] => {
    const inside = groups.get(name) ?? [];
    const source = shownSources.find((one) => grouping === 'source' && one === name) ?? null;
    return [
      {
        kind: 'group',
        key: `group ${name}`,
        group: { name, source, count: inside.filter(({ state }) => state !== 'removed').length },
      },
      ...inside.map((row): RuleLine => ({ kind: 'rule', key: row.key, row })),
    ];
  });
}
