import type { RuleRow } from '../table/rows';

const literal = /"(?:[^"\\]|\\.)*"/g;

/** The strings that stand in a line of JSON. */
function stringsIn(line: string): readonly string[] {
  return (line.match(literal) ?? []).flatMap((written) => {
    try {
      const value: unknown = JSON.parse(written);
      return typeof value === 'string' ? [value] : [];
    } catch {
      return [];
    }
  });
}

/**
 * The row of the rule that stands in a line of a file, counted from 1. Rows may be a moment older than the text: one that the
 * line does not say is not meant.
 */
export function ruleOnLine(
  rows: readonly RuleRow[],
  place: { readonly path: string; readonly text: string; readonly line: number },
): RuleRow | undefined {
  const said = stringsIn(place.text.split('\n')[place.line - 1] ?? '');
  return rows.find(
    ({ rule, state }) =>
      state !== 'removed' && rule.file === place.path && rule.line === place.line && said.includes(rule.text),
  );
}
