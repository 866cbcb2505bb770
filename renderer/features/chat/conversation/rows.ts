// The conversation as flat, bounded rows: one message may hold hundreds of calls, so messages are split.
import type { SessionState } from '#shared/session/state';
import type { ToolCall } from '#shared/session/toolCall';
import type { LiveBlock, LiveText } from '../../../stores/liveText';

export type Row =
  | { readonly kind: 'user'; readonly key: string; readonly text: string; readonly at: number; readonly turn: number }
  /** Where an answer begins: a heading for assistive technology. */
  | { readonly kind: 'answer'; readonly key: string; readonly turn: number }
  | { readonly kind: 'text'; readonly key: string; readonly text: string; readonly streaming: boolean }
  | { readonly kind: 'thinking'; readonly key: string; readonly text: string; readonly streaming: boolean }
  | { readonly kind: 'call'; readonly key: string; readonly call: ToolCall }
  | { readonly kind: 'cutOff'; readonly key: string }
  | { readonly kind: 'compaction'; readonly key: string; readonly summary: string; readonly at: number }
  | {
      readonly kind: 'notice';
      readonly key: string;
      readonly level: 'info' | 'warning' | 'error';
      readonly text: string;
      readonly next: string;
    };

type AssistantItem = Extract<SessionState['items'][number], { kind: 'assistant' }>;

type Item = SessionState['items'][number];

/** The items that are shown; `first` and `turnsBefore` say where in the conversation they stand. */
export interface ShownItems {
  readonly items: readonly Item[];
  readonly calls: SessionState['calls'];
  readonly first?: number;
  readonly turnsBefore?: number;
}

interface Made {
  readonly calls: readonly ToolCall[];
  readonly live: readonly LiveBlock[] | undefined;
  /** Position and turn of the item, and whether a heading comes before it. */
  readonly place: string;
  readonly rows: readonly Row[];
}

/** Rows of items as they were made last: what has not changed keeps its rows, and is not drawn again. */
const madeOf = new WeakMap<Item, Made>();

const noCalls: readonly ToolCall[] = [];

/** Flattens a session. Keys stay the same while rows are appended, so that heights and positions survive. */
export function rowsOf({ items, calls, first = 0, turnsBefore = 0 }: ShownItems, live: LiveText): Row[] {
  const callsByMessage = new Map<string, ToolCall[]>();
  for (const call of Object.values(calls)) {
    const known = callsByMessage.get(call.messageId);
    if (known === undefined) callsByMessage.set(call.messageId, [call]);
    else known.push(call);
  }
  const rows: Row[] = [];
  let turn = turnsBefore;
  // Items before the first one shown are unknown; an answer that goes on from there has no heading here.
  let heads = first === 0;
  for (const [index, item] of items.entries()) {
    if (item.kind === 'user') turn += 1;
    const position = first + index;
    const isHead = heads && item.kind === 'assistant';
    const own = item.kind === 'assistant' ? (callsByMessage.get(item.messageId) ?? noCalls) : noCalls;
    const streams = item.kind === 'assistant' && item.stopReason === null ? live[item.messageId] : undefined;
    const place = `${position} ${turn} ${isHead}`;
    const known = madeOf.get(item);
    const made =
      known !== undefined && known.place === place && known.live === streams && sameCalls(known.calls, own)
        ? known.rows
        : itemRows(item, { position, turn, isHead, calls: own, live });
    if (made !== known?.rows) madeOf.set(item, { calls: own, live: streams, place, rows: made });
    for (const row of made) rows.push(row);
    // One heading per answer, however many messages and calls it takes.
    heads = item.kind === 'user' || (heads && made.length === 0);
  }
  return rows;
}

/** The position in the conversation of the item that a row belongs to; null: it is not among these. */
export function positionOfRow(row: Row, { items, first = 0 }: Pick<ShownItems, 'items' | 'first'>): number | null {
  if (row.kind === 'notice' || row.kind === 'compaction') return Number(row.key.slice(row.kind.length + 1));
  const messageId = messageOfRow(row);
  const index = items.findIndex((item) => 'messageId' in item && item.messageId === messageId);
  return index === -1 ? null : first + index;
}

function messageOfRow(row: Exclude<Row, { kind: 'notice' | 'compaction' }>): string {
  if (row.kind === 'user') return row.key;
  if (row.kind === 'call') return row.call.messageId;
  return row.kind === 'answer' ? row.key.slice('answer-'.length) : row.key.slice(0, row.key.lastIndexOf('-'));
}

function sameCalls(a: readonly ToolCall[], b: readonly ToolCall[]): boolean {
  return a.length === b.length && a.every((call, index) => call === b[index]);
}

function itemRows(
  item: Item,
  at: {
    readonly position: number;
    readonly turn: number;
    readonly isHead: boolean;
    readonly calls: readonly ToolCall[];
    readonly live: LiveText;
  },
): Row[] {
  switch (item.kind) {
    case 'user':
      return [{ kind: 'user', key: item.messageId, text: item.text, at: item.at, turn: at.turn }];
    case 'notice':
      return [{ kind: 'notice', key: `notice-${at.position}`, level: item.level, text: item.text, next: item.next }];
    case 'compaction':
      return [{ kind: 'compaction', key: `compaction-${at.position}`, summary: item.summary, at: item.at }];
    case 'assistant': {
      const head: Row[] = at.isHead ? [{ kind: 'answer', key: `answer-${item.messageId}`, turn: at.turn }] : [];
      return [...head, ...assistantRows(item, at.calls, at.live)];
    }
  }
}

function assistantRows(message: AssistantItem, calls: readonly ToolCall[], live: LiveText): Row[] {
  const rows: Row[] = [];
  const shown = new Set<string>();
  message.blocks.forEach((block, index) => {
    const key = `${message.messageId}-${index}`;
    if (block.type === 'text') {
      if (block.text.trim() !== '') rows.push({ kind: 'text', key, text: block.text, streaming: false });
    } else if (block.type === 'thinking') {
      if (block.thinking.trim() !== '') rows.push({ kind: 'thinking', key, text: block.thinking, streaming: false });
    } else if (block.type === 'tool_use') {
      const call = calls.find((candidate) => candidate.callId === block.id);
      if (call === undefined) return;
      shown.add(call.callId);
      rows.push({ kind: 'call', key: call.callId, call });
    }
  });
  for (const call of calls) {
    if (!shown.has(call.callId)) rows.push({ kind: 'call', key: call.callId, call });
  }
  if (message.stopReason === null) {
    for (const block of live[message.messageId] ?? []) {
      // A block that is finished already may still linger in the live text.
      if (block.index < message.blocks.length || block.text.trim() === '') continue;
      rows.push({ kind: block.kind, key: `${message.messageId}-${block.index}`, text: block.text, streaming: true });
    }
  }
  if (message.stopReason === 'max_tokens') rows.push({ kind: 'cutOff', key: `${message.messageId}-cut` });
  return rows;
}
