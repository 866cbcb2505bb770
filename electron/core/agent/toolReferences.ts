// References to tools in the messages of a request: kept where the model's server brings what they name, else left out.
import type Anthropic from '@anthropic-ai/sdk';

type MessageParam = Anthropic.Messages.MessageParam;
type ContentBlockParam = Anthropic.Messages.ContentBlockParam;
type ToolResult = Anthropic.Messages.ToolResultBlockParam;

/** Names that references in the messages have. */
export function referencedTools(messages: readonly MessageParam[]): ReadonlySet<string> {
  const names = new Set<string>();
  for (const block of messages.flatMap(resultsOf))
    for (const part of partsOf(block)) if (part.type === 'tool_reference') names.add(part.tool_name);
  return names;
}

/**
 * The messages with references to `known` tools only; the API refuses others. A result with a reference holds nothing
 * else: what it brings says more than its words. Messages without references stay the same objects.
 */
export function withReferences(messages: readonly MessageParam[], known: ReadonlySet<string>): MessageParam[] {
  return messages.map((message) => {
    if (message.role !== 'user' || !Array.isArray(message.content)) return message;
    if (!resultsOf(message).some(hasReference)) return message;
    const content: readonly ContentBlockParam[] = message.content;
    return {
      role: 'user',
      content: content.map((block) =>
        block.type === 'tool_result' && hasReference(block) ? { ...block, content: kept(block, known) } : block,
      ),
    };
  });
}

function kept(block: ToolResult, known: ReadonlySet<string>): Exclude<ToolResult['content'], undefined> {
  const parts = partsOf(block);
  const references = parts.filter((part) => part.type === 'tool_reference' && known.has(part.tool_name));
  return references.length > 0 ? references : parts.filter((part) => part.type !== 'tool_reference');
}

function resultsOf(message: MessageParam): readonly ToolResult[] {
  if (message.role !== 'user' || !Array.isArray(message.content)) return [];
  return message.content.filter((block) => block.type === 'tool_result');
}

function partsOf({ content }: ToolResult) {
  return Array.isArray(content) ? content : [];
}

function hasReference(block: ToolResult): boolean {
  return partsOf(block).some((part) => part.type === 'tool_reference');
}
