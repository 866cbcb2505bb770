// The conversation as flat, bounded rows: one message may hold hundreds of calls, so messages are split.
import type { SessionState } from '#shared/session/state';
import type { ToolCall } from '#shared/session/toolCall';
import type { LiveText } from '../../../stores/liveText';

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

/** Flattens a session. Keys stay the same while rows are appended, so that heights and positions survive. */
export function rowsOf(state: Pick<SessionState, 'items' | 'calls'>, live: LiveText): Row[] {
  const callsByMessage = new Map<string, ToolCall[]>();
  for (const call of Object.values(state.calls)) {
    const known = callsByMessage.get(call.messageId);
    if (known === undefined) callsByMessage.set(call.messageId, [call]);
    else known.push(call);
  }
  const rows: Row[] = [];
  let turn = 0;
  state.items.forEach((item, position) => {
    switch (item.kind) {
      case 'user':
        turn += 1;
        rows.push({ kind: 'user', key: item.messageId, text: item.text, at: item.at, turn });
        break;
      case 'notice':
        rows.push({ kind: 'notice', key: `notice-${position}`, level: item.level, text: item.text, next: item.next });
        break;
      case 'compaction':
        rows.push({ kind: 'compaction', key: `compaction-${position}`, summary: item.summary, at: item.at });
        break;
      case 'assistant': {
        // One heading per answer, however many messages and calls it takes.
        const before = rows.at(-1);
        if (before === undefined || before.kind === 'user') {
          rows.push({ kind: 'answer', key: `answer-${item.messageId}`, turn });
        }
        rows.push(...assistantRows(item, callsByMessage.get(item.messageId) ?? [], live));
        break;
      }
    }
  });
  return rows;
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
