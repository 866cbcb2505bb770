// One entry of the conversation and what the Messages API gets of it.
import type Anthropic from '@anthropic-ai/sdk';
import type { AssistantBlock, ResultBlock } from '#shared/session/events';
import { textOf } from '#shared/session/reduce';

export type ContentBlockParam = Anthropic.Messages.ContentBlockParam;
type ToolResultBlockParam = Anthropic.Messages.ToolResultBlockParam;

/** Characters that make about one token; an image counts as many characters as its tokens would. */
export const charsPerToken = 3.5;
const imageChars = 1_600 * charsPerToken;

export interface CallResult {
  readonly content: readonly ResultBlock[];
  readonly isError: boolean;
}

/** What a person or a hook said. */
export interface TextEntry {
  readonly kind: 'person' | 'context';
  readonly seq: number;
  readonly text: string;
}

export interface SentBlock {
  readonly block: AssistantBlock;
  /** A call's id as the model is told it: the provider's own, made unique over the conversation. */
  readonly sentId: string;
}

export interface AssistantEntry {
  readonly kind: 'assistant';
  readonly seq: number;
  readonly messageId: string;
  readonly blocks: Map<number, SentBlock>;
  readonly results: Map<number, CallResult>;
  stopReason: string | null;
  /** The newest event that belongs to it. */
  lastSeq: number;
  built: Built | null;
}

export type Entry = TextEntry | AssistantEntry;

/** What an assistant message becomes; kept until an event changes it. */
export interface Built {
  readonly own: readonly ContentBlockParam[];
  /** One result per call in call order, then what goes beside them. */
  readonly answers: readonly ContentBlockParam[];
}

/**
 * Stop reasons of messages that the model must not see: a refusal's output is to be thrown away, and a message that was
 * asked for again is told in its second form only.
 */
export const askedAgain = 'asked_again';
const discarded: ReadonlySet<string> = new Set(['refusal', askedAgain]);

export function isDiscarded(entry: AssistantEntry): boolean {
  return entry.stopReason !== null && discarded.has(entry.stopReason);
}

const missingResult: CallResult = {
  content: [{ type: 'text', text: 'Interrupted: this call has no result.' }],
  isError: true,
};

export function build(entry: AssistantEntry): Built {
  if (entry.built !== null) return entry.built;
  const own: ContentBlockParam[] = [];
  const results: ContentBlockParam[] = [];
  const beside: ContentBlockParam[] = [];
  for (const [index, { block, sentId }] of inOrder(entry)) {
    const param = toParam(block, sentId);
    if (param !== null) own.push(param);
    if (block.type !== 'tool_use') continue;
    const result = entry.results.get(index) ?? missingResult;
    results.push(toToolResult(sentId, result));
    if (result.isError) beside.push(...imagesOf(result));
  }
  entry.built = { own, answers: [...results, ...beside] };
  return entry.built;
}

export function inOrder(entry: AssistantEntry): readonly (readonly [number, SentBlock])[] {
  return [...entry.blocks].sort(([a], [b]) => a - b);
}

/** Null for what the API would refuse: blank text, and thinking that nobody signed. */
function toParam(block: AssistantBlock, sentId: string): ContentBlockParam | null {
  switch (block.type) {
    case 'text':
      return block.text.trim() === '' ? null : block;
    case 'thinking':
      return block.signature === '' ? null : block;
    case 'redacted_thinking':
      return block;
    case 'tool_use':
      return { type: 'tool_use', id: sentId, name: sentName(block.name), input: sentInput(block.input) };
    case 'server':
      return serverBlock(block.block);
  }
}

/** Models invent names that the API refuses to take back. */
function sentName(name: string): string {
  return name.replaceAll(/[^a-zA-Z0-9_-]/g, '_').slice(0, 64) || 'unnamed';
}

/** The API takes objects only; anything else a model wrote as input goes back as one. */
function sentInput(input: Extract<AssistantBlock, { type: 'tool_use' }>['input']): object {
  return typeof input === 'object' && input !== null && !Array.isArray(input) ? input : { INVALID_JSON: input };
}

/** Came from the API and goes back unchanged; its shape is the API's business. */
function serverBlock(block: unknown): ContentBlockParam {
  return block as ContentBlockParam;
}

/** An error result carries text only; its images go beside it. */
function toToolResult(toolUseId: string, result: CallResult): ToolResultBlockParam {
  const content = result.content
    .filter((block) => (block.type === 'text' ? block.text.trim() !== '' : !result.isError))
    .map(toResultPart);
  return {
    type: 'tool_result',
    tool_use_id: toolUseId,
    content,
    ...(result.isError ? { is_error: true } : {}),
  };
}

function toResultPart(block: ResultBlock) {
  switch (block.type) {
    case 'text':
      return { type: 'text' as const, text: block.text };
    case 'image':
      return toImage(block);
    case 'tool_reference':
      return { type: 'tool_reference' as const, tool_name: block.name };
  }
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

/** Characters of a result as the model is charged for it. */
export function resultChars(content: readonly ResultBlock[]): number {
  const charsOf = (block: ResultBlock): number => {
    if (block.type === 'text') return block.text.length;
    // What a reference brings is counted where the API counts the whole request.
    return block.type === 'image' ? imageChars : 0;
  };
  return content.reduce((sum, block) => sum + charsOf(block), 0);
}

/** Characters of an entry, for estimates. */
export function entryChars(entry: Entry): number {
  if (entry.kind !== 'assistant') return entry.text.length;
  let chars = 0;
  for (const { block } of entry.blocks.values()) {
    chars += block.type === 'text' ? block.text.length : JSON.stringify(block).length;
  }
  for (const { content } of entry.results.values()) chars += resultChars(content);
  return chars;
}

/** A result's text, images named. */
export function textOfResult(result: CallResult): string {
  return textOf(result.content);
}
