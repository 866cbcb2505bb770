import { createServer, type Server } from 'node:http';
import { afterEach, expect, it } from 'vitest';
import { boundedFetch, type StreamEnd } from './boundedFetch';

let server: Server | null = null;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

/** Starts a server that answers with pieces until nobody reads any more; `how`: how it ends then. */
async function serve(about: {
  readonly type: string;
  readonly piece: string;
  readonly pieces: number;
  readonly how: 'end' | 'cut';
}): Promise<string> {
  const { type, piece, pieces, how } = about;
  const made = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': type });
    let sent = 0;
    const pump = (): void => {
      while (sent < pieces) {
        sent += 1;
        if (!response.write(piece)) {
          response.once('drain', pump);
          return;
        }
      }
      if (how === 'end') response.end();
      else response.write('', () => response.destroy());
    };
    pump();
  });
  server = made;
  await new Promise<void>((resolve) => made.listen(0, '127.0.0.1', resolve));
  const address = made.address();
  return `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}/`;
}

const megabyte = 'x'.repeat(1_000_000);

it.each([
  ['an answer without end', { type: 'application/json', piece: megabyte, pieces: 1_000 }],
  ['an event without end', { type: 'text/event-stream', piece: megabyte, pieces: 1_000 }],
])('stops %s', async (_what, answer) => {
  const url = await serve({ ...answer, how: 'end' });
  const response = await boundedFetch(fetch, () => undefined)(url);
  await expect(response.text()).rejects.toThrow('more than 16 MB at once');
});

it('lets through many events that are each small, and answers that fit', async () => {
  const url = await serve({ type: 'text/event-stream', piece: `data: ${megabyte}\n\n`, pieces: 40, how: 'end' });
  expect((await (await boundedFetch(fetch, () => undefined)(url)).text()).length).toBe(40 * 1_000_008);
});

it.each([
  ['GET', 'end', [{ method: 'GET', broken: false }]],
  ['POST', 'end', [{ method: 'POST', broken: false }]],
  ['POST', 'cut', [{ method: 'POST', broken: true }]],
] as const)('tells how the stream of a %s ended: %s', async (method, how, expected) => {
  const url = await serve({ type: 'text/event-stream', piece: 'data: 1\n\n', pieces: 1, how });
  const ends: StreamEnd[] = [];
  const response = await boundedFetch(fetch, (end) => ends.push(end))(url, { method });
  await response.text().catch(() => undefined);
  expect(ends).toEqual(expected);
  expect(response.url).toBe(url);
});

it('says nothing of a stream that we end ourselves', async () => {
  const url = await serve({ type: 'text/event-stream', piece: 'data: 1\n\n', pieces: 1_000_000, how: 'end' });
  const ends: StreamEnd[] = [];
  const stop = new AbortController();
  const response = await boundedFetch(fetch, (end) => ends.push(end))(url, { signal: stop.signal });
  const read = expect(response.text()).rejects.toThrow();
  stop.abort();
  await read;
  expect(ends).toEqual([]);
});
