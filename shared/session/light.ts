// A call and an item without their long contents: what a page holds of the many that nobody looks at.
import type { z } from 'zod';
import type { DiffHunk, View } from '../tools/presentation';
import { assertNever } from '../util/assertNever';
import type { HookRun } from './hookRun';
import type { ConversationItem } from './state';
import type { ToolCall } from './toolCall';

type Json = z.infer<ReturnType<typeof z.json>>;

/** Longest contents in characters that a call keeps: more than a card shows at once. */
const longestView = 6_000;
const longestInput = 1_000;
const longestText = 1_000;
const longestHookText = 200;
/** Parts of a value that are kept of long ones. */
const keptParts = 50;
const keptString = 400;

/**
 * The call as a list needs it: cut contents and `light` when anything was cut, else the very call. A call that has not
 * ended is never cut.
 */
export function lightCall(call: ToolCall): ToolCall {
  if (!('view' in call) || call.light === true) return call;
  const input = cutJson(call.input, longestInput);
  const view = call.view === null ? null : cutView(call.view);
  const own = call.presentation.view;
  const ownView = own === undefined ? undefined : cutView(own);
  const modelText = cutText(call.modelText, longestText);
  const steps = call.steps.some((step) => step.input !== undefined || step.output !== undefined)
    ? call.steps.map(({ input: _in, output: _out, ...step }) => step)
    : call.steps;
  const hooks = call.hooks?.some(isLong) === true ? call.hooks.map(lightRun) : call.hooks;
  const hasWhy = call.decision?.why !== undefined;
  const same =
    input === call.input &&
    view === call.view &&
    ownView === own &&
    modelText === call.modelText &&
    steps === call.steps &&
    hooks === call.hooks &&
    !hasWhy;
  if (same) return call;
  return {
    ...call,
    light: true,
    input,
    view,
    modelText,
    steps,
    presentation: ownView === undefined ? call.presentation : { ...call.presentation, view: ownView },
    decision: withoutWhy(call.decision),
    ...(hooks === undefined ? {} : { hooks }),
  };
}

/** The item without what a page does not draw: inputs of calls, which the calls have, signatures, and server blocks. */
export function lightItem(item: ConversationItem): ConversationItem {
  if (item.kind !== 'assistant') return item;
  const blocks = item.blocks.map((block) => {
    switch (block.type) {
      case 'text':
        return block;
      case 'thinking':
        return block.signature === '' ? block : { ...block, signature: '' };
      case 'redacted_thinking':
        return block.data === '' ? block : { ...block, data: '' };
      case 'tool_use':
        return { ...block, input: {} };
      case 'server':
        return { ...block, block: {} };
      default:
        return assertNever(block, 'block');
    }
  });
  return { ...item, blocks };
}

function withoutWhy(decision: ToolCall['decision']): ToolCall['decision'] {
  if (decision?.why === undefined) return decision;
  const { why: _, ...rest } = decision;
  return rest;
}

function isLong(run: HookRun): boolean {
  return run.stdin.length + run.stdout.length + run.stderr.length > 3 * longestHookText;
}

function lightRun(run: HookRun): HookRun {
  const [stdin, stdout, stderr] = [run.stdin, run.stdout, run.stderr].map((text) => cutText(text, longestHookText));
  return { ...run, stdin: stdin ?? '', stdout: stdout ?? '', stderr: stderr ?? '' };
}

/** Cuts at the end, never within a pair of surrogates. */
function cutText(text: string, longest: number): string {
  if (text.length <= longest) return text;
  const last = text.charCodeAt(longest - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? longest - 1 : longest);
}

function cutView(view: View): View {
  switch (view.kind) {
    case 'terminal':
      return view.output === undefined || view.output.length <= longestView
        ? view
        : { ...view, output: cutText(view.output, longestView) };
    case 'diff': {
      const hunks = cutHunks(view.hunks);
      return hunks === view.hunks ? view : { ...view, hunks: [...hunks], truncated: true };
    }
    case 'text':
    case 'markdown':
      return view.text.length <= longestView ? view : { ...view, text: cutText(view.text, longestView) };
    case 'image':
      return view.base64.length <= longestView ? view : { ...view, base64: '' };
    case 'table': {
      const rows = fitting(view.rows, (row) => row.reduce((sum, cell) => sum + cell.length + 4, 0));
      return rows === view.rows ? view : { ...view, rows: [...rows] };
    }
    case 'json': {
      const value = cutJson(view.value, longestView);
      return value === view.value ? view : { ...view, value };
    }
    case 'files': {
      const files = fitting(view.files, (file) => file.path.length + (file.note?.length ?? 0) + 20);
      return files === view.files ? view : { ...view, files: [...files], truncated: true };
    }
    default:
      return assertNever(view, 'view');
  }
}

function cutHunks(hunks: readonly DiffHunk[]): readonly DiffHunk[] {
  const size = ({ lines }: DiffHunk): number => lines.reduce((sum, line) => sum + line.text.length + 20, 0);
  const kept = fitting(hunks, size);
  const first = hunks[0];
  if (kept.length > 0 || first === undefined) return kept;
  return [{ ...first, lines: [...fitting(first.lines, (line) => line.text.length + 20)] }];
}

/** As many from the front as fit in a view; the very list when all do. */
function fitting<T>(list: readonly T[], size: (one: T) => number): readonly T[] {
  let chars = 0;
  for (const [index, one] of list.entries()) {
    chars += size(one);
    if (chars > longestView) return list.slice(0, index);
  }
  return list;
}

function cutJson(value: Json, longest: number): Json {
  return charsOf(value, longest) <= longest ? value : cutParts(value, 0);
}

/** About how long the value is as JSON; stops counting soon after `enough`. */
function charsOf(value: Json, enough: number): number {
  if (typeof value === 'string') return value.length + 2;
  if (typeof value !== 'object' || value === null) return 5;
  let chars = 2;
  for (const [key, part] of Object.entries(value)) {
    chars += key.length + 4 + charsOf(part, enough);
    if (chars > enough) break;
  }
  return chars;
}

function cutParts(value: Json, depth: number): Json {
  if (typeof value === 'string') return cutText(value, keptString);
  if (typeof value !== 'object' || value === null) return value;
  if (depth > 3) return Array.isArray(value) ? [] : {};
  if (Array.isArray(value)) return value.slice(0, keptParts).map((part) => cutParts(part, depth + 1));
  const parts = Object.entries(value).slice(0, keptParts);
  return Object.fromEntries(parts.map(([key, part]) => [cutText(key, keptString), cutParts(part, depth + 1)]));
}
