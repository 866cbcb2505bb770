// The session as the Messages API wants it: derived from the log, always validly paired.
import type Anthropic from '@anthropic-ai/sdk';
import type { AssistantBlock, ResultBlock, SessionEventBody } from '#shared/session/events';

type MessageParam = Anthropic.Messages.MessageParam;
type ContentBlockParam = Anthropic.Messages.ContentBlockParam;
type ToolResultBlockParam = Anthropic.Messages.ToolResultBlockParam;

type Entry =
  | { readonly role: 'user'; readonly text: string }
  | { readonly role: 'assistant'; readonly messageId: string; readonly blocks: Map<number, AssistantBlock> };

interface CallResult {
  readonly content: readonly ResultBlock[];
  readonly isError: boolean;
}

/** Identifies a call by its place, since providers may reuse tool_use ids. */
export function callIdOf(messageId: string, index: number): string {
  return `${messageId}.${index}`;
}

const missingResult: CallResult = {
  content: [{ type: 'text', text: 'Interrupted: this call has no result.' }],
  isError: true,
};

export class Conversation {
  private readonly entries: Entry[] = [];
  private readonly assistants = new Map<string, Extract<Entry, { role: 'assistant' }>>();
  private readonly results = new Map<string, CallResult>();

  apply(body: SessionEventBody): void {
    switch (body.type) {
      case 'message.sent':
        this.entries.push({ role: 'user', text: body.text });
        break;
      case 'assistant.started': {
        const entry = { role: 'assistant' as const, messageId: body.messageId, blocks: new Map() };
        this.entries.push(entry);
        this.assistants.set(body.messageId, entry);
        break;
      }
      case 'assistant.block':
        this.assistants.get(body.messageId)?.blocks.set(body.index, body.block);
        break;
      case 'call.finished':
        this.results.set(body.callId, { content: body.content, isError: body.status !== 'succeeded' });
        break;
      default:
        break;
    }
  }

  /** Messages in order: every tool_use answered once, results first in the next user message. */
  messages(): MessageParam[] {
    const messages: { role: 'user' | 'assistant'; content: ContentBlockParam[] }[] = [];
    const add = (role: 'user' | 'assistant', content: ContentBlockParam[]): void => {
      if (content.length === 0) return;
      const last = messages.at(-1);
      if (last?.role === role) last.content.push(...content);
      else messages.push({ role, content });
    };
    for (const entry of this.entries) {
      if (entry.role === 'user') {
        add('user', [{ type: 'text', text: entry.text }]);
        continue;
      }
      const blocks = [...entry.blocks].sort(([a], [b]) => a - b);
      add(
        'assistant',
        blocks.map(([, block]) => toParam(block)),
      );
      add('user', this.resultsOf(entry.messageId, blocks));
    }
    return messages;
  }

  private resultsOf(messageId: string, blocks: readonly (readonly [number, AssistantBlock])[]): ContentBlockParam[] {
    const results: ContentBlockParam[] = [];
    const beside: ContentBlockParam[] = [];
    for (const [index, block] of blocks) {
      if (block.type !== 'tool_use') continue;
      const result = this.results.get(callIdOf(messageId, index)) ?? missingResult;
      results.push(toToolResult(block.id, result));
      if (result.isError) beside.push(...imagesOf(result));
    }
    return [...results, ...beside];
  }
}

function toParam(block: AssistantBlock): ContentBlockParam {
  // An empty text block is refused by the API; it can only come from a message that broke off.
  if (block.type === 'text' && block.text === '') return { type: 'text', text: '(no text)' };
  if (block.type === 'server') return serverBlock(block.block);
  return block;
}

/** Came from the API and goes back unchanged; its shape is the API's business. */
function serverBlock(block: unknown): ContentBlockParam {
  return block as ContentBlockParam;
}

/** An error result carries text only; its images go beside it. */
function toToolResult(toolUseId: string, result: CallResult): ToolResultBlockParam {
  const content = result.content
    .filter((block) => !result.isError || block.type === 'text')
    .map((block) => (block.type === 'text' ? { type: 'text' as const, text: block.text } : toImage(block)));
  return {
    type: 'tool_result',
    tool_use_id: toolUseId,
    content,
    ...(result.isError ? { is_error: true } : {}),
  };
}

function imagesOf(result: CallResult): ContentBlockParam[] {
  return result.content.flatMap((block) => (block.type === 'image' ? [toImage(block)] : []));
}

function toImage(block: Extract<ResultBlock, { type: 'image' }>) {
  return {
    type: 'image' as const,
    source: {
      type: 'base64' as const,
      media_type: block.mediaType as 'image/png',
      data: block.base64,
    },
  };
}
