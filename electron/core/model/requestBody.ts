// A request as the Messages API wants it, with its prompt-cache breakpoints. Nothing here may depend on anything but the
// request: equal prefixes must give equal bytes.
import type Anthropic from '@anthropic-ai/sdk';
import type { ModelRequest } from './client';

type MessageParam = Anthropic.Messages.MessageParam;
type ContentBlockParam = Anthropic.Messages.ContentBlockParam;
type Tool = Anthropic.Messages.Tool;

/** Output tokens asked for in one message unless the request says otherwise. */
const usualMaxTokens = 16_000;
const ephemeral = { type: 'ephemeral' as const };

/**
 * At most four breakpoints: after the tools that stay, after the system text, and after the last two user messages. The older of
 * the two is where the request before wrote its cache, so that it is found however much was added since.
 */
export function bodyOf(request: ModelRequest): Anthropic.Messages.MessageCreateParamsNonStreaming {
  return {
    model: request.model,
    max_tokens: request.maxTokens ?? usualMaxTokens,
    system: [{ type: 'text', text: request.system, cache_control: ephemeral }],
    ...toolsOf(request),
    ...(request.mustCall === undefined
      ? {}
      : { tool_choice: { type: 'tool', name: request.mustCall, disable_parallel_tool_use: true } }),
    messages: markLastUsers(request.messages),
  };
}

function toolsOf({ tools, lastStable, serverTools = [] }: ModelRequest): {
  readonly tools?: Anthropic.Messages.ToolUnion[];
} {
  return tools.length + serverTools.length === 0 ? {} : { tools: [...markLastTool(tools, lastStable), ...serverTools] };
}

/** The named tool, else the last that is loaded: the API refuses a breakpoint on a deferred one. */
function markLastTool(tools: readonly Tool[], name: string | undefined): Tool[] {
  const named = tools.findIndex((tool) => tool.name === name && tool.defer_loading !== true);
  const index = named === -1 ? tools.findLastIndex((tool) => tool.defer_loading !== true) : named;
  const tool = tools[index];
  return tool === undefined ? [...tools] : tools.with(index, { ...tool, cache_control: ephemeral });
}

function markLastUsers(messages: readonly MessageParam[]): MessageParam[] {
  const marked = [...messages];
  let left = 2;
  for (let index = marked.length - 1; index >= 0 && left > 0; index -= 1) {
    const message = marked[index];
    if (message?.role !== 'user') continue;
    left -= 1;
    marked[index] = markLastBlock(message);
  }
  return marked;
}

function markLastBlock(message: MessageParam): MessageParam {
  if (!Array.isArray(message.content)) return message;
  const content: readonly ContentBlockParam[] = message.content;
  const last = content.at(-1);
  if (last === undefined || (last.type !== 'text' && last.type !== 'tool_result' && last.type !== 'image')) {
    return message;
  }
  return { role: 'user', content: [...content.slice(0, -1), { ...last, cache_control: ephemeral }] };
}
