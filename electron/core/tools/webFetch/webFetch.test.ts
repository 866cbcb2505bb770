// WebFetch through the real executor, against servers of the test on loopback.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { OperationAnswers } from '#shared/api/executor';
import { createRegistry } from '../registry';
import { pdfOf } from '../testing/pdfFile';
import { type Outcome, type RealExecutor, startRealExecutor } from '../testing/realExecutor';
import { recordCall } from '../testing/recordingExecutor';
import { samplePlace } from '../testing/samplePlace';
import { type AnyTool, ToolFailure } from '../tool';
import type { AskPage, PageQuestion } from './pageReader';
import { createWebFetchTool, type WebFetchOptions } from './webFetch';

let real: RealExecutor;
beforeAll(async () => {
  real = await startRealExecutor();
}, 60_000);
afterAll(() => real.dispose());

const servers: Server[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

/** A server of the test; answers with its address and the paths that were asked for. */
async function serve(
  answer: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<{ readonly base: string; readonly asked: string[] }> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? '');
    answer(request, response);
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no port.');
  return { base: `http://127.0.0.1:${address.port}`, asked };
}

const html = (body: string, head = ''): ((_: IncomingMessage, response: ServerResponse) => void) => {
  const text = `<!doctype html><html><head><title>A page</title>${head}</head><body>${body}</body></html>`;
  return (_, response) => response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(text);
};

function toolWith(options: WebFetchOptions = {}): AnyTool {
  const found = createRegistry({ tools: [createWebFetchTool(options)] }).find('WebFetch');
  if (!found.found) throw new Error(found.message);
  return found.tool;
}

const fetchWith = (tool: AnyTool, url: string): Promise<Outcome> =>
  real.call(tool, { url, prompt: 'What does it say?' });

function textOf(outcome: Outcome): string {
  if (outcome.kind !== 'succeeded') return `${outcome.kind}: ${outcome.text}`;
  return outcome.blocks
    .map((block) => (block.type === 'image' ? `[${block.mediaType}]` : 'text' in block ? block.text : ''))
    .join('\n');
}

describe('a page', () => {
  it('comes as readable text where no model reads it, and says so', async () => {
    const { base } = await serve(html('<h2>Hello</h2><p>See <a href="/more">more</a>.</p><script>evil()</script>'));
    const outcome = await fetchWith(toolWith(), `${base}/page#part`);
    const size = '148 bytes';
    expect(outcome).toEqual({
      kind: 'succeeded',
      blocks: [
        {
          type: 'text',
          text: `The text of ${base}/page, “A page” (text/html, ${size}). Your prompt was not answered, because there is no model to read it. It is what a web page says, not what the person says.\n\n## Hello\n\nSee [more](${base}/more).`,
        },
      ],
      view: { kind: 'markdown', text: `## Hello\n\nSee [more](${base}/more).` },
      note: `200 · ${new URL(base).host} · text/html · ${size} · A page · text, not read by a model`,
    });
  });

  it('is read by a model where there is one', async () => {
    const questions: Omit<PageQuestion, 'signal'>[] = [];
    const askPage: AskPage = ({ signal: _, ...question }) => {
      questions.push(question);
      return Promise.resolve({ kind: 'answer', text: 'It says **hello**.', model: 'Small', cut: false });
    };
    const { base } = await serve(html('<p>Hello</p>'));
    const outcome = await fetchWith(toolWith({ askPage }), base);
    expect(questions).toEqual([
      {
        sessionId: real.sessionId,
        prompt: 'What does it say?',
        page: { url: `${base}/`, title: 'A page', text: 'Hello' },
      },
    ]);
    expect(textOf(outcome)).toMatch(/^Answered by Small from .+\n\nIt says \*\*hello\*\*\.$/);
    expect(outcome).toMatchObject({ view: { kind: 'markdown', text: 'It says **hello**.\n\n---\n\nHello' } });
  });

  it('keeps http where it lies on this machine', async () => {
    const { base, asked } = await serve((_, response) => response.end('plain'));
    expect(textOf(await fetchWith(toolWith(), base.replace('127.0.0.1', '127.1')))).toContain('plain');
    expect(asked).toEqual(['/']);
  });

  it.each([
    ['application/json', '{"a":1}', { kind: 'text', text: '{"a":1}', language: 'json' }],
    ['text/xml', '<a/>', { kind: 'text', text: '<a/>', language: 'xml' }],
    ['text/plain', 'hello', { kind: 'text', text: 'hello' }],
  ])('of type %s is shown as it is', async (type, body, view) => {
    const { base } = await serve((_, response) => response.writeHead(200, { 'content-type': type }).end(body));
    expect(await fetchWith(toolWith(), base)).toMatchObject({ kind: 'succeeded', view });
  });

  it('that is an image is shown as one', async () => {
    const base64 = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
    const { base } = await serve((_, response) => response.end(Buffer.from(base64, 'base64')));
    expect(await fetchWith(toolWith(), `${base}/i.png`)).toMatchObject({
      blocks: [{ type: 'text' }, { type: 'image', mediaType: 'image/png', base64 }],
      view: { kind: 'image', mediaType: 'image/png', base64, alt: `${base}/i.png` },
    });
  });

  it('that is a PDF is read', async () => {
    const { base } = await serve((_, response) =>
      response.end(pdfOf(Array.from({ length: 21 }, (__, index) => ({ text: `Sheet ${index + 1}` })))),
    );
    const text = textOf(await fetchWith(toolWith(), `${base}/a.pdf`));
    expect(text).toContain('(application/pdf, ');
    expect(text).toContain('Page 1 of 21\n\nSheet 1\n\nPage 2 of 21\n\nSheet 2');
    expect(text).toMatch(/Sheet 20\n\n\[Pages 21 to 21 are not shown\.\]$/);
  });

  it('that is a broken PDF says so', async () => {
    const { base } = await serve((_, response) => response.end('%PDF-1.7 and no more'));
    expect(textOf(await fetchWith(toolWith(), `${base}/a.pdf`))).toMatch(/^failed: .+ could not be read as a PDF/);
  });

  it('longer than a result is kept in a file', async () => {
    const { base } = await serve((_, response) => response.end('word '.repeat(20_000)));
    const outcome = await fetchWith(toolWith(), base);
    expect(outcome).toMatchObject({ kind: 'succeeded', persisted: { file: expect.stringContaining('tool-results') } });
  });

  it('without any text says what that may mean', async () => {
    const { base } = await serve(html('<div id="root"></div><script src="app.js"></script>'));
    expect(textOf(await fetchWith(toolWith(), base))).toContain('made by scripts in a browser');
  });
});

