// How a call of a transcript looks. Its tool may be none of ours, so only its input and what came back are gone by.
import type { ResultBlock } from '#shared/session/events';
import type { CallPresentation, CardIcon, DiffHunk, View } from '#shared/tools/presentation';
import type { JsonValue } from '#shared/util/json';
import { isRecord } from '../history/import/boundInput';
import { callTitle } from '../history/import/callTitle';
import { countOf, type ResultFacts, stringOf } from './line';

export interface TranscriptCall {
  readonly name: string;
  readonly input: Readonly<Record<string, JsonValue>>;
}

/** Lines of a change that are shown. */
const maxDiffLines = 2_000;

const icons: Readonly<Record<string, CardIcon>> = {
  Bash: 'terminal',
  PowerShell: 'terminal',
  BashOutput: 'terminal',
  Read: 'file',
  NotebookRead: 'file',
  Edit: 'fileEdit',
  MultiEdit: 'fileEdit',
  NotebookEdit: 'fileEdit',
  Write: 'filePlus',
  Grep: 'search',
  Glob: 'folderSearch',
  LS: 'folderSearch',
  TodoWrite: 'checklist',
  AskUserQuestion: 'question',
  WebFetch: 'globe',
  WebSearch: 'globe',
};

const shells: ReadonlySet<string> = new Set(['Bash', 'PowerShell']);

export function presentCall(call: TranscriptCall): CallPresentation {
  const { name, input } = call;
  const view = inputView(call);
  const path = pathOf(input);
  return {
    title: name,
    summary: callTitle(input),
    activity: '',
    icon: Object.hasOwn(icons, name) ? (icons[name] ?? 'tool') : name.startsWith('mcp__') ? 'plug' : 'tool',
    ...(path === null ? {} : { path }),
    ...(view === null ? {} : { view }),
  };
}

/** What is shown of a call's result; null: nothing that has a form. */
export function resultView(
  call: TranscriptCall,
  result: { readonly content: readonly ResultBlock[]; readonly failed: boolean; readonly facts: ResultFacts | null },
): View | null {
  const text = result.content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
  if (shells.has(call.name)) {
    const code = result.failed ? /^(?:Error: )?Exit code (\d{1,3})\b/.exec(text)?.[1] : '0';
    const exitCode = code === undefined ? null : Number(code);
    return { kind: 'terminal', command: stringOf(call.input.command), output: text, exitCode };
  }
  const change = result.failed ? null : diffView(call, result.facts);
  if (change !== null) return change;
  const image = result.content.find((block) => block.type === 'image');
  if (image?.type === 'image')
    return { kind: 'image', mediaType: image.mediaType, base64: image.base64, alt: callTitle(call.input) };
  return text === '' ? null : { kind: 'text', text };
}

function pathOf(input: TranscriptCall['input']): string | null {
  const path = stringOf(input.file_path) || stringOf(input.notebook_path);
  return /^(\/|[A-Za-z]:[\\/])/.test(path) ? path : null;
}

function inputView(call: TranscriptCall): View | null {
  if (shells.has(call.name)) return { kind: 'terminal', command: stringOf(call.input.command) };
  return diffView(call, null);
}

/** The change as the program noted it, or as the input says it. */
function diffView({ name, input }: TranscriptCall, facts: ResultFacts | null): View | null {
  if (icons[name] !== 'fileEdit' && icons[name] !== 'filePlus') return null;
  const path = pathOf(input);
  if (path === null) return null;
  const noted = facts?.patch?.flatMap(hunkOf) ?? [];
  const hunks = noted.length > 0 ? noted : hunksOfInput(name, input);
  if (hunks.length === 0) return null;
  const count = (sign: string): number =>
    hunks.reduce((sum, { lines }) => sum + lines.filter((line) => line.sign === sign).length, 0);
  const created = facts?.created ?? name === 'Write';
  return { kind: 'diff', path, created, added: count('+'), removed: count('-'), ...bounded(hunks) };
}

function hunksOfInput(name: string, input: TranscriptCall['input']): DiffHunk[] {
  if (name === 'Write') return [hunk(1, 1, [], linesOf(stringOf(input.content)))];
  const edits: readonly unknown[] = Array.isArray(input.edits) ? input.edits : [input];
  return edits.flatMap((edit) => {
    if (!isRecord(edit)) return [];
    const [before, after] = [stringOf(edit.old_string), stringOf(edit.new_string)];
    return before === '' && after === '' ? [] : [hunk(1, 1, linesOf(before), linesOf(after))];
  });
}

function hunk(oldStart: number, newStart: number, removed: readonly string[], added: readonly string[]): DiffHunk {
  return {
    oldStart,
    newStart,
    lines: [
      ...removed.map((text) => ({ sign: '-' as const, text })),
      ...added.map((text) => ({ sign: '+' as const, text })),
    ],
  };
}

function hunkOf(value: unknown): DiffHunk[] {
  if (!isRecord(value) || !Array.isArray(value.lines)) return [];
  const lines = value.lines.flatMap((line: unknown) => {
    if (typeof line !== 'string') return [];
    const sign = line[0];
    return sign === '+' || sign === '-' || sign === ' ' ? [{ sign, text: line.slice(1) } as const] : [];
  });
  return [{ oldStart: countOf(value.oldStart), newStart: countOf(value.newStart), lines }];
}

function bounded(hunks: readonly DiffHunk[]): { hunks: DiffHunk[]; truncated: boolean } {
  let left = maxDiffLines;
  let truncated = false;
  const kept = hunks.flatMap((one) => {
    const lines = one.lines.slice(0, Math.max(0, left));
    left -= one.lines.length;
    truncated ||= lines.length < one.lines.length;
    return lines.length === 0 ? [] : [{ ...one, lines }];
  });
  return { hunks: kept, truncated };
}

const linesOf = (text: string): string[] => (text === '' ? [] : text.replace(/\n$/, '').split('\n'));
