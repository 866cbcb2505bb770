// Settings files as text: read strictly as JSON, changed without touching anything but the change itself.
import {
  applyEdits,
  type JSONPath,
  modify,
  type Node,
  type ParseError,
  parseTree,
  printParseErrorCode,
} from 'jsonc-parser';
import type { Behavior } from '#shared/permissions/decision';
import { isNestedTooDeep } from '#shared/util/nesting';
import { fail, ok, type Result } from '#shared/util/result';

/** Ten million characters; nobody writes that many settings. */
const maxLength = 10_000_000;

const byteOrderMark = '\uFEFF';

/** A place in a text, counted from 1. */
export interface TextPlace {
  readonly line: number;
  readonly column: number;
}

export interface SettingsText {
  readonly root: Node;
  /** What the text stands for, as `JSON.parse` gives it. */
  readonly value: unknown;
  /** The text without its byte order mark; offsets of `root` count in it. */
  readonly body: string;
  readonly mark: string;
}

/** Line and column of an offset. */
export function placeOf(text: string, offset: number): TextPlace {
  return placesIn(text)(offset);
}

/** Tells line and column of offsets in one text; for those who ask for many. */
export function placesIn(text: string): (offset: number) => TextPlace {
  const starts = [0];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return (offset) => {
    let low = 0;
    let high = starts.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle;
    }
    return { line: low + 1, column: offset - (starts[low] ?? 0) + 1 };
  };
}

const errorWords: ReadonlyMap<string, string> = new Map([
  ['InvalidSymbol', 'a word that is no value'],
  ['PropertyNameExpected', 'a name in quotes is missing here (or a comma is too much)'],
  ['ValueExpected', 'a value is missing here (or a comma is too much)'],
  ['ColonExpected', 'a colon is missing here'],
  ['CommaExpected', 'a comma is missing here'],
  ['CloseBraceExpected', 'a closing } is missing'],
  ['CloseBracketExpected', 'a closing ] is missing'],
  ['EndOfFileExpected', 'more text follows after the end'],
  ['InvalidCommentToken', 'comments are not allowed in settings files'],
  ['UnexpectedEndOfString', 'a text is not closed'],
]);

/** A parser's fault in words. */
export function wordsOfFault(code: ParseError['error']): string {
  return errorWords.get(printParseErrorCode(code)) ?? 'this is not JSON';
}

/**
 * What is wrong with a text as JSON, in its order; null: it is nested deeper than the stack holds. `loose`: comments and
 * commas too many are no faults.
 */
export function faultsIn(
  body: string,
  { loose = false }: { readonly loose?: boolean } = {},
): readonly ParseError[] | null {
  const errors: ParseError[] = [];
  try {
    parseTree(body, errors, { disallowComments: !loose, allowTrailingComma: loose, allowEmptyContent: false });
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return null;
  }
  return errors;
}

/** Reads a settings text. The error names what is wrong and where. */
export function readSettingsText(text: string): Result<SettingsText, TextPlace & { readonly message: string }> {
  const mark = text.startsWith(byteOrderMark) ? byteOrderMark : '';
  const body = text.slice(mark.length);
  if (body.length > maxLength) return fail({ line: 1, column: 1, message: 'the file is too long for settings' });
  const errors: ParseError[] = [];
  let root: Node | undefined;
  let value: unknown;
  try {
    root = parseTree(body, errors, { disallowComments: true, allowTrailingComma: false, allowEmptyContent: false });
    if (errors.length === 0) value = JSON.parse(body);
  } catch (error) {
    // Stricter than the parser that knows places, or nested deeper than the stack holds.
    if (!(error instanceof SyntaxError || error instanceof RangeError)) throw error;
    return fail({ line: 1, column: 1, message: 'this is not JSON' });
  }
  const [first] = errors;
  if (first !== undefined || root === undefined) {
    const message = first === undefined ? 'there is no value' : wordsOfFault(first.error);
    return fail({ ...placeOf(body, first?.offset ?? 0), message });
  }
  // All that reads, shows and changes settings goes down them by recursion.
  if (isNestedTooDeep(value)) return fail({ line: 1, column: 1, message: 'the settings are nested too deep' });
  return ok({ root, value, body, mark });
}

