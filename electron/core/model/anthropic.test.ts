import { createServer } from 'node:http';
import { expect, test } from 'vitest';
import { createAnthropicClient, isFirstParty, takesReferences } from './anthropic';
import type { ModelEvent } from './client';
import { ModelFailure } from './client';
import { readStream } from './messageStream';

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

test("a server's own call and result are kept as they came; their streamed input is put in", async () => {
  const result = { type: 'web_search_tool_result', tool_use_id: 'srvtoolu_1', content: [{ url: 'u', new_field: 1 }] };
  const events = await collect([
    start,
    {
      type: 'content_block_start',
      index: 0,
      content_block: { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: {} },
    },
    json(0, '{"query":'),
    json(0, '"tides"}'),
    stop(0),
    { type: 'content_block_start', index: 1, content_block: result },
    stop(1),
    ...end('end_turn'),
  ]);
  const use = { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: { query: 'tides' } };
  expect(events).toEqual([
    { type: 'block', index: 0, block: { type: 'server', block: use }, cutOff: false },
    { type: 'block', index: 1, block: { type: 'server', block: result }, cutOff: false },
    finished('end_turn'),
  ]);
});

test('a call whose block was never stopped must not run; text without a stop is kept', async () => {
  const events = await collect([
    start,
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: 'Hal' } },
    toolStart(1),
    json(1, '{}'),
    ...end('tool_use'),
  ]);
  expect(events).toEqual([
    { type: 'block', index: 0, block: { type: 'text', text: 'Hal' }, cutOff: false },
    { type: 'block', index: 1, block: { type: 'tool_use', id: 'u1', name: 'Bash', input: {} }, cutOff: true },
    finished('tool_use'),
  ]);
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
      content_block: { type: 'hologram', id: 's', name: 'x', input: {} },
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
      kind: error.kind,
      retryable: error.retryable,
      retryAfterMs: error.retryAfterMs,
      says: error.message.replace(/http:\S+/, 'URL'),
    };
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

