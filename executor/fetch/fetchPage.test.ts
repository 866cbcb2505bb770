import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import type { OperationOf } from '#shared/api/executor';
import { fetchPage } from './fetchPage';
import { partsFor, startWebServer, type WebServer } from './testing/webServer';

const servers: WebServer[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

async function serve(...args: Parameters<typeof startWebServer>): Promise<WebServer> {
  const server = await startWebServer(...args);
  servers.push(server);
  return server;
}

const operation = (url: string, more: Partial<OperationOf<'web.fetch'>> = {}): OperationOf<'web.fetch'> => ({
  op: 'web.fetch',
  url,
  privateAllowed: false,
  maxBytes: 100_000,
  maxChars: 10_000,
  timeoutMs: 10_000,
  ...more,
});
const never = new AbortController().signal;
const publicAddress = '93.184.215.14';
const docs = { 'docs.example': [publicAddress] };

describe('a page on the internet', () => {
  it('is asked for over https at the address that was checked', async () => {
    const server = await serve((_, response) => response.end('hello'), { secure: true });
    const parts = partsFor(docs, server.port);
    expect(await fetchPage(operation('http://docs.example/a?b=c#d'), parts, never)).toEqual({
      kind: 'text',
      url: 'https://docs.example/a?b=c',
      status: 200,
      mediaType: 'text/plain',
      bytes: 5,
      title: '',
      form: 'plain',
      text: 'hello',
      totalChars: 5,
    });
    expect(parts.resolved).toEqual(['docs.example']);
    expect(parts.dialled).toEqual([`${publicAddress} 443`]);
    expect(server.asked).toEqual(['docs.example/a?b=c']);
  });

  it('must show a certificate for its name', async () => {
    const server = await serve((_, response) => response.end('hello'), { secure: true });
    const parts = partsFor({ 'other.example': [publicAddress] }, server.port);
    expect(await fetchPage(operation('https://other.example/'), parts, never)).toMatchObject({
      reason: 'certificate',
    });
    expect(
      await fetchPage(operation('https://docs.example/'), { ...partsFor(docs, server.port), ca: '' }, never),
    ).toMatchObject({ reason: 'certificate' });
    expect(server.asked).toEqual([]);
  });

  it('is never asked for over plain http', async () => {
    const server = await serve((_, response) => response.end('hello'));
    const result = await fetchPage(operation('http://docs.example/'), partsFor(docs, server.port), never);
    expect(result).toMatchObject({ kind: 'failure', reason: 'certificate' });
    expect(server.asked).toEqual([]);
  });

  it('tries its next address when one does not answer', async () => {
    const server = await serve((_, response) => response.end('hello'), { secure: true });
    const parts = partsFor({ 'docs.example': ['93.184.215.15', publicAddress] }, server.port);
    const { dial } = parts;
    const closed = await startWebServer(() => undefined);
    await closed.close();
    const elsewhere = partsFor({}, closed.port);
    const result = await fetchPage(
      operation('https://docs.example/'),
      { ...parts, dial: (address, port) => (address.endsWith('15') ? elsewhere.dial : dial)(address, port) },
      never,
    );
    expect(result).toMatchObject({ kind: 'text', text: 'hello' });
  });
});

describe('an address that is not public', () => {
  it.each([
    ['http://127.0.0.1/', 'privateAddress'],
    ['http://2130706433/', 'privateAddress'],
    ['http://[::ffff:127.0.0.1]/', 'privateAddress'],
    ['http://10.0.0.1/', 'privateAddress'],
    ['http://169.254.169.254/latest/', 'privateAddress'],
    ['http://metadata.example/', 'privateAddress'],
    ['http://rebound.example/', 'privateAddress'],
    ['http://half.example/', 'privateAddress'],
    ['http://mapped.example/', 'privateAddress'],
    ['http://multicast.example/', 'forbiddenAddress'],
    ['http://odd.example/', 'forbiddenAddress'],
    ['http://nowhere.example/', 'notFound'],
    ['http://empty.example/', 'notFound'],
  ])('%s is refused without being connected to: %s', async (url, reason) => {
    const parts = partsFor(
      {
        'metadata.example': ['169.254.169.254'],
        'rebound.example': ['127.0.0.1'],
        'half.example': [publicAddress, '10.0.0.1'],
        'mapped.example': ['::ffff:192.168.1.1'],
        'multicast.example': ['224.0.0.1'],
        'odd.example': ['not an address'],
        'empty.example': [],
      },
      1,
    );
    expect(await fetchPage(operation(url), parts, never)).toMatchObject({ kind: 'failure', reason });
    expect(parts.dialled).toEqual([]);
  });

  it.each([
    // Where the name leads, and what becomes of it although a rule names it.
    ['http://127.0.0.1:80/', [], 'text'],
    ['http://localhost/', ['127.0.0.1', '::1'], 'text'],
    ['http://wiki.example/', ['10.1.2.3'], 'text'],
    ['http://wiki.example/', ['127.0.0.1'], 'failure'],
    ['http://wiki.example/', ['169.254.169.254'], 'failure'],
    ['http://wiki.example/', ['169.254.1.1'], 'failure'],
    ['http://wiki.example/', ['224.0.0.1'], 'failure'],
    ['http://224.0.0.1/', [], 'failure'],
  ])('%s at %j, allowed by name: %s', async (url, addresses, kind) => {
    const server = await serve((_, response) => response.end('inside'));
    const parts = partsFor({ [new URL(url).hostname]: addresses }, server.port);
    const result = await fetchPage(operation(url, { privateAllowed: true }), parts, never);
    expect(result.kind).toBe(kind);
    // Plain http stays as it is inside.
    if (result.kind === 'text') expect(result.url).toBe(new URL(url).href);
  });

  it('is refused where a name comes to mean it between two requests', async () => {
    const server = await serve(
      (request, response) =>
        request.url === '/' ? response.writeHead(302, { location: '/next' }).end() : response.end('secret'),
      { secure: true },
    );
    let times = 0;
    const rebinding = () => {
      times += 1;
      return times === 1 ? [publicAddress] : ['127.0.0.1'];
    };
    const parts = partsFor({ 'docs.example': rebinding }, server.port);
    expect(await fetchPage(operation('https://docs.example/'), parts, never)).toMatchObject({
      reason: 'privateAddress',
    });
    expect(server.asked).toEqual(['docs.example/']);
  });
});

describe('redirects', () => {
  const redirecting = (targets: Readonly<Record<string, string>>) =>
    serve(
      (request, response) => {
        const target = targets[request.url ?? ''];
        if (target === undefined) response.end(`at ${request.url ?? ''}`);
        else response.writeHead(301, { location: target }).end();
      },
      { secure: true },
    );

  it('are followed on the same host', async () => {
    const server = await redirecting({ '/a': '/b', '/b': 'https://docs.example/c', '/c': 'http://docs.example/d' });
    const result = await fetchPage(operation('https://docs.example/a'), partsFor(docs, server.port), never);
    expect(result).toMatchObject({ kind: 'text', url: 'https://docs.example/d', text: 'at /d' });
  });

  it.each([
    ['https://www.docs.example/', 'https://www.docs.example/'],
    ['https://evil.example/x', 'https://evil.example/x'],
    ['https://docs.example:8443/', 'https://docs.example:8443/'],
    ['http://127.0.0.1/admin', 'http://127.0.0.1/admin'],
  ])('to %s come back without being followed', async (location, to) => {
    const server = await redirecting({ '/a': location });
    const parts = partsFor(docs, server.port);
    expect(await fetchPage(operation('https://docs.example/a'), parts, never)).toEqual({
      kind: 'redirect',
      from: 'https://docs.example/a',
      to,
      status: 301,
    });
    expect(parts.resolved).toEqual(['docs.example']);
  });

  it.each([
    'file:///etc/passwd',
    'https://user:secret@docs.example/',
    'javascript:alert(1)',
    'https://docs.example:22/',
    `/${'a'.repeat(9_000)}`,
  ])('to %s end it', async (location) => {
    const server = await redirecting({ '/a': location });
    expect(await fetchPage(operation('https://docs.example/a'), partsFor(docs, server.port), never)).toMatchObject({
      reason: 'badRedirect',
    });
  });

  it('end when there are too many', async () => {
    const server = await redirecting({ '/a': '/a' });
    expect(await fetchPage(operation('https://docs.example/a'), partsFor(docs, server.port), never)).toEqual({
      kind: 'failure',
      reason: 'badRedirect',
      message: 'https://docs.example/a redirects more than 5 times.',
    });
    expect(server.asked).toHaveLength(6);
  });
});

it.each([
  'ftp://docs.example/',
  'file:///etc/passwd',
  'https://user@docs.example/',
  'https://:secret@docs.example/',
  'https://docs.example:25/',
  'https://docs.example:6667/',
  'https://docs..example/',
  'nonsense',
  'https://',
])('%s is no URL to fetch', async (url) => {
  const parts = partsFor(docs, 1);
  expect(await fetchPage(operation(url), parts, never)).toMatchObject({ kind: 'failure', reason: 'badUrl' });
  expect(parts.resolved).toEqual([]);
});

describe('bodies', () => {
  const compressed = [
    ['gzip', gzipSync],
    ['br', brotliCompressSync],
    ['deflate', deflateSync],
  ] as const;

  it.each(compressed)('are read when compressed with %s', async (encoding, compress) => {
    const server = await serve(
      (_, response) => response.writeHead(200, { 'content-encoding': encoding }).end(compress('hello')),
      { secure: true },
    );
    expect(await fetchPage(operation('https://docs.example/'), partsFor(docs, server.port), never)).toMatchObject({
      text: 'hello',
      bytes: 5,
    });
  });

  it.each(compressed)('that grow without end are left off: %s', async (encoding, compress) => {
    const bomb = compress(Buffer.alloc(50_000_000));
    const server = await serve((_, response) => response.writeHead(200, { 'content-encoding': encoding }).end(bomb), {
      secure: true,
    });
    expect(await fetchPage(operation('https://docs.example/'), partsFor(docs, server.port), never)).toMatchObject({
      reason: 'tooLarge',
    });
  });

  it('that grow in two layers are left off', async () => {
    const bomb = gzipSync(gzipSync(Buffer.alloc(50_000_000)));
    const server = await serve(
      (_, response) => response.writeHead(200, { 'content-encoding': 'gzip, gzip' }).end(bomb),
      { secure: true },
    );
    expect(await fetchPage(operation('https://docs.example/'), partsFor(docs, server.port), never)).toMatchObject({
      reason: 'tooLarge',
    });
  });

  it.each([
    ['more layers than two', 'gzip, gzip, gzip', gzipSync('x'), 'badAnswer'],
    ['an unknown encoding', 'zstd', Buffer.from('x'), 'badAnswer'],
    ['broken data', 'gzip', Buffer.from('not gzip'), 'badAnswer'],
  ])('with %s fail', async (_, encoding, body, reason) => {
    const server = await serve((__, response) => response.writeHead(200, { 'content-encoding': encoding }).end(body), {
      secure: true,
    });
    expect(await fetchPage(operation('https://docs.example/'), partsFor(docs, server.port), never)).toMatchObject({
      reason,
    });
  });

  it('longer than the limit are not waited for', async () => {
    const server = await serve(
      (_, response) => {
        response.writeHead(200, { 'content-length': '200000' });
        response.write('x');
      },
      { secure: true },
    );
    expect(await fetchPage(operation('https://docs.example/'), partsFor(docs, server.port), never)).toMatchObject({
      reason: 'tooLarge',
    });
  });

  it('without a stated length end at the limit', async () => {
    const server = await serve(
      (_, response) => {
        const more = (): void => {
          while (!response.destroyed && response.write('x'.repeat(10_000)));
        };
        response.on('drain', more);
        more();
      },
      { secure: true },
    );
    expect(await fetchPage(operation('https://docs.example/'), partsFor(docs, server.port), never)).toMatchObject({
      reason: 'tooLarge',
    });
  });

  it('that do not come end with the time', async () => {
    const server = await serve((_, response) => void response.write('x'), { secure: true });
    const slow = operation('https://docs.example/', { timeoutMs: 300 });
    expect(await fetchPage(slow, partsFor(docs, server.port), never)).toMatchObject({ reason: 'timeout' });
  });

  it('end when the call is stopped', async () => {
    const stop = new AbortController();
    const server = await serve(
      (_, response) => {
        response.write('x');
        stop.abort(new Error('stopped'));
      },
      { secure: true },
    );
    await expect(
      fetchPage(operation('https://docs.example/'), partsFor(docs, server.port), stop.signal),
    ).rejects.toThrow('stopped');
  });

  it('that are cut off fail', async () => {
    const server = await serve(
      (_, response) => {
        response.writeHead(200, { 'content-length': '100' });
        response.write('x', () => response.destroy());
      },
      { secure: true },
    );
    expect(await fetchPage(operation('https://docs.example/'), partsFor(docs, server.port), never)).toMatchObject({
      kind: 'failure',
    });
  });
});

describe('content', () => {
  const png = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  );
  const utf16 = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('grün', 'utf16le')]);

  it.each<readonly [string, string, string | Buffer, object]>([
    ['html', 'text/html', '<title>T</title><p>Hi <b>you</b></p>', { form: 'markdown', title: 'T', text: 'Hi **you**' }],
    ['html without a type', '', '<!doctype html><p>Hi</p>', { form: 'markdown', mediaType: 'text/html', text: 'Hi' }],
    [
      'html after comments',
      '',
      `${'<!-- a -->\n'.repeat(300)}<html><p>Hi</p></html>`,
      { form: 'markdown', text: 'Hi' },
    ],
    ['comments alone', '', '<!---->'.repeat(1_500), { form: 'plain' }],
    ['json', 'application/json', '{"a":1}', { form: 'plain', mediaType: 'application/json', text: '{"a":1}' }],
    ['xml', 'application/rss+xml; charset=utf-8', '<a/>', { form: 'plain', text: '<a/>' }],
    ['markdown', 'text/markdown', '# Hi', { form: 'plain', mediaType: 'text/markdown', text: '# Hi' }],
    ['latin-1 by its header', 'text/plain; charset=iso-8859-1', Buffer.from('grün', 'latin1'), { text: 'grün' }],
    ['a quoted charset', 'text/plain; charset="windows-1252"', Buffer.from([0x80]), { text: '€' }],
    ['utf-16 by its mark', 'text/plain', utf16, { text: 'grün' }],
    [
      'a charset in the page',
      'text/html',
      Buffer.from('<meta charset="iso-8859-1"><p>grün</p>', 'latin1'),
      { text: 'grün' },
    ],
    ['an unknown charset', 'text/plain; charset=klingon', 'grün', { text: 'grün' }],
    ['what is no text in it', 'text/plain', Buffer.from([0x61, 0xff, 0x62]), { text: 'a\u{fffd}b' }],
    ['an image', 'image/png', png, { kind: 'image', mediaType: 'image/png', base64: png.toString('base64') }],
    ['an image called text', 'text/plain', png, { kind: 'image', mediaType: 'image/png' }],
    ['a broken image', 'image/png', png.subarray(0, 40), { kind: 'failure', reason: 'unreadable' }],
    ['bytes', 'application/octet-stream', Buffer.from([0, 1, 2, 0]), { kind: 'binary' }],
    ['text called bytes', 'application/octet-stream', 'hello', { kind: 'text', text: 'hello' }],
    ['nothing', 'text/plain', '', { kind: 'text', text: '' }],
  ])('%s', async (_, type, body, expected) => {
    const server = await serve(
      (__, response) => response.writeHead(200, type === '' ? {} : { 'content-type': type }).end(body),
      { secure: true },
    );
    expect(await fetchPage(operation('https://docs.example/'), partsFor(docs, server.port), never)).toMatchObject(
      expected,
    );
  });

  it('longer than wanted is cut between characters', async () => {
    const server = await serve((_, response) => response.end('ab😀cd'), { secure: true });
    const short = operation('https://docs.example/', { maxChars: 3 });
    expect(await fetchPage(short, partsFor(docs, server.port), never)).toMatchObject({ text: 'ab', totalChars: 6 });
  });

  it('of an error comes with its status', async () => {
    const server = await serve((_, response) => response.writeHead(404).end('gone'), { secure: true });
    expect(await fetchPage(operation('https://docs.example/'), partsFor(docs, server.port), never)).toMatchObject({
      status: 404,
      text: 'gone',
    });
  });
});