/** The node at a path. Of names that stand twice the last counts, as for every JSON reader. */
export function nodeAt(root: Node, path: JSONPath): Node | undefined {
  let node: Node | undefined = root;
  for (const step of path) {
    if (node === undefined) return undefined;
    if (typeof step === 'number') node = node.type === 'array' ? node.children?.[step] : undefined;
    else if (node.type !== 'object') return undefined;
    else node = node.children?.findLast((property) => property.children?.[0]?.value === step)?.children?.[1];
  }
  return node;
}

export interface Style {
  readonly eol: string;
  readonly indent: string;
}

/** How a text is laid out. */
export function styleOf(body: string): Style {
  const eol = body.includes('\r\n') ? '\r\n' : '\n';
  const indent = /\n([ \t]+)"/.exec(body)?.[1] ?? '  ';
  return { eol, indent };
}

/** White space at the beginning of the line of an offset. */
export function lineIndent(body: string, offset: number): string {
  const start = body.lastIndexOf('\n', offset - 1) + 1;
  return /^[ \t]*/.exec(body.slice(start, offset))?.[0] ?? '';
}

/** The same for the library that changes texts. */
export function formatting(style: Style) {
  const insertSpaces = !style.indent.startsWith('\t');
  return { formattingOptions: { insertSpaces, tabSize: insertSpaces ? style.indent.length : 1, eol: style.eol } };
}

/** A text with a piece of it replaced. */
export function splice(text: string, from: number, to: number, replacement: string): string {
  return text.slice(0, from) + replacement + text.slice(to);
}

/** Appends texts to an array, laid out as the array is. */
export function append(body: string, array: Node, texts: readonly string[], style: Style): string {
  return appendWritten(
    { body, array, style },
    texts.map((text) => JSON.stringify(text)),
  );
}

/** Appends values that are JSON already; further lines of one stand as they are given. */
export function appendWritten(
  { body, array, style }: { readonly body: string; readonly array: Node; readonly style: Style },
  written: readonly string[],
): string {
  const last = array.children?.at(-1);
  if (last !== undefined) {
    const end = last.offset + last.length;
    const sameLine = !body.slice(array.offset, last.offset).includes('\n');
    const gap = sameLine ? ', ' : `,${style.eol}${lineIndent(body, last.offset)}`;
    return splice(body, end, end, written.map((text) => gap + text).join(''));
  }
  const inside = body.slice(array.offset + 1, array.offset + array.length - 1);
  // Blanks that somebody left between the brackets stay behind the new entry, so that taking it back restores them.
  if (inside !== '') return splice(body, array.offset + 1, array.offset + 1, written.join(', '));
  const outer = lineIndent(body, array.offset);
  const lines = written.map((text) => `${style.eol}${outer}${style.indent}${text}`).join(',');
  return splice(body, array.offset + 1, array.offset + 1, `${lines}${style.eol}${outer}`);
}

/** Moves the second spelling of a list (`alwaysAllow`) into the list itself. */
function convert(body: string, behavior: Behavior, style: Style): string {
  const old = `always${behavior.charAt(0).toUpperCase()}${behavior.slice(1)}`;
  let text = body;
  for (const path of [['permissions', old], [old]]) {
    const read = readSettingsText(text);
    const node = read.ok ? nodeAt(read.value.root, path) : undefined;
    if (node?.type !== 'array') continue;
    const texts = (node.children ?? []).flatMap((child) => (typeof child.value === 'string' ? [child.value] : []));
    text = applyEdits(text, modify(text, path, undefined, formatting(style)));
    text = addTo(text, behavior, texts, style);
  }
  return text;
}

function addTo(body: string, behavior: Behavior, rules: readonly string[], style: Style): string {
  const read = readSettingsText(body);
  if (!read.ok) return body;
  const array = nodeAt(read.value.root, ['permissions', behavior]);
  const present = new Set((array?.children ?? []).map((child): unknown => child.value));
  const missing = [...new Set(rules)].filter((rule) => !present.has(rule));
  if (missing.length === 0) return body;
  if (array?.type === 'array') return append(body, array, missing, style);
  return applyEdits(body, modify(body, ['permissions', behavior], missing, formatting(style)));
}

