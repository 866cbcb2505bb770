// A settings text as changes to the settings that are there, so that it can be tried out like any other draft.
import { type FileSource, permissionScalars, type RuleDraft, type RuleEdit } from '#shared/permissions/ruleEdits';
import type { RuleRef } from '#shared/permissions/ruleRef';
import { readSettings } from '#shared/settings/schema';
import { fail, ok, type Result } from '#shared/util/result';
import { nodeAt, placeOf, readSettingsText } from '../../settings/settingsText';

export interface SettingsAsDraft {
  readonly draft: RuleDraft;
  /** Settings that differ and that no draft can carry. */
  readonly notCarried: readonly string[];
}

interface Read {
  readonly rules: readonly RuleRef[];
  readonly reading: ReturnType<typeof readSettings>;
}

function read(text: string | null, source: FileSource, file: string): Result<Read> {
  const settings = readSettingsText(text === null || text.trim() === '' ? '{}' : text);
  if (!settings.ok) {
    const { line, column, message } = settings.error;
    return fail(`${file}, line ${line}, column ${column}: ${message}.`);
  }
  const { root, body, value } = settings.value;
  const reading = readSettings(value);
  const rules = reading.rules.map((rule): RuleRef => {
    const { line } = placeOf(body, nodeAt(root, [...rule.path])?.offset ?? 0);
    return { text: rule.text, behavior: rule.behavior, source, file, line };
  });
  return ok({ rules, reading });
}

/** Exceptions count by their place in the list, so a list that has some is written anew in its order. */
function needsOrder(rules: readonly RuleRef[]): boolean {
  return rules.some((rule) => rule.behavior === 'deny' && rule.text.includes('(!'));
}

/** The edits that make `after` of `before` in the file of a source. The error names the place that does not parse. */
export function settingsAsDraft(options: {
  readonly source: FileSource;
  /** Of the file that is there, absolute. */
  readonly file: string;
  readonly before: string | null;
  readonly after: string | null;
  /** For people. */
  readonly afterName: string;
}): Result<SettingsAsDraft> {
  const { source, file } = options;
  const old = read(options.before, source, file);
  if (!old.ok) return old;
  const now = read(options.after, source, options.afterName);
  if (!now.ok) return now;
  const same = (one: RuleRef, other: RuleRef): boolean => one.behavior === other.behavior && one.text === other.text;
  const anew = needsOrder(old.value.rules) || needsOrder(now.value.rules);
  const stays = (rule: RuleRef, others: readonly RuleRef[]): boolean =>
    !(anew && rule.behavior === 'deny') && others.some((other) => same(other, rule));
  const edits: RuleEdit[] = [];
  for (const rule of old.value.rules) if (!stays(rule, now.value.rules)) edits.push({ type: 'remove', rule });
  for (const { text, behavior, ...rule } of now.value.rules)
    if (!stays({ text, behavior, ...rule }, old.value.rules)) edits.push({ type: 'add', source, behavior, text });

  const was = old.value.reading;
  const is = now.value.reading;
  if (was.defaultMode !== is.defaultMode)
    edits.push({ type: 'setScalar', source, key: 'defaultMode', value: is.defaultMode });
  for (const [key, before, after] of [
    ['disableBypassPermissionsMode', was.disableBypass, is.disableBypass],
    ['disableAutoMode', was.disableAuto, is.disableAuto],
  ] as const)
    if (before !== after)
      edits.push({ type: 'setScalar', source, key, value: after ? permissionScalars[key].value : null });
  for (const path of was.additionalDirectories)
    if (!is.additionalDirectories.includes(path)) edits.push({ type: 'removeDirectory', source, path });
  for (const path of is.additionalDirectories)
    if (!was.additionalDirectories.includes(path)) edits.push({ type: 'addDirectory', source, path });

  const names = ['blockReadsOutside', 'blockWritesOutside', 'denyInsteadOfPrompting', 'classifyAllShell'] as const;
  const notCarried = names.filter((name) => was.switches[name] !== is.switches[name]);
  return ok({ draft: edits, notCarried });
}
