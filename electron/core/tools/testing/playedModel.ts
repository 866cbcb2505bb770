// For tests: a model behind the Messages API whose answers are played; requests are kept as they were sent.
import { createAnthropicClient } from '../../model/anthropic';
import type { ModelClient } from '../../model/client';

/** A block of an answer, as the API names it; text comes in one delta, a server's input as JSON. */
export type PlayedBlock = { readonly type: string; readonly [field: string]: unknown };

export type Play =
  | { readonly blocks: readonly PlayedBlock[]; readonly stop?: string }
  /** An error of the server. */
  | { readonly status: number }
  /** Never answers. */
  | 'silence';

/** As much of a request as tests look at by name. */
export interface SentRequest {
  readonly model: string;
  readonly messages: readonly { readonly content: readonly { readonly text?: string }[] }[];
}

export interface PlayedModel {
  readonly client: ModelClient;
  readonly requests: SentRequest[];
}

/** Plays one answer a request, in order; the last one again and again. */
export function playModel(...plays: readonly Play[]): PlayedModel {
  const requests: SentRequest[] = [];
  const answer: typeof globalThis.fetch = async (_, init) => {
    requests.push(JSON.parse(String(init?.body)) as SentRequest);
    const play = plays[Math.min(requests.length, plays.length) - 1];
    if (play === 'silence' || play === undefined) return await hanging(init?.signal);
    if ('status' in play)
      return new Response(JSON.stringify({ type: 'error', error: { type: 'api_error', message: 'no' } }), {
        status: play.status,
      });
    const text = eventsOf(play).map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
    return new Response(text.join(''), { headers: { 'content-type': 'text/event-stream' } });
  };
  return {
    client: createAnthropicClient({ apiKey: 'k', baseUrl: '', fetch: answer, scripted: false }),
    requests,
  };
}

function hanging(signal: AbortSignal | null | undefined): Promise<Response> {
  return new Promise((_, reject) => {
    signal?.addEventListener('abort', () => reject(signal.reason));
  });
}

function eventsOf({ blocks, stop = 'end_turn' }: Extract<Play, { blocks: unknown }>): PlayedBlock[] {
  const usage = { input_tokens: 1, output_tokens: 1 };
  return [
    { type: 'message_start', message: { usage } },
    ...blocks.flatMap((block, index): PlayedBlock[] => {
      const { text, input } = block;
      const start = {
        ...block,
        ...(text === undefined ? {} : { text: '' }),
        ...(input === undefined ? {} : { input: {} }),
      };
      const delta =
        text === undefined
          ? { type: 'input_json_delta', partial_json: JSON.stringify(input) }
          : { type: 'text_delta', text };
      return [
        { type: 'content_block_start', index, content_block: start },
        ...(text === undefined && input === undefined ? [] : [{ type: 'content_block_delta', index, delta }]),
        { type: 'content_block_stop', index },
      ];
    }),
    { type: 'message_delta', delta: { stop_reason: stop }, usage },
    { type: 'message_stop' },
  ];
}
