// Blocks of messages and results in the shapes that a session has.
import type { AssistantBlock, ResultBlock, Usage } from '#shared/session/events';
import type { JsonValue } from '#shared/util/json';
import { afterPair, beforePair } from '#shared/util/pairs';
import { boundInput, isRecord } from '../history/import/boundInput';
import { countOf, type Fields, stringOf } from './line';

/** Longer texts are cut in the middle: nobody reads them whole, and a page must hold them. */
const maxTextChars = 400_000;
const maxImageChars = 8_000_000;
const mediaTypes: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);
/** Names and ids are never longer. */
const maxNameChars = 200;

/** What was not taken over, by name. */
export type LeftOut = Map<string, number>;

export function leaveOut(leftOut: LeftOut, what: string, count = 1): void {
  if (count > 0) leftOut.set(what, (leftOut.get(what) ?? 0) + count);
}

/** Head and tail of a text that is too long. */
export function bounded(text: string, max = maxTextChars): string {
  if (text.length <= max) return text;
  const head = text.slice(0, beforePair(text, Math.floor(max * 0.7)));
  const tail = text.slice(afterPair(text, text.length - Math.floor(max * 0.3)));
  const between = text.length - head.length - tail.length;
  return `${head}\n[… ${between.toLocaleString('en-US')} characters …]\n${tail}`;
}

/** Null for what is none, or of a kind that is not known. */
export function assistantBlock(block: Fields): AssistantBlock | null {
  switch (block.type) {
    case 'text':
      return typeof block.text === 'string' ? { type: 'text', text: bounded(block.text) } : null;
    case 'thinking':
      // A signature is only good for the very text.
      return typeof block.thinking === 'string' && block.thinking.length <= maxTextChars
        ? { type: 'thinking', thinking: block.thinking, signature: stringOf(block.signature) }
        : null;
    case 'redacted_thinking':
      return typeof block.data === 'string' ? { type: 'redacted_thinking', data: block.data } : null;
    case 'tool_use':
      return isName(block.id) && isName(block.name)
        ? { type: 'tool_use', id: block.id, name: block.name, input: inputOf(block.input) }
        : null;
    default: {
      const type = stringOf(block.type);
      const server = /^(?:server_tool_use|mcp_tool_use|[a-z_]+_tool_result)$/.test(type) ? jsonObject(block) : null;
      return server === null ? null : { type: 'server', block: server };
    }
  }
}

/** What the model got for a call. */
export function resultBlocks(content: unknown, leftOut: LeftOut): ResultBlock[] {
  if (typeof content === 'string') return [{ type: 'text', text: bounded(content) }];
  if (!Array.isArray(content)) return [];
  return content.flatMap((block: unknown): ResultBlock[] => {
    if (typeof block === 'string') return [{ type: 'text', text: bounded(block) }];
    if (!isRecord(block)) return [];
    if (block.type === 'text' && typeof block.text === 'string') return [{ type: 'text', text: bounded(block.text) }];
    if (block.type === 'image') {
      const image = imageOf(block);
      if (image !== null) return [image];
      leaveOut(leftOut, 'images');
      return [{ type: 'text', text: '[An image that cannot be shown]' }];
    }
    if (block.type === 'tool_reference' && isName(block.tool_name))
      return [{ type: 'tool_reference', name: block.tool_name }];
    leaveOut(leftOut, 'parts of results of an unknown kind');
    return [];
  });
}

function imageOf(block: Fields): Extract<ResultBlock, { type: 'image' }> | null {
  const { source } = block;
  if (!isRecord(source) || source.type !== 'base64') return null;
  const { media_type: mediaType, data } = source;
  if (typeof mediaType !== 'string' || !mediaTypes.has(mediaType) || typeof data !== 'string') return null;
  if (data.length > maxImageChars || !/^[A-Za-z0-9+/=\s]*$/.test(data)) return null;
  return { type: 'image', mediaType, base64: data };
}

export function usageOf(usage: Fields | null): Usage {
  return {
    inputTokens: countOf(usage?.input_tokens),
    outputTokens: countOf(usage?.output_tokens),
    cacheReadTokens: countOf(usage?.cache_read_input_tokens),
    cacheWriteTokens: countOf(usage?.cache_creation_input_tokens),
  };
}

/** An input as JSON; empty where it is none. */
export function inputOf(value: unknown): Record<string, JsonValue> {
  const input = boundInput(value);
  return (input === null ? null : jsonObject(input)) ?? {};
}

/** What was parsed from JSON is JSON. */
function jsonObject(value: Fields): Record<string, JsonValue> | null {
  const entries: [string, JsonValue][] = [];
  for (const [key, member] of Object.entries(value)) {
    const json = jsonOf(member, 0);
    if (json !== undefined && key !== '__proto__') entries.push([key, json]);
  }
  return entries.length === 0 && Object.keys(value).length > 0 ? null : Object.fromEntries(entries);
}

function jsonOf(value: unknown, depth: number): JsonValue | undefined {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  if (depth > 50) return undefined;
  if (Array.isArray(value)) return value.flatMap((item) => jsonOf(item, depth + 1) ?? []);
  if (!isRecord(value)) return undefined;
  const entries = Object.entries(value).flatMap(([key, member]): [string, JsonValue][] => {
    const json = jsonOf(member, depth + 1);
    return json === undefined || key === '__proto__' ? [] : [[key, json]];
  });
  return Object.fromEntries(entries);
}

const isName = (value: unknown): value is string =>
  typeof value === 'string' && value !== '' && value.length <= maxNameChars;
