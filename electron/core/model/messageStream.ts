// Reads one message's raw events into whole blocks.
import type Anthropic from '@anthropic-ai/sdk';
import { z } from 'zod';
import { AssistantBlock, type Usage } from '#shared/session/events';
import type { JsonValue } from '#shared/util/json';
import { isNestedTooDeep } from '#shared/util/nesting';
import type { ModelEvent } from './client';

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
  const doubtful = new Map<number, Building>();
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
        if (block !== null && Number.isSafeInteger(event.index) && event.index >= 0)
          building.set(event.index, { block, json: '' });
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
        building.delete(event.index);
        const finished = finishBlock(current);
        if (finished === null) doubtful.set(event.index, current);
        else yield { type: 'block', index: event.index, block: finished, cutOff: false };
        break;
      }
      case 'message_delta':
        usage = mergeUsage(usage, event.usage);
        if (isText(event.delta.stop_reason)) stopReason = event.delta.stop_reason;
        break;
      case 'message_stop':
        stopped = true;
        break;
      default:
        break;
    }
  }
  if (!stopped) throw new Error('the stream ended before the message did');
  for (const [index, { block, json }] of doubtful) {
    if (block.type !== 'tool_use') continue;
    const empty = json.trim() === '' && stopReason !== 'max_tokens';
    if (empty) yield { type: 'block', index, block, cutOff: false };
    else yield { type: 'block', index, block, cutOff: true };
  }
  // Blocks that were never stopped: text counts as far as it came, a call must not run.
  for (const [index, { block }] of building) {
    if (block.type === 'tool_use') yield { type: 'block', index, block, cutOff: true };
    else if (block.type === 'text') yield { type: 'block', index, block, cutOff: false };
  }
  yield { type: 'finished', stopReason: stopReason ?? 'end_turn', usage };
}

/** Null for what is not known here, and for what is not as the protocol has it: the log could not keep it. */
function startBlock(block: Anthropic.Messages.ContentBlock): AssistantBlock | null {
  const read = AssistantBlock.safeParse(blockOf(block));
  return read.success ? read.data : null;
}

function blockOf(block: Anthropic.Messages.ContentBlock): AssistantBlock | null {
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
      return serverBlock(block);
  }
}

/** Calls that the server runs itself and what they gave. */
const serverTypes = /^(server_tool_use|mcp_tool_use|container_upload|\w+_tool_result)$/;
const JsonRecord = z.record(z.string(), z.json());

/** A server tool's block is kept as it came; any other kind that is not known here is passed over. */
function serverBlock(block: { readonly type: string }): AssistantBlock | null {
  if (!serverTypes.test(block.type) || isNestedTooDeep(block)) return null;
  const kept = JsonRecord.safeParse(block);
  return kept.success ? { type: 'server', block: kept.data } : null;
}

/** Types say so, but a server may send anything. */
const isText = (value: unknown): value is string => typeof value === 'string';

function addDelta(
  current: Building,
  delta: Anthropic.Messages.RawContentBlockDelta,
): { kind: 'text' | 'thinking'; text: string } | null {
  const { block } = current;
  if (delta.type === 'text_delta' && block.type === 'text' && isText(delta.text)) {
    current.block = { ...block, text: block.text + delta.text };
    return { kind: 'text', text: delta.text };
  }
  if (delta.type === 'thinking_delta' && block.type === 'thinking' && isText(delta.thinking)) {
    current.block = { ...block, thinking: block.thinking + delta.thinking };
    return { kind: 'thinking', text: delta.thinking };
  }
  if (delta.type === 'signature_delta' && block.type === 'thinking' && isText(delta.signature)) {
    current.block = { ...block, signature: block.signature + delta.signature };
  }
  if (delta.type === 'input_json_delta' && isText(delta.partial_json)) current.json += delta.partial_json;
  return null;
}

/** The whole block, or null where a tool's input is empty or does not parse. */
function finishBlock(current: Building): AssistantBlock | null {
  const { block, json } = current;
  if (block.type === 'server') return json === '' ? block : finishServerBlock(block, json);
  if (block.type !== 'tool_use') return block;
  const input = parseJson(json);
  return input === undefined ? null : { ...block, input };
}

/** The input of a server's own call streams like that of any other. */
function finishServerBlock(kept: Extract<AssistantBlock, { type: 'server' }>, json: string): AssistantBlock {
  const input = parseJson(json);
  return input === undefined ? kept : { type: 'server', block: { ...kept.block, input } };
}

function parseJson(text: string): JsonValue | undefined {
  try {
    const value: JsonValue = JSON.parse(text);
    return isNestedTooDeep(value) ? undefined : value;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
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
function mergeUsage(usage: Usage, api: ApiUsage | null | undefined): Usage {
  const count = (told: unknown, before: number): number =>
    typeof told === 'number' && Number.isSafeInteger(told) && told >= 0 ? told : before;
  return {
    inputTokens: count(api?.input_tokens, usage.inputTokens),
    outputTokens: count(api?.output_tokens, usage.outputTokens),
    cacheReadTokens: count(api?.cache_read_input_tokens, usage.cacheReadTokens),
    cacheWriteTokens: count(api?.cache_creation_input_tokens, usage.cacheWriteTokens),
  };
}