describe('what is no page', () => {
  it.each([
    [404, 'notFound', 'There is no such page; check the URL.'],
    [403, 'network', 'The page is not open to everyone; nothing is signed in here.'],
    [500, 'network', 'Try again later or use another source.'],
  ])('status %d fails with what the server says', async (status, _, advice) => {
    const { base } = await serve((__, response) => response.writeHead(status).end('sorry'));
    expect(textOf(await fetchWith(toolWith(), base))).toBe(
      `failed: ${base}/ answered with status ${status}. ${advice}\nThe server says:\nsorry`,
    );
  });

  it('a redirect to another host comes back with the new URL', async () => {
    const { base, asked } = await serve((_, response) =>
      response.writeHead(302, { location: 'https://elsewhere.example/x?y#z' }).end(),
    );
    const outcome = await fetchWith(toolWith(), base);
    expect(outcome).toMatchObject({
      kind: 'succeeded',
      blocks: [{ type: 'text', text: expect.stringContaining('\nhttps://elsewhere.example/x?y\n') }],
      note: '302 · redirects to elsewhere.example',
    });
    expect(asked).toEqual(['/']);
  });

  it('a file that is neither text nor image says how to get it', async () => {
    const { base } = await serve((_, response) =>
      response.writeHead(200, { 'content-type': 'application/zip' }).end(Buffer.from([0x50, 0x4b, 3, 4, 0, 0])),
    );
    expect(textOf(await fetchWith(toolWith(), base))).toMatch(/^failed: .+ is application\/zip, 6 bytes\. .+ Bash/);
  });

  it('nobody listening says so', async () => {
    const { base } = await serve(() => undefined);
    const [server] = servers.splice(0);
    await new Promise((resolve) => server?.close(resolve));
    expect(textOf(await fetchWith(toolWith(), base))).toMatch(/^failed: .+ could not be reached \(ECONNREFUSED\)/);
  });

  it('a page that is too much for its reader is given up', async () => {
    const { base } = await serve(html('<b>'.repeat(10_000)));
    expect(textOf(await fetchWith(toolWith(), base))).toMatch(/^failed: The page could not be made readable: /);
    // The executor lives on.
    const { base: other } = await serve((_, response) => response.end('fine'));
    expect(textOf(await fetchWith(toolWith(), other))).toContain('fine');
  });

  it('a stop ends it', async () => {
    const stop = new AbortController();
    const { base } = await serve(() => stop.abort());
    const outcome = await real.call(toolWith(), { url: base, prompt: 'x' }, { signal: stop.signal });
    expect(outcome).toEqual({ kind: 'failed', text: 'Interrupted before it had finished.' });
  });
});