/** A server that breaks the connection, before or after the first event of its answer. */
async function failureOfReset(after: 'nothing' | 'start') {
  const server = createServer((request, response) => {
    if (after === 'nothing') {
      request.socket.destroy();
      return;
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(`event: message_start\ndata: ${JSON.stringify(start)}\n\n`, () => request.socket.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const client = createAnthropicClient({ apiKey: 'k', baseUrl: `http://127.0.0.1:${port}`, scripted: false });
  const signal = new AbortController().signal;
  try {
    for await (const _event of client.stream({ model: 'm', system: 's', tools: [], messages: [], signal }));
    return null;
  } catch (error) {
    return error instanceof ModelFailure ? error.retryable : error;
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

test.each(['nothing', 'start'] as const)('a connection that breaks after %s may be tried again', async (after) => {
  expect(await failureOfReset(after)).toBe(true);
});

const apiError = (message: string) => JSON.stringify({ type: 'error', error: { type: 'x', message } });

const tooLong = 'prompt is too long: 210000 tokens > 200000 maximum';

test.each([
  [401, {}, 'nope.', 'authentication_failed', false, null, 'URL refused the API key (401: nope).'],
  [402, {}, 'nope.', 'billing_error', false, null, 'URL refused because of billing (402: nope).'],
  [404, {}, 'nope.', 'invalid_request', false, null, 'URL does not know this model or address (404: nope).'],
  [429, { 'retry-after': '3' }, 'nope.', 'rate_limit', true, 3_000, 'URL limits requests for this key (429: nope).'],
  [429, { 'retry-after': 'soon' }, 'nope.', 'rate_limit', true, null, 'URL limits requests for this key (429: nope).'],
  [
    429,
    { 'retry-after': '86400' },
    'nope.',
    'rate_limit',
    true,
    120_000,
    'URL limits requests for this key (429: nope).',
  ],
  [
    429,
    { 'retry-after': 'Fri, 01 Jan 2999 00:00:00 GMT' },
    'too many tokens',
    'rate_limit',
    true,
    120_000,
    'URL limits requests for this key (429: too many tokens).',
  ],
  [529, {}, 'nope.', 'server_error', true, null, 'URL is overloaded (529).'],
  [500, {}, 'nope.', 'server_error', true, null, 'URL answered 500: nope.'],
  [408, {}, 'nope.', 'invalid_request', true, null, 'URL answered 408: nope.'],
  [400, {}, 'nope.', 'invalid_request', false, null, 'URL answered 400: nope.'],
  [400, {}, tooLong, 'context_exceeded', false, null, `The conversation is too long for URL (${tooLong}).`],
  [413, {}, 'nope.', 'context_exceeded', false, null, 'The conversation is too long for URL (nope).'],
])('status %i with %o and %j', async (status, headers, said, kind, retryable, retryAfterMs, says) => {
  expect(await failureOf({ status, headers, body: apiError(said) })).toEqual({ kind, retryable, retryAfterMs, says });
});

test.each([
  ['overloaded_error', 'busy', { kind: 'server_error', retryable: true }],
  ['invalid_request_error', 'bad', { kind: 'invalid_request', retryable: false }],
  ['invalid_request_error', tooLong, { kind: 'context_exceeded', retryable: false }],
  ['rate_limit_error', 'too many tokens', { kind: 'server_error', retryable: true }],
])('an error event within the stream: %s, %s', async (type, said, expected) => {
  const body = `event: error\ndata: ${JSON.stringify({ type: 'error', error: { type, message: said } })}\n\n`;
  expect(await failureOf({ status: 200, headers: { 'content-type': 'text/event-stream' }, body })).toMatchObject(
    expected,
  );
});

test.each([
  ['claude-sonnet-4-5', true],
  ['claude-sonnet-4-20250514', true],
  ['claude-opus-4-1-20250805', true],
  ['claude-opus-5', true],
  ['claude-haiku-4-5', false],
  ['claude-3-opus-20240229', false],
  ['claude-3-7-sonnet-latest', false],
  ['claude-sonnet-20250514', false],
  ['qwen3-coder', false],
])('%s takes references to tools: %s', (model, expected) => {
  expect(takesReferences(model)).toBe(expected);
});

test.each([
  ['', true],
  ['https://api.anthropic.com', true],
  ['https://api.anthropic.com/v1', true],
  ['https://api.anthropic.com.example.org', false],
  ['http://127.0.0.1:8080', false],
  ['nonsense', false],
])('%j is first-party: %s', (baseUrl, expected) => {
  expect(isFirstParty(baseUrl)).toBe(expected);
});

test('tools are brought by the first-party API, and elsewhere only on the word of the person', () => {
  const brings = (baseUrl: string, more: { passesReferences?: boolean; scripted?: boolean } = {}) =>
    createAnthropicClient({ apiKey: 'k', baseUrl, scripted: false, ...more }).bringsTools?.('claude-sonnet-4-5');
  expect([
    brings(''),
    brings('http://127.0.0.1:1'),
    brings('http://127.0.0.1:1', { passesReferences: true }),
    brings('', { scripted: true }),
  ]).toEqual([true, false, true, false]);
});

test('a server counts the tokens of a request; the scripted model does not', async () => {
  const bodies: unknown[] = [];
  const server = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk: Buffer) => {
      text += chunk.toString();
    });
    request.on('end', () => {
      bodies.push([request.url, JSON.parse(text)]);
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ input_tokens: 42 }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const baseUrl = `http://127.0.0.1:${port}`;
  const client = createAnthropicClient({ apiKey: 'k', baseUrl, scripted: false });
  const messages = [{ role: 'user' as const, content: 'Begin.' }];
  const signal = new AbortController().signal;
  expect(await client.countTokens?.({ model: 'm', system: 's', tools: [], messages, signal })).toBe(42);
  expect(bodies).toEqual([['/v1/messages/count_tokens', { model: 'm', system: 's', messages }]]);
  await new Promise((resolve) => server.close(resolve));
  await expect(client.countTokens?.({ model: 'm', system: 's', tools: [], messages, signal })).rejects.toThrow(
    ModelFailure,
  );
  expect(createAnthropicClient({ apiKey: 'k', baseUrl, scripted: true }).countTokens).toBeUndefined();
});
