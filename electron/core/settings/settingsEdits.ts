// One change to a settings text, as the rule editor makes it: nothing else in the text is touched.
import { applyEdits, modify } from 'jsonc-parser';
import type { Behavior } from '#shared/permissions/decision';
import type { PermissionScalar } from '#shared/permissions/ruleEdits';
import { fail, ok, type Result } from '#shared/util/result';
import {
  addRules,
  append,
  findRule,
  formatting,
  nodeAt,
  type RulePlace,
  readSettingsText,
  removeRuleText,
  type SettingsText,
  splice,
  styleOf,
  withoutEntry,
} from './settingsText';

export type SettingsEdit =
  | { readonly type: 'add'; readonly behavior: Behavior; readonly rule: string }
  | ({ readonly type: 'remove' } & RulePlace)
  | ({ readonly type: 'change'; readonly to: Omit<RulePlace, 'line'> } & RulePlace)
  | { readonly type: 'setScalar'; readonly key: PermissionScalar; readonly value: string | null }
  | { readonly type: 'addDirectory' | 'removeDirectory'; readonly path: string };

/** Why an edit cannot be made. `gone`: what it names is not there any more. */
export interface EditFault {
  readonly kind: 'gone' | 'broken';
  /** For people. */
  readonly message: string;
}

const directories = ['permissions', 'additionalDirectories'];

function gone(message: string): Result<never, EditFault> {
  return fail({ kind: 'gone', message });
}

function broken(message: string): Result<never, EditFault> {
  return fail({ kind: 'broken', message });
}

/** Makes one change; null is a file that does not exist. */
export function editSettings(text: string | null, edit: SettingsEdit): Result<string, EditFault> {
  if (edit.type === 'add') {
    const added = addRules(text, edit.behavior, [edit.rule]);
    return added.ok ? added : broken(added.error);
  }
  return editPresent(text, edit);
}

/** The settings of a text, none where there is no file, if `section` can be changed in them. */
export function readForEdit(
  text: string | null,
  section: string,
): Result<{ readonly whole: string; readonly settings: SettingsText }, EditFault> {
  const whole = text === null || text.trim() === '' ? '{}\n' : text;
  const read = readSettingsText(whole);
  if (!read.ok) {
    const { line, column, message } = read.error;
    return broken(`The file is not valid JSON (line ${line}, column ${column}: ${message}). Mend it first.`);
  }
  if (read.value.root.type !== 'object') return broken('The file does not hold a JSON object. Mend it first.');
  const found = nodeAt(read.value.root, [section]);
  if (found !== undefined && found.type !== 'object')
    return broken(`“${section}” in the file is not an object. Mend it first.`);
  return ok({ whole, settings: read.value });
}

function editPresent(
  text: string | null,
  edit: Exclude<SettingsEdit, { readonly type: 'add' }>,
): Result<string, EditFault> {
  const present = readForEdit(text, 'permissions');
  if (!present.ok) return present;
  const { whole, settings } = present.value;
  switch (edit.type) {
    case 'remove':
      return removed(whole, edit);
    case 'change':
      return changed(whole, settings, edit);
    case 'setScalar':
      return ok(withScalar(settings, edit));
    case 'addDirectory':
      return withDirectory(settings, edit.path);
    case 'removeDirectory': {
      const list = nodeAt(settings.root, directories);
      const index = (list?.children ?? []).findLastIndex((child) => child.value === edit.path);
      if (list?.type !== 'array' || index === -1) return gone(`The folder ${edit.path} is not in the list any more.`);
      return ok(settings.mark + withoutEntry(settings.body, { list, index }));
    }
  }
}

function removed(text: string, place: RulePlace): Result<string, EditFault> {
  const without = removeRuleText(text, place);
  if (without.ok) return without;
  if (without.error === 'gone') return gone(`${place.rule} is not in the file’s ${place.behavior} list any more.`);
  return broken('The file is not valid JSON. Mend it first.');
}

function changed(
  text: string,
  read: SettingsText,
  edit: Extract<SettingsEdit, { readonly type: 'change' }>,
): Result<string, EditFault> {
  const found = findRule(read, edit);
  const node = found?.list.children?.[found.index];
  if (found === null || node === undefined)
    return gone(`${edit.rule} is not in the file’s ${edit.behavior} list any more.`);
  const { to } = edit;
  if (to.behavior === edit.behavior) {
    if (to.rule === edit.rule) return ok(text);
    const twin = findRule(read, { behavior: to.behavior, rule: to.rule });
    // Twice the same rule helps nobody: the one that stands there stays.
    if (twin !== null) return removed(text, edit);
    const { body, mark } = read;
    return ok(mark + splice(body, node.offset, node.offset + node.length, JSON.stringify(to.rule)));
  }
  const without = removed(text, edit);
  if (!without.ok) return without;
  const added = addRules(without.value, to.behavior, [to.rule]);
  return added.ok ? added : broken(added.error);
}

function withScalar(
  { body, mark, root }: SettingsText,
  { key, value }: Extract<SettingsEdit, { readonly type: 'setScalar' }>,
): string {
  const path = ['permissions', key];
  if (value === null && nodeAt(root, path) === undefined) return mark + body;
  return mark + applyEdits(body, modify(body, path, value ?? undefined, formatting(styleOf(body))));
}

function withDirectory({ body, mark, root }: SettingsText, path: string): Result<string, EditFault> {
  const list = nodeAt(root, directories);
  if (list !== undefined && list.type !== 'array')
    return broken('“permissions.additionalDirectories” in the file is not a list. Mend it first.');
  if (list?.children?.some((child) => child.value === path) === true) return ok(mark + body);
  const style = styleOf(body);
  if (list !== undefined) return ok(mark + append(body, list, [path], style));
  return ok(mark + applyEdits(body, modify(body, directories, [path], formatting(style))));
}
