// Full text of all sessions and transcripts: messages, commands, outputs.
import { z } from 'zod';
import { call } from '../rpc/contract';

const whole = z.number().int().nonnegative();

/** Where a conversation lies: a session of Gatehouse, or one of Claude Code's transcripts (`id` as in `transcripts.list`). */
export const ConversationRef = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('session'), sessionId: z.string() }),
  z.strictObject({ kind: z.literal('transcript'), id: z.string() }),
]);
export type ConversationRef = z.infer<typeof ConversationRef>;

export const SearchPart = z.enum(['message', 'answer', 'call', 'output']);
export type SearchPart = z.infer<typeof SearchPart>;

export const SearchHit = z.strictObject({
  in: ConversationRef,
  title: z.string(),
  folder: z.string(),
  at: z.number(),
  part: SearchPart,
  tool: z.string().nullable(),
  verdict: z.enum(['allow', 'ask', 'deny']).nullable(),
  /** Where to go: the message, or the call. */
  messageId: z.string().nullable(),
  callId: z.string().nullable(),
  /** What stands around the find, in one line; `hit` marks the words that were sought. */
  snippet: z.array(z.strictObject({ text: z.string(), hit: z.boolean() })),
});
export type SearchHit = z.infer<typeof SearchHit>;

export const SearchFilter = z.strictObject({
  parts: z.array(SearchPart).nullable(),
  tool: z.string().nullable(),
  verdict: z.enum(['allow', 'ask', 'deny']).nullable(),
  /** Only conversations of this folder and below. */
  folder: z.string().nullable(),
  since: z.number().nullable(),
  until: z.number().nullable(),
  origin: z.enum(['gatehouse', 'claudeCode']).nullable(),
});
export type SearchFilter = z.infer<typeof SearchFilter>;

/** How far the index is. It can be deleted at any time and is made anew. */
export const SearchIndexState = z.strictObject({
  phase: z.enum(['idle', 'reading', 'failed']),
  /** Of the conversations that there are. */
  done: whole,
  conversations: whole,
  problem: z.string(),
});
export type SearchIndexState = z.infer<typeof SearchIndexState>;

export const searchCalls = {
  /**
   * Words are sought in any order, the last one also as a beginning; "in quotes" as they stand. Best first, at most `count`
   * from `from`. Signs that mean something to the index are plain signs here.
   */
  'search.find': call(
    z.strictObject({
      text: z.string().trim().min(1).max(500),
      filter: SearchFilter,
      from: whole,
      count: z.number().int().min(1).max(100),
    }),
    z.strictObject({ hits: z.array(SearchHit), total: whole, conversations: whole, state: SearchIndexState }),
  ),
};

export const searchEvents = {
  /** At most twice a second while the index is made. */
  'search.state': SearchIndexState,
};
