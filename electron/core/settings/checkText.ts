// All that is wrong in a settings text, with places, for an editor.
import type { TextProblem } from '#shared/api/rules';
import { examineRule } from '#shared/permissions/deadRules';
import { readSettings, type SettingsPath } from '#shared/settings/schema';
import { faultsIn, nodeAt, placesIn, readSettingsText, wordsOfFault } from './settingsText';

/** More would only hide the first ones. */
const mostProblems = 500;

/** Faults of the text as JSON, entries that are skipped, and rules that are not in force as written. */
export function checkSettingsText(text: string): readonly TextProblem[] {
  if (text.trim() === '') return [];
  const skip = text.startsWith('\uFEFF') ? 1 : 0;
  const body = text.slice(skip);
  const placeOf = placesIn(body);
  const problem = (options: {
    readonly offset: number;
    readonly length: number;
    readonly severity: TextProblem['severity'];
    readonly message: string;
  }): TextProblem => {
    const { offset, length, severity, message } = options;
    const from = Math.min(offset, body.length);
    const to = Math.min(body.length, from + Math.max(1, length));
    return { from: from + skip, to: to + skip, ...placeOf(from), severity, message };
  };
  const read = readSettingsText(text);
  if (!read.ok) {
    const errors = faultsIn(body) ?? [];
    if (errors.length === 0) return [problem({ offset: 0, length: 1, severity: 'error', message: read.error.message })];
    return errors
      .slice(0, mostProblems)
      .map(({ error, offset, length }) => problem({ offset, length, severity: 'error', message: wordsOfFault(error) }));
  }
  const { root } = read.value;
  const at = (path: SettingsPath) => {
    const node = nodeAt(root, [...path]) ?? root;
    return { offset: node.offset, length: Math.min(node.length, 200) };
  };
  const reading = readSettings(read.value.value);
  const skipped = reading.problems.map(({ path, message }) => problem({ ...at(path), severity: 'error', message }));
  const rules = reading.rules.flatMap((rule): TextProblem[] => {
    const found = examineRule(rule.text, rule.behavior);
    if (found === null) return [];
    const instead = found.instead === undefined ? '' : ` Write ${found.instead}.`;
    const severity = found.inForce ? 'hint' : 'warning';
    return [problem({ ...at(rule.path), severity, message: `${found.problem}${instead}` })];
  });
  return [...skipped, ...rules].sort((a, b) => a.from - b.from).slice(0, mostProblems);
}
