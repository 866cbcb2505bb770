// Where a text stands in a conversation: in what was said and in what its cards show. The page holds only a part of a long
// one, so the core looks through the whole.
import { z } from 'zod';
import type { View } from '../tools/presentation';
import { assertNever } from '../util/assertNever';
import type { SessionState } from './state';
import type { ToolCall } from './toolCall';

/** A message, or a call with the message it belongs to, that has the text `count` times. */
export const FoundPlace = z.strictObject({
  messageId: z.string(),
  callId: z.string().nullable(),
  /** Of a model's message: which of its blocks. */
  block: z.number().int().nonnegative().nullable(),
  count: z.number().int().positive(),
});
export type FoundPlace = z.infer<typeof FoundPlace>;

export const FoundPlaces = z.strictObject({
  /** In the order of the conversation. */
  places: z.array(FoundPlace),
  /** Finds in these places. */
  total: z.number().int().nonnegative(),
  /** There are more places than are told. */
  truncated: z.boolean(),
});
export type FoundPlaces = z.infer<typeof FoundPlaces>;

/** What is sought in one conversation, as it stands. */
export const SoughtText = z.strictObject({ text: z.string().min(1).max(500), matchCase: z.boolean() });
export type SoughtText = z.infer<typeof SoughtText>;

/** More is not gone through one by one. */
const mostPlaces = 5_000;

/** Colours and movements of terminals; they are not shown as text. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is taken out.
const escapes = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)|[@-Z\\^_])/g;

/** All places of a text, each find without overlap. Thoughts are folded away and not looked through. */
export function findPlaces(state: Pick<SessionState, 'items' | 'calls'>, sought: SoughtText): FoundPlaces {
  const needle = fold(sought.text, sought.matchCase);
  const found: { places: FoundPlace[]; total: number; truncated: boolean } = { places: [], total: 0, truncated: false };
  if (needle === '') return found;
  const take = (text: string, place: Omit<FoundPlace, 'count'>) => {
    const count = countIn(fold(text, sought.matchCase), needle);
    if (count === 0) return;
    if (found.places.length < mostPlaces) {
      found.places.push({ ...place, count });
      found.total += count;
    } else found.truncated = true;
  };
  const byMessage = new Map<string, ToolCall[]>();
  for (const call of Object.values(state.calls)) {
    const known = byMessage.get(call.messageId);
    if (known === undefined) byMessage.set(call.messageId, [call]);
    else known.push(call);
  }
  for (const item of state.items) {
    if (item.kind === 'user') take(item.text, { messageId: item.messageId, callId: null, block: null });
    if (item.kind !== 'assistant') continue;
    const { messageId } = item;
    const left = new Map((byMessage.get(messageId) ?? []).map((call) => [call.callId, call]));
    item.blocks.forEach((block, index) => {
      if (block.type === 'text') take(block.text, { messageId, callId: null, block: index });
      const call = block.type === 'tool_use' ? left.get(block.id) : undefined;
      if (call === undefined) return;
      left.delete(call.callId);
      take(shownText(call), { messageId, callId: call.callId, block: null });
    });
    for (const call of left.values()) take(shownText(call), { messageId, callId: call.callId, block: null });
  }
  return found;
}

/** What a card shows, as plain text. */
function shownText(call: ToolCall): string {
  const { title, summary, view: own } = call.presentation;
  const view = ('view' in call ? call.view : null) ?? own ?? null;
  const command = view?.kind === 'terminal' ? view.command : own?.kind === 'terminal' ? own.command : summary;
  return [title, summary, ...(command === summary ? [] : [command]), view === null ? '' : textOf(view)].join('\n');
}

/** A view as text, without the command, which stands in the head. */
function textOf(view: View): string {
  switch (view.kind) {
    case 'terminal':
      return (view.output ?? '').replace(escapes, '');
    case 'diff':
      return view.hunks.flatMap((hunk) => hunk.lines.map((line) => line.text)).join('\n');
    case 'text':
    case 'markdown':
      return view.text;
    case 'image':
      return '';
    case 'table':
      return [view.columns, ...view.rows].map((row) => row.join('\t')).join('\n');
    case 'json':
      return JSON.stringify(view.value, null, 2);
    case 'files':
      return view.files.map((file) => `${file.path} ${file.note ?? ''}`).join('\n');
    default:
      return assertNever(view, 'view');
  }
}

function fold(text: string, matchCase: boolean): string {
  return matchCase ? text : text.toLowerCase();
}

function countIn(text: string, needle: string): number {
  let count = 0;
  for (let at = text.indexOf(needle); at !== -1; at = text.indexOf(needle, at + needle.length)) count += 1;
  return count;
}