/**
 * Adds rules to a settings text; null is a file that does not exist. Rules that stand there already are not doubled.
 * Fails when the text is not a JSON object, or holds something else where the list should be.
 */
export function addRules(text: string | null, behavior: Behavior, rules: readonly string[]): Result<string> {
  if (text === null || text.trim() === '') {
    const fresh = { permissions: { [behavior]: [...new Set(rules)] } };
    return ok(`${JSON.stringify(fresh, null, 2)}\n`);
  }
  const read = readSettingsText(text);
  if (!read.ok)
    return fail(
      `The file is not valid JSON (line ${read.error.line}, column ${read.error.column}: ${read.error.message}). Mend it first; it was left as it is.`,
    );
  const { root, body, mark } = read.value;
  if (root.type !== 'object') return fail('The file does not hold a JSON object. Mend it first; it was left as it is.');
  const permissions = nodeAt(root, ['permissions']);
  if (permissions !== undefined && permissions.type !== 'object')
    return fail('“permissions” in the file is not an object. Mend it first; it was left as it is.');
  const list = nodeAt(root, ['permissions', behavior]);
  if (list !== undefined && list.type !== 'array')
    return fail(`“permissions.${behavior}” in the file is not a list. Mend it first; it was left as it is.`);
  const style = styleOf(body);
  return ok(mark + addTo(convert(body, behavior, style), behavior, rules, style));
}

/** A rule in a settings text; `line`, counted from 1, tells equal ones apart, else the last one is meant. */
export interface RulePlace {
  readonly behavior: Behavior;
  readonly rule: string;
  readonly line?: number | undefined;
}

/** Where a rule stands in one of its lists. */
export function findRule(
  { root, body }: Pick<SettingsText, 'root' | 'body'>,
  { behavior, rule, line }: RulePlace,
): { readonly list: Node; readonly index: number } | null {
  const old = `always${behavior.charAt(0).toUpperCase()}${behavior.slice(1)}`;
  let last: { readonly list: Node; readonly index: number } | null = null;
  for (const path of [['permissions', behavior], ['permissions', old], [old]]) {
    const list = nodeAt(root, path);
    if (list?.type !== 'array') continue;
    const places = (list.children ?? []).flatMap((child, index) => (child.value === rule ? [{ child, index }] : []));
    const meant =
      line === undefined ? undefined : places.find(({ child }) => placeOf(body, child.offset).line === line);
    if (meant !== undefined) return { list, index: meant.index };
    const end = places.at(-1);
    if (end !== undefined) last ??= { list, index: end.index };
  }
  return last;
}

/** Takes a rule out of a settings text, and nothing else. `gone` when it does not stand there. */
export function removeRuleText(text: string, place: RulePlace): Result<string, 'gone' | 'broken'> {
  const read = readSettingsText(text);
  if (!read.ok) return fail('broken');
  const { body, mark } = read.value;
  const found = findRule(read.value, place);
  return found === null ? fail('gone') : ok(mark + withoutEntry(body, found));
}

/** The text without an entry of a list, and nothing else changed. */
export function withoutEntry(body: string, { list, index }: { readonly list: Node; readonly index: number }): string {
  const children = list.children ?? [];
  const node = children[index];
  if (node === undefined) return body;
  const before = children[index - 1];
  const after = children[index + 1];
  const end = node.offset + node.length;
  if (before !== undefined && after === undefined) return splice(body, before.offset + before.length, end, '');
  if (after !== undefined) return splice(body, node.offset, after.offset, '');
  const tight = node.offset === list.offset + 1;
  return tight ? splice(body, node.offset, end, '') : splice(body, list.offset + 1, list.offset + list.length - 1, '');
}

/** Lines of `after` that `before` does not have, for showing what a save would add. Counted from 1. */
export function addedLines(
  before: string | null,
  after: string,
): readonly { readonly line: number; readonly text: string }[] {
  const old = (before ?? '').split(/\r?\n/);
  const fresh = after.split(/\r?\n/);
  let start = 0;
  while (start < old.length && start < fresh.length && old[start] === fresh[start]) start++;
  let end = 0;
  while (end < old.length - start && end < fresh.length - start && old.at(-1 - end) === fresh.at(-1 - end)) end++;
  return fresh.slice(start, fresh.length - end).map((text, index) => ({ line: start + index + 1, text }));
}
