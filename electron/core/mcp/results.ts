// What a tool returned, as blocks for the model.
import { z } from 'zod';
import type { ResultBlock } from '#shared/session/events';
import { isNestedTooDeep } from '#shared/util/nesting';
import { serverName } from './cleanText';
import { isFields } from './toolSchema';

/** An answer to `tools/call`, as lenient as servers are careless. */
export const CallAnswer = z.looseObject({
  content: z.array(z.unknown()).optional(),
  structuredContent: z.unknown().optional(),
  isError: z.boolean().optional(),
});
export type CallAnswer = z.infer<typeof CallAnswer>;

export const ResourceAnswer = z.looseObject({ contents: z.array(z.unknown()) });

/** Blocks of one result; more are counted. */
const maxBlocks = 500;
/** Images that the model can look at, and how big they may be in characters of base64. */
const imageTypes = new Set(['image/jpeg', 'image/png', 'image/gif', 'image/webp']);
const maxImageChars = 5_000_000;
const maxImages = 20;

const text = (value: string): ResultBlock => ({ type: 'text', text: value.replaceAll(/\0|\p{Cs}/gu, '') });

function bytesOf(base64: string): string {
  return `${Math.round((base64.length * 3) / 4).toLocaleString('en')} bytes`;
}

function binary(kind: string, mediaType: unknown, data: string): ResultBlock {
  const type = serverName(mediaType, 100) || 'unknown type';
  if (imageTypes.has(type) && data.length <= maxImageChars && /^[A-Za-z0-9+/]+={0,2}$/.test(data))
    return { type: 'image', mediaType: type, base64: data };
  return text(`[${kind} of ${type}, ${bytesOf(data)}: not shown]`);
}

function resource(value: unknown): ResultBlock {
  if (!isFields(value)) return text('[a resource without content]');
  const uri = serverName(value.uri, 500);
  if (typeof value.text === 'string') return text(`[resource ${uri}]\n${value.text}`);
  if (typeof value.blob === 'string') return binary(`resource ${uri}`, value.mimeType, value.blob);
  return text(`[resource ${uri} without content]`);
}

function block(value: unknown): ResultBlock {
  if (!isFields(value)) return text('[content of an unknown kind]');
  if (value.type === 'text' && typeof value.text === 'string') return text(value.text);
  if (value.type === 'image' && typeof value.data === 'string') return binary('image', value.mimeType, value.data);
  if (value.type === 'audio' && typeof value.data === 'string') return binary('audio', value.mimeType, value.data);
  if (value.type === 'resource') return resource(value.resource);
  if (value.type === 'resource_link')
    return text(`[link to the resource ${serverName(value.uri, 500)}: ${serverName(value.name)}]`);
  return text(`[content of the unknown kind ${serverName(value.type, 40)}]`);
}

function bounded(blocks: readonly ResultBlock[]): readonly ResultBlock[] {
  let images = 0;
  const kept = blocks.slice(0, maxBlocks).map((one) => {
    if (one.type !== 'image') return one;
    images += 1;
    return images > maxImages ? text(`[image of ${one.mediaType}: not shown, too many images]`) : one;
  });
  const over = blocks.length - kept.length;
  return over === 0 ? kept : [...kept, text(`[${over} more blocks were left out]`)];
}

/** Blocks of a call's answer. Structured content is told as JSON where there is no text that says it. */
export function blocksOf(answer: CallAnswer): readonly ResultBlock[] {
  const blocks = bounded((answer.content ?? []).slice(0, maxBlocks * 2).map(block));
  const { structuredContent } = answer;
  const said = blocks.some((one) => one.type === 'text');
  if (structuredContent === undefined || said)
    return blocks.length > 0 ? blocks : [text('(the tool returned nothing)')];
  if (isNestedTooDeep(structuredContent)) return [text('[structured content, nested too deep to be shown]'), ...blocks];
  return [text(JSON.stringify(structuredContent, null, 2)), ...blocks];
}

/** Blocks of a resource that was read. */
export function resourceBlocks(contents: readonly unknown[]): readonly ResultBlock[] {
  const blocks = bounded(contents.slice(0, maxBlocks * 2).map(resource));
  return blocks.length > 0 ? blocks : [text('(the resource is empty)')];
}

/** Text blocks joined. */
export function textOf(blocks: readonly ResultBlock[]): string {
  return blocks
    .map((one) => (one.type === 'image' ? `[image of ${one.mediaType}]` : 'text' in one ? one.text : ''))
    .join('\n');
}
