// A model behind the Messages API, through the official SDK; the rehearsal model is one with another `fetch`.
import Anthropic from '@anthropic-ai/sdk';
import type { AssistantBlock, ModelChoice, Usage } from '#shared/session/events';
import type { ModelClient, ModelEvent, ModelRequest } from './client';
import { toModelFailure } from './failure';

/** Output tokens asked for in one message. */
const maxTokens = 16_000;
/** Silence on an open connection after which the server counts as gone. */
const timeoutMs = 600_000;

export interface AnthropicOptions {
  readonly apiKey: string;
  /** Empty = the first-party API. */
  readonly baseUrl: string;
  readonly fetch?: typeof globalThis.fetch;
  readonly scripted: boolean;
}

/** Speaks to one server with one key. Retries are the caller's: a stream must not be replayed blindly. */
export function createAnthropicClient(options: AnthropicOptions): ModelClient {
  const server = options.scripted ? 'The rehearsal model' : options.baseUrl || 'The Anthropic API';
  const sdk = new Anthropic({
    apiKey: options.apiKey,
    maxRetries: 0,
    timeout: timeoutMs,
    logLevel: 'off',
    // Explicit, so that the SDK reads neither variable from the environment by itself.
    baseURL: options.baseUrl || 'https://api.anthropic.com',
    authToken: null,
    ...(options.fetch === undefined ? {} : { fetch: options.fetch }),
    // Local servers and gateways that know the older header only.
    ...(options.baseUrl === '' ? {} : { defaultHeaders: { 'x-api-key': options.apiKey } }),
  });

  return {
    scripted: options.scripted,
    async *stream(request) {
      try {
        const events = await sdk.messages.create({ ...bodyOf(request), stream: true }, { signal: request.signal });
        yield* readStream(events);
      } catch (error) {
        throw toModelFailure(error, server);
      }
    },
    async listModels() {
      try {
        const models: ModelChoice[] = [];
        for await (const model of sdk.models.list({ limit: 100 }, { timeout: 15_000 })) {
          models.push({ id: model.id, label: model.display_name || model.id, scripted: options.scripted });
          if (models.length === 200) break;
        }
        return models;
      } catch (error) {
        throw toModelFailure(error, server);
      }
    },
  };
}

/** The request's body with prompt-cache breakpoints after the system text and after the last message. */
function bodyOf(request: ModelRequest): Anthropic.Messages.MessageCreateParamsNonStreaming {
  return {
    model: request.model,
    max_tokens: maxTokens,
    system: [{ type: 'text', text: request.system, cache_control: { type: 'ephemeral' } }],
    tools: request.tools,
    messages: withBreakpoint(request.messages),
  };
}

function withBreakpoint(messages: readonly Anthropic.Messages.MessageParam[]): Anthropic.Messages.MessageParam[] {
  const last = messages.at(-1);
  if (last === undefined || !Array.isArray(last.content)) return [...messages];
  const block = last.content.at(-1);
  if (block === undefined || (block.type !== 'text' && block.type !== 'tool_result')) return [...messages];
  const marked = { ...block, cache_control: { type: 'ephemeral' as const } };
  return [
    ...messages.slice(0, -1),
    { ...last, content: [...last.content.slice(0, -1), marked] } as Anthropic.Messages.MessageParam,
  ];
}

interface Building {
  block: AssistantBlock;
  json: string;
}

