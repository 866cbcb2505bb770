import { createServer } from 'node:http';
import { expect, test } from 'vitest';
import { createAnthropicClient, readStream } from './anthropic';
import type { ModelEvent } from './client';
import { ModelFailure } from './client';

type Raw = Parameters<typeof readStream>[0] extends AsyncIterable<infer Event> ? Event : never;

async function* from(events: readonly object[]): AsyncIterable<Raw> {
  for (const event of events) {
    await Promise.resolve();
    yield event as Raw;
  }
}

async function collect(events: readonly object[]): Promise<ModelEvent[]> {
  const out: ModelEvent[] = [];
  for await (const event of readStream(from(events))) out.push(event);
  return out;
}

const start = { type: 'message_start', message: { usage: { input_tokens: 7, output_tokens: 1 } } };
const toolStart = (index: number) => ({
  type: 'content_block_start',
  index,
  content_block: { type: 'tool_use', id: 'u1', name: 'Bash', input: {} },
});
const json = (index: number, text: string) => ({
  type: 'content_block_delta',
  index,
  delta: { type: 'input_json_delta', partial_json: text },
});
const stop = (index: number) => ({ type: 'content_block_stop', index });
const end = (reason: string) => [
  { type: 'message_delta', delta: { stop_reason: reason }, usage: { output_tokens: 9 } },
  { type: 'message_stop' },
];
const finished = (stopReason: string) => ({
  type: 'finished',
  stopReason,
  usage: { inputTokens: 7, outputTokens: 9, cacheReadTokens: 0, cacheWriteTokens: 0 },
});
const call = (input: object, cutOff: boolean) => ({
  type: 'block',
  index: 0,
  block: { type: 'tool_use', id: 'u1', name: 'Bash', input },
  cutOff,
});

test.each([
  [
    'fragments are joined and parsed',
    [json(0, '{"comm'), json(0, 'and":"ls"}')],
    'tool_use',
    call({ command: 'ls' }, false),
  ],
  ['no fragment at all is an empty object', [], 'tool_use', call({}, false)],
  ['input cut off by the limit must not run', [json(0, '{"command":"rm -rf /tm')], 'max_tokens', call({}, true)],
  ['an empty input at the limit must not run', [], 'max_tokens', call({}, true)],
  ['broken JSON must not run', [json(0, '{"command":')], 'tool_use', call({}, true)],
])('tool input: %s', async (_name, deltas, reason, expected) => {
  expect(await collect([start, toolStart(0), ...deltas, stop(0), ...end(reason)])).toEqual([
    expected,
    finished(reason),
  ]);
});

test('a whole call is handed on before the message has ended', async () => {
  const seen: string[] = [];
  const events = readStream(from([start, toolStart(0), json(0, '{}'), stop(0), { type: 'ping' }, ...end('tool_use')]));
  for await (const event of events) seen.push(event.type);
  expect(seen).toEqual(['block', 'finished']);
});

test('text and thinking stream as deltas and end as blocks; unknown blocks are passed over', async () => {
  const events = await collect([
    start,
    { type: 'content_block_start', index: 0, content_block: { type: 'thinking', thinking: '', signature: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: 'hm' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'signature_delta', signature: 'sig' } },
    stop(0),
    {
      type: 'content_block_start',
      index: 1,
      content_block: { type: 'server_tool_use', id: 's', name: 'x', input: {} },
    },
    stop(1),
    { type: 'content_block_start', index: 2, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 2, delta: { type: 'text_delta', text: 'Hi' } },
    stop(2),
    { type: 'something_new' },
    ...end('end_turn'),
  ]);
  expect(events).toEqual([
    { type: 'delta', index: 0, kind: 'thinking', text: 'hm' },
    { type: 'block', index: 0, block: { type: 'thinking', thinking: 'hm', signature: 'sig' }, cutOff: false },
    { type: 'delta', index: 2, kind: 'text', text: 'Hi' },
    { type: 'block', index: 2, block: { type: 'text', text: 'Hi' }, cutOff: false },
    finished('end_turn'),
  ]);
});

test('a stream that ends without message_stop is a failure, not an answer', async () => {
  await expect(collect([start, toolStart(0)])).rejects.toThrow('the stream ended before the message did');
});

async function failureOf(answer: { status: number; headers?: Record<string, string>; body: string }) {
  const server = createServer((_request, response) => {
    response.writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers });
    response.end(answer.body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const client = createAnthropicClient({ apiKey: 'k', baseUrl: `http://127.0.0.1:${port}`, scripted: false });
  const signal = new AbortController().signal;
  try {
    for await (const _event of client.stream({ model: 'm', system: 's', tools: [], messages: [], signal })) break;
    return null;
  } catch (error) {
    if (!(error instanceof ModelFailure)) throw error;
    return {
      retryable: error.retryable,
      retryAfterMs: error.retryAfterMs,
      says: error.message.replace(/http:\S+/, 'URL'),
    };
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

const apiError = (message: string) => JSON.stringify({ type: 'error', error: { type: 'x', message } });

test.each([
  [401, {}, false, null, 'URL refused the API key (401: nope).'],
  [404, {}, false, null, 'URL does not know this model or address (404: nope).'],
  [429, { 'retry-after': '3' }, true, 3_000, 'URL limits requests for this key (429: nope).'],
  [429, { 'retry-after': 'soon' }, true, null, 'URL limits requests for this key (429: nope).'],
  [429, { 'retry-after': '86400' }, true, 120_000, 'URL limits requests for this key (429: nope).'],
  [529, {}, true, null, 'URL is overloaded (529).'],
  [500, {}, true, null, 'URL answered 500: nope.'],
  [400, {}, false, null, 'URL answered 400: nope.'],
])('status %i with %o', async (status, headers, retryable, retryAfterMs, says) => {
  expect(await failureOf({ status, headers, body: apiError('nope.') })).toEqual({ retryable, retryAfterMs, says });
});