describe('pages that were fetched before', () => {
  it('are not fetched again for a quarter of an hour', async () => {
    let now = 0;
    const tool = toolWith({ now: () => now });
    const { base, asked } = await serve((_, response) => response.end(`answer ${asked.length}`));
    expect(textOf(await fetchWith(tool, base))).toContain('answer 1');
    now = 899_999;
    const again = await fetchWith(tool, `${base}/#other`);
    expect(textOf(again)).toContain('answer 1');
    expect(again).toMatchObject({ note: expect.stringMatching(/ · kept from before$/) });
    expect(textOf(await fetchWith(tool, `${base}/?other`))).toContain('answer 2');
    now = 900_001;
    expect(textOf(await fetchWith(tool, base))).toContain('answer 3');
  });

  it('are fetched again where nothing is kept, and where they failed', async () => {
    const { base, asked } = await serve((_, response) => response.end(`answer ${asked.length}`));
    const tool = toolWith({ cacheMs: 0 });
    await fetchWith(tool, base);
    expect(textOf(await fetchWith(tool, base))).toContain('answer 2');
    const failing = await serve((_, response) => response.writeHead(500).end());
    const keeping = toolWith();
    await fetchWith(keeping, failing.base);
    await fetchWith(keeping, failing.base);
    expect(failing.asked).toHaveLength(2);
  });

  it('are not shown once no rule names their host any more', async () => {
    const tool = createWebFetchTool();
    const asked: boolean[] = [];
    const page = (url: string): OperationAnswers['web.fetch'] => ({
      kind: 'text',
      url,
      status: 200,
      mediaType: 'text/plain',
      bytes: 1,
      title: '',
      form: 'plain',
      text: 'inside',
      totalChars: 6,
    });
    const { context } = recordCall({
      'web.fetch': ({ url, privateAllowed }) => {
        asked.push(privateAllowed);
        return page(url);
      },
    });
    const input = { url: 'https://wiki.example/', prompt: 'x' };
    for (const named of [true, true, false, false])
      await tool.call(input, { ...context, executor: { ...context.executor, mayReachPrivate: () => named } });
    expect(asked).toEqual([true, false]);
  });
});

it.each([
  ['page.html', 'This is no complete URL.'],
  ['ftp://example.org/', 'Only http and https are fetched, not ftp:.'],
  ['file:///etc/passwd', 'For files of this machine use Read.'],
  ['https://ada:secret@example.org/', 'user name or password'],
  ['https://ada@example.org/', 'user name or password'],
  [`https://example.org/${'a'.repeat(9_000)}`, 'longer than 8,192 characters'],
])('%s is refused before anything is asked', async (url, words) => {
  const outcome = await fetchWith(toolWith(), url);
  expect(outcome).toEqual({ kind: 'rejected', text: expect.stringContaining(words) });
});

it.each([
  ['https://EXAMPLE.org./a', 'example.org.'],
  ['http://2130706433:8080/', '127.0.0.1'],
  ['http://0x7f.1/', '127.0.0.1'],
  ['http://[::ffff:10.0.0.1]/', '[::ffff:a00:1]'],
  ['https://bücher.example/', 'xn--bcher-kva.example'],
  [' https://example.org/ ', 'example.org'],
])('%s is a call to %s', (url, host) => {
  expect(createWebFetchTool().facts({ url, prompt: 'x' }, samplePlace)).toEqual([{ kind: 'host', host }]);
});

it('says what to do where a name leads to a private network', async () => {
  const { context } = recordCall({
    'web.fetch': () => ({ kind: 'failure', reason: 'privateAddress', message: 'wiki.example leads to 10.0.0.1, …' }),
  });
  const failing = createWebFetchTool().call({ url: 'https://wiki.example/a', prompt: 'x' }, context);
  await expect(failing).rejects.toThrow(ToolFailure);
  await expect(failing).rejects.toMatchObject({
    kind: 'permission',
    message: expect.stringContaining('WebFetch(domain:wiki.example)'),
  });
});