/** Reads one message's raw events. Unknown events and block kinds are passed over, as the protocol asks. */
export async function* readStream(
  events: AsyncIterable<Anthropic.Messages.RawMessageStreamEvent>,
): AsyncIterable<ModelEvent> {
  const building = new Map<number, Building>();
  /** A tool whose input looks unfinished waits for the stop reason, which tells whether it was cut off. */
  const doubtful: number[] = [];
  let usage: Usage = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 };
  let stopReason: string | null = null;
  let stopped = false;

  for await (const event of events) {
    switch (event.type) {
      case 'message_start':
        usage = mergeUsage(usage, event.message.usage);
        break;
      case 'content_block_start': {
        const block = startBlock(event.content_block);
        if (block !== null) building.set(event.index, { block, json: '' });
        break;
      }
      case 'content_block_delta': {
        const current = building.get(event.index);
        if (current === undefined) break;
        const text = addDelta(current, event.delta);
        if (text !== null) yield { type: 'delta', index: event.index, ...text };
        break;
      }
      case 'content_block_stop': {
        const current = building.get(event.index);
        if (current === undefined) break;
        const finished = finishBlock(current);
        if (finished === null) doubtful.push(event.index);
        else yield { type: 'block', index: event.index, block: finished, cutOff: false };
        break;
      }
      case 'message_delta':
        usage = mergeUsage(usage, event.usage);
        stopReason = event.delta.stop_reason ?? stopReason;
        break;
      case 'message_stop':
        stopped = true;
        break;
      default:
        break;
    }
  }
  if (!stopped) throw new Error('the stream ended before the message did');
  for (const index of doubtful) {
    const current = building.get(index);
    if (current?.block.type !== 'tool_use') continue;
    const empty = current.json.trim() === '' && stopReason !== 'max_tokens';
    const block = { ...current.block, input: {} };
    if (empty) yield { type: 'block', index, block, cutOff: false };
    else yield { type: 'block', index, block, cutOff: true };
  }
  yield { type: 'finished', stopReason: stopReason ?? 'end_turn', usage };
}

function startBlock(block: Anthropic.Messages.ContentBlock): AssistantBlock | null {
  switch (block.type) {
    case 'text':
      return { type: 'text', text: block.text };
    case 'thinking':
      return { type: 'thinking', thinking: block.thinking, signature: block.signature };
    case 'redacted_thinking':
      return { type: 'redacted_thinking', data: block.data };
    case 'tool_use':
      return { type: 'tool_use', id: block.id, name: block.name, input: {} };
    default:
      return null;
  }
}

function addDelta(
  current: Building,
  delta: Anthropic.Messages.RawContentBlockDelta,
): { kind: 'text' | 'thinking'; text: string } | null {
  const { block } = current;
  if (delta.type === 'text_delta' && block.type === 'text') {
    current.block = { ...block, text: block.text + delta.text };
    return { kind: 'text', text: delta.text };
  }
  if (delta.type === 'thinking_delta' && block.type === 'thinking') {
    current.block = { ...block, thinking: block.thinking + delta.thinking };
    return { kind: 'thinking', text: delta.thinking };
  }
  if (delta.type === 'signature_delta' && block.type === 'thinking') {
    current.block = { ...block, signature: block.signature + delta.signature };
  }
  if (delta.type === 'input_json_delta') current.json += delta.partial_json;
  return null;
}

/** The whole block, or null where a tool's input is empty or does not parse. */
function finishBlock(current: Building): AssistantBlock | null {
  const { block, json } = current;
  if (block.type !== 'tool_use') return block;
  try {
    const input: unknown = JSON.parse(json);
    return { ...block, input: input as Extract<AssistantBlock, { type: 'tool_use' }>['input'] };
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

interface ApiUsage {
  readonly input_tokens?: number | null;
  readonly output_tokens?: number | null;
  readonly cache_read_input_tokens?: number | null;
  readonly cache_creation_input_tokens?: number | null;
}

/** Usage is cumulative: later figures replace earlier ones. */
function mergeUsage(usage: Usage, api: ApiUsage | undefined): Usage {
  return {
    inputTokens: api?.input_tokens ?? usage.inputTokens,
    outputTokens: api?.output_tokens ?? usage.outputTokens,
    cacheReadTokens: api?.cache_read_input_tokens ?? usage.cacheReadTokens,
    cacheWriteTokens: api?.cache_creation_input_tokens ?? usage.cacheWriteTokens,
  };
}
