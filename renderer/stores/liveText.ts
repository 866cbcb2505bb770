// Text that streams in before its finished block arrives. Pure; losing any of it loses nothing.
import type { LiveEvent } from '#shared/session/events';

/** A block that is being written. */
export interface LiveBlock {
  readonly index: number;
  readonly kind: 'text' | 'thinking';
  readonly text: string;
}

/** Message id → its blocks in the making, by index. */
export type LiveText = Readonly<Record<string, readonly LiveBlock[]>>;

export type LiveDelta = Extract<LiveEvent, { type: 'assistant.delta' }>;

/** Appends deltas. Messages that none of them names keep their identity. */
export function addDeltas(live: LiveText, deltas: readonly LiveDelta[]): LiveText {
  if (deltas.length === 0) return live;
  const next: Record<string, readonly LiveBlock[]> = { ...live };
  for (const delta of deltas) next[delta.messageId] = addToBlocks(next[delta.messageId] ?? [], delta);
  return next;
}

function addToBlocks(blocks: readonly LiveBlock[], { index, kind, text }: LiveDelta): readonly LiveBlock[] {
  if (blocks.some((block) => block.index === index)) {
    return blocks.map((block) => (block.index === index ? { ...block, text: block.text + text } : block));
  }
  return [...blocks, { index, kind, text }].sort((a, b) => a.index - b.index);
}

/** Drops one block, once the finished one is there. */
export function dropBlock(live: LiveText, messageId: string, index: number): LiveText {
  const blocks = live[messageId];
  if (blocks === undefined) return live;
  const rest = blocks.filter((block) => block.index !== index);
  const { [messageId]: _dropped, ...others } = live;
  return rest.length === 0 ? others : { ...others, [messageId]: rest };
}

/** Drops all that a message still had in the making. */
export function dropMessage(live: LiveText, messageId: string): LiveText {
  if (live[messageId] === undefined) return live;
  const { [messageId]: _dropped, ...others } = live;
  return others;
}
