// A reply as the Messages API sends it: one JSON message, or server-sent events in small pieces.
import { randomUUID } from 'node:crypto';
import type { Reply, ReplyBlock } from './reply';

/** At most this many pieces for one tool input, so that a long file does not take minutes to "stream". */
const mostInputPieces = 40;
/** Long texts go out by several words at a time, for the same reason. */
const mostTextPieces = 2_000;

interface WireEvent {
  readonly type: string;
  readonly [field: string]: unknown;
}

interface WireOptions {
  readonly reply: Reply;
  readonly model: string;
  /** Estimated tokens of the request. */
  readonly inputTokens: number;
}

/** About four characters make a token; at least one. */
export function estimateTokens(characters: number): number {
  return Math.max(1, Math.ceil(characters / 4));
}

/** The whole message, for requests that do not stream. */
export function messageOf({ reply, model, inputTokens }: WireOptions) {
  return {
    id: newId('msg'),
    type: 'message',
    role: 'assistant',
    model,
    content: reply.blocks.map((block) => (block.type === 'text' ? block : { ...block, id: newId('toolu') })),
    stop_reason: reply.stopReason,
    stop_sequence: null,
    usage: { ...emptyUsage, input_tokens: inputTokens, output_tokens: outputTokens(reply) },
  };
}

/** The events of a streamed message, in order. */
export function* eventsOf({ reply, model, inputTokens }: WireOptions): Generator<WireEvent> {
  const usage = { ...emptyUsage, input_tokens: inputTokens, output_tokens: 1 };
  yield {
    type: 'message_start',
    message: {
      id: newId('msg'),
      type: 'message',
      role: 'assistant',
      model,
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage,
    },
  };
  for (const [index, block] of reply.blocks.entries()) {
    const start =
      block.type === 'text'
        ? { type: 'text', text: '' }
        : { type: 'tool_use', id: newId('toolu'), name: block.name, input: {} };
    yield { type: 'content_block_start', index, content_block: start };
    for (const delta of deltasOf(block)) yield { type: 'content_block_delta', index, delta };
    yield { type: 'content_block_stop', index };
  }
  yield {
    type: 'message_delta',
    delta: { stop_reason: reply.stopReason, stop_sequence: null },
    usage: { ...emptyUsage, input_tokens: inputTokens, output_tokens: outputTokens(reply) },
  };
  yield { type: 'message_stop' };
}

/**
 * Bytes of a server-sent event stream, one event every `pieceDelayMs`. Reading fails with an AbortError once the
 * signal fires, as with a real connection.
 */
export function eventStream(options: {
  readonly events: Iterator<WireEvent>;
  readonly pieceDelayMs: number;
  readonly signal: AbortSignal | null;
}): ReadableStream<Uint8Array> {
  const { events, pieceDelayMs, signal } = options;
  const encoder = new TextEncoder();
  let timer: NodeJS.Timeout | undefined;
  let endPause: () => void = () => undefined;
  let onAbort: () => void = () => undefined;
  const release = (): void => {
    clearTimeout(timer);
    endPause();
    signal?.removeEventListener('abort', onAbort);
  };
  return new ReadableStream<Uint8Array>({
    start(controller) {
      onAbort = () => {
        release();
        controller.error(abortError());
      };
      signal?.addEventListener('abort', onAbort);
    },
    async pull(controller) {
      await new Promise<void>((resolve) => {
        endPause = resolve;
        timer = setTimeout(resolve, pieceDelayMs);
      });
      if (signal?.aborted) return;
      const next = events.next();
      if (next.done) {
        release();
        controller.close();
      } else {
        controller.enqueue(encoder.encode(`event: ${next.value.type}\ndata: ${JSON.stringify(next.value)}\n\n`));
      }
    },
    cancel: release,
  });
}

/** What a stopped request fails with. */
export function abortError(): DOMException {
  return new DOMException('The request was stopped.', 'AbortError');
}

const emptyUsage = { cache_creation_input_tokens: 0, cache_read_input_tokens: 0 };

function* deltasOf(block: ReplyBlock): Generator<WireEvent> {
  if (block.type === 'text') {
    const words = block.text.match(/\s*\S+\s*$|\s*\S+/g) ?? [];
    const together = Math.ceil(words.length / mostTextPieces);
    for (let at = 0; at < words.length; at += together)
      yield { type: 'text_delta', text: words.slice(at, at + together).join('') };
    return;
  }
  const json = JSON.stringify(block.input);
  const size = Math.max(12, Math.ceil(json.length / mostInputPieces));
  for (let at = 0; at < json.length; at += size)
    yield { type: 'input_json_delta', partial_json: json.slice(at, at + size) };
}

function outputTokens(reply: Reply): number {
  const characters = reply.blocks.reduce(
    (sum, block) => sum + (block.type === 'text' ? block.text.length : JSON.stringify(block.input).length),
    0,
  );
  return estimateTokens(characters);
}

function newId(kind: 'msg' | 'toolu'): string {
  return `${kind}_${randomUUID().replaceAll('-', '')}`;
}
