// The rehearsal model: a script behind the Messages API, in this process, for use without a key. It is reached by
// giving its `fetch` to the same SDK client that speaks to a real server.
import { z } from 'zod';
import { replyTo } from './reply';
import { RehearsalRequest } from './request';
import { abortError, estimateTokens, eventStream, eventsOf, messageOf } from './stream';

/** Id and name of the one model that this server offers. */
const modelId = 'rehearsal';
const modelLabel = 'Rehearsal (scripted)';

/** Pause between two pieces of a stream, in milliseconds: quick to read, slow enough to see it and to stop it. */
const usualPieceDelayMs = 8;

/**
 * Makes a `fetch` that answers `POST …/v1/messages` (streamed or whole) and `GET …/v1/models` from a script.
 * The same conversation always gets the same words and calls; only the ids are new each time, as from a server.
 * Rejects with an AbortError when the signal has fired; any other request gets an error in the API's form.
 */
export function createRehearsalFetch(options: { readonly pieceDelayMs?: number } = {}): typeof globalThis.fetch {
  const pieceDelayMs = options.pieceDelayMs ?? usualPieceDelayMs;
  return async (input, init) => {
    const request = new Request(input, init);
    const signal = init?.signal ?? (input instanceof Request ? input.signal : null);
    if (signal?.aborted) throw abortError();
    const path = new URL(request.url).pathname;
    if (request.method === 'GET' && path.endsWith('/v1/models')) return json(200, modelList());
    if (request.method === 'POST' && path.endsWith('/v1/messages'))
      return answer({ body: await request.text(), pieceDelayMs, signal });
    return failure(404, 'not_found_error', `The rehearsal model does not serve ${request.method} ${path}.`);
  };
}

function answer(options: {
  readonly body: string;
  readonly pieceDelayMs: number;
  readonly signal: AbortSignal | null;
}) {
  const { body, pieceDelayMs, signal } = options;
  const request = RehearsalRequest.safeParse(parseJson(body));
  if (!request.success) return failure(400, 'invalid_request_error', z.prettifyError(request.error));
  const { model, stream } = request.data;
  const wire = { reply: replyTo(request.data), model, inputTokens: estimateTokens(body.length) };
  if (!stream) return json(200, messageOf(wire));
  return new Response(eventStream({ events: eventsOf(wire), pieceDelayMs, signal }), {
    headers: { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' },
  });
}

function modelList() {
  return {
    data: [{ type: 'model', id: modelId, display_name: modelLabel, created_at: '2026-01-01T00:00:00Z' }],
    has_more: false,
    first_id: modelId,
    last_id: modelId,
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function json(status: number, value: unknown): Response {
  return new Response(JSON.stringify(value), { status, headers: { 'content-type': 'application/json' } });
}

function failure(status: number, type: string, message: string): Response {
  return json(status, { type: 'error', error: { type, message } });
}
