// What the rehearsal model reads of a Messages API request. Lenient: what it does not know it ignores.
import { z } from 'zod';

const TextBlock = z.looseObject({ type: z.literal('text'), text: z.string() });
const ToolUseBlock = z.looseObject({
  type: z.literal('tool_use'),
  id: z.string(),
  name: z.string(),
  input: z.unknown(),
});
const ToolResultBlock = z.looseObject({
  type: z.literal('tool_result'),
  tool_use_id: z.string(),
  is_error: z.boolean().optional(),
  content: z.union([z.string(), z.array(z.looseObject({ type: z.string() }))]).optional(),
});
const OtherBlock = z.looseObject({ type: z.string() });
const Block = z.union([TextBlock, ToolUseBlock, ToolResultBlock, OtherBlock]);

export const RehearsalRequest = z.looseObject({
  model: z.string(),
  stream: z.boolean().default(false),
  messages: z.array(z.looseObject({ role: z.string(), content: z.union([z.string(), z.array(Block)]) })).min(1),
  tools: z.array(z.looseObject({ name: z.string() })).default([]),
});
export type RehearsalRequest = z.infer<typeof RehearsalRequest>;
type Message = RehearsalRequest['messages'][number];

/** A call as the history holds it. */
export interface PastCall {
  readonly id: string;
  readonly name: string;
}

/** What came back for a call, as one text. */
export interface PastResult {
  readonly id: string;
  readonly text: string;
  readonly isError: boolean;
  readonly isImage: boolean;
}

/** Calls of an assistant message, in order. */
export function callsOf(message: Message): readonly PastCall[] {
  if (typeof message.content === 'string') return [];
  return message.content.flatMap((block) => {
    const use = ToolUseBlock.safeParse(block);
    return use.success ? [{ id: use.data.id, name: use.data.name }] : [];
  });
}

/** Results in a user message, in order. */
export function resultsOf(message: Message): readonly PastResult[] {
  if (typeof message.content === 'string') return [];
  return message.content.flatMap((block) => {
    const result = ToolResultBlock.safeParse(block);
    if (!result.success) return [];
    const { tool_use_id: id, is_error: isError = false, content = '' } = result.data;
    const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : content;
    return [{ id, isError, text: textsOf(blocks).join('\n'), isImage: blocks.some((part) => part.type === 'image') }];
  });
}

/** The text of a command that the person typed speaks for them; its first line only says where it comes from. */
const typedCommand =
  /^<gatehouse-context source="command [^"]*">\nThe (?:command|skill) [^\n]*:\n\n([\s\S]*)\n<\/gatehouse-context>$/;

/** The person's own words in a user message, one entry for each text, without the notes that a program adds in tags. */
export function wordsOf(message: Message): readonly string[] {
  const texts = typeof message.content === 'string' ? [message.content] : textsOf(message.content);
  return texts
    .map((text) =>
      (typedCommand.exec(text)?.[1] ?? text)
        .replace(/<(system-reminder|environment|context|gatehouse-context)(?: source="[^"]*")?>[\s\S]*?<\/\1>/g, '')
        .trim(),
    )
    .filter((text) => text !== '');
}

function textsOf(blocks: readonly { readonly type: string }[]): string[] {
  return blocks.flatMap((block) => {
    const text = TextBlock.safeParse(block);
    return text.success ? [text.data.text] : [];
  });
}
