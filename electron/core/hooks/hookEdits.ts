// One change to the hooks of a settings text. Everything else in the text (order, blanks, line ends) stays.
import { applyEdits, type JSONPath, modify } from 'jsonc-parser';
import { fail, ok, type Result } from '#shared/util/result';
import { type EditFault, readForEdit } from '../settings/settingsEdits';
import {
  appendWritten,
  formatting,
  lineIndent,
  nodeAt,
  readSettingsText,
  type SettingsText,
  type Style,
  splice,
  styleOf,
  withoutEntry,
} from '../settings/settingsText';
import { HandlerAction } from './handler';
import { contentId, type WrittenHook, writtenHooks } from './hookPlace';
import { fieldsOf, issueOf } from './hookSettings';

/** A hook as it is to stand in the file. */
export interface NewHook {
  readonly event: string;
  /** Empty: everything. */
  readonly matcher: string;
  /** The handler's JSON value. */
  readonly handler: unknown;
}

/** Which hook is meant: where it stood, and what it said (`contentId`). */
export interface HookRef {
  readonly event: string;
  readonly group: number;
  readonly index: number;
  readonly content: string;
}

export type HookEdit =
  | { readonly type: 'add'; readonly hook: NewHook }
  | { readonly type: 'change'; readonly at: HookRef; readonly hook: NewHook }
  | { readonly type: 'remove'; readonly at: HookRef };

type Edited = Result<string, EditFault>;

const broken = (message: string): Result<never, EditFault> => fail({ kind: 'broken', message });
const gone = fail<EditFault>({ kind: 'gone', message: 'This hook is not in the file any more, or it was changed.' });

/** A handler's JSON, checked; the error is for people. */
export function readHandler(json: string): Result<unknown> {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch (error) {
    return fail(`The hook is not valid JSON: ${error instanceof Error ? error.message : 'unknown fault'}.`);
  }
  const read = HandlerAction.safeParse(value);
  return read.success ? ok(value) : fail(`The hook is not complete: ${issueOf(read.error)}.`);
}

/** Makes the change; null is a file that does not exist. */
export function editHooks(text: string | null, edit: HookEdit): Edited {
  const read = readForEdit(text, 'hooks');
  if (!read.ok) return read;
  const { settings } = read.value;
  switch (edit.type) {
    case 'add':
      return added(settings, edit.hook);
    case 'remove': {
      const found = find(settings, edit.at);
      return found === null ? gone : ok(removed(settings, found));
    }
    case 'change':
      return changed(settings, edit.at, edit.hook);
  }
}

function find({ value }: SettingsText, at: HookRef): WrittenHook | null {
  const all = writtenHooks(fieldsOf(value)?.hooks).filter(
    (hook) => hook.event === at.event && contentId(hook) === at.content,
  );
  // Others may have written before it: the same hook in another place of the list is still the same.
  return all.find((hook) => hook.group === at.group && hook.index === at.index) ?? all[0] ?? null;
}

function put({ body, mark }: Pick<SettingsText, 'body' | 'mark'>, path: JSONPath, value: unknown): string {
  return mark + applyEdits(body, modify(body, path, value, formatting(styleOf(body))));
}

/** JSON laid out as the file is, its further lines indented by `indent`. */
function laidOut(value: unknown, { style, indent }: { readonly style: Style; readonly indent: string }): string {
  return (JSON.stringify(value, null, style.indent) ?? 'null').replaceAll('\n', style.eol + indent);
}

/** Appends to a list; what stands in it stays as it is laid out. */
function append({ body, mark, root }: SettingsText, path: JSONPath, value: unknown): string {
  const array = nodeAt(root, path);
  if (array === undefined) return mark + body;
  const style = styleOf(body);
  const last = array.children?.at(-1);
  const indent = last === undefined ? lineIndent(body, array.offset) + style.indent : lineIndent(body, last.offset);
  return mark + appendWritten({ body, array, style }, [laidOut(value, { style, indent })]);
}

function added(read: SettingsText, { event, matcher, handler }: NewHook): Edited {
  const groups = nodeAt(read.root, ['hooks', event]);
  if (groups === undefined) return ok(put(read, ['hooks', event], [groupOf(matcher, handler)]));
  if (groups.type !== 'array') return broken(`“hooks.${event}” in the file is not a list. Mend it first.`);
  const present = fieldsOf(fieldsOf(read.value)?.hooks)?.[event];
  const entries: readonly unknown[] = Array.isArray(present) ? present : [];
  const same = entries.findLastIndex((entry) => {
    const fields = fieldsOf(entry);
    return Array.isArray(fields?.hooks) && (fields.matcher ?? '') === matcher;
  });
  if (same === -1) return ok(append(read, ['hooks', event], groupOf(matcher, handler)));
  return ok(append(read, ['hooks', event, same, 'hooks'], handler));
}

function groupOf(matcher: string, handler: unknown): object {
  return { ...(matcher === '' ? {} : { matcher }), hooks: [handler] };
}

/** Takes the hook out, and what would be left empty around it. */
function removed(read: SettingsText, { event, group, index }: WrittenHook): string {
  const { root, body, mark } = read;
  const groups = nodeAt(root, ['hooks', event]);
  const list = nodeAt(root, ['hooks', event, group, 'hooks']);
  const events = nodeAt(root, ['hooks']);
  if (groups === undefined || list === undefined || events === undefined) return mark + body;
  if ((list.children?.length ?? 0) > 1) return mark + withoutEntry(body, { list, index });
  if ((groups.children?.length ?? 0) > 1) return mark + withoutEntry(body, { list: groups, index: group });
  return put(read, (events.children?.length ?? 0) > 1 ? ['hooks', event] : ['hooks'], undefined);
}

function changed(read: SettingsText, at: HookRef, hook: NewHook): Edited {
  const found = find(read, at);
  if (found === null) return gone;
  const { event, group, index } = found;
  const sameMatcher = (found.matcher ?? '') === hook.matcher;
  const alone = (nodeAt(read.root, ['hooks', event, group, 'hooks'])?.children?.length ?? 0) === 1;
  if (event !== hook.event || !(sameMatcher || alone)) {
    const without = readSettingsText(removed(read, found));
    return without.ok ? added(without.value, hook) : broken('The file cannot be changed there. Edit it by hand.');
  }
  let text = read.mark + read.body;
  const node = nodeAt(read.root, ['hooks', event, group, 'hooks', index]);
  if (node !== undefined && contentId({ ...found, handler: hook.handler }) !== contentId(found)) {
    const { body } = read;
    const about = { style: styleOf(body), indent: lineIndent(body, node.offset) };
    const written = laidOut(hook.handler, about);
    text = read.mark + splice(body, node.offset, node.offset + node.length, written);
  }
  if (sameMatcher) return ok(text);
  const next = readSettingsText(text);
  if (!next.ok) return broken('The file cannot be changed there. Edit it by hand.');
  return ok(put(next.value, ['hooks', event, group, 'matcher'], hook.matcher === '' ? undefined : hook.matcher));
}
