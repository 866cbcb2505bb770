import { describe, expect, it } from 'vitest';
import { headOfBytes, serverText, visibleText } from './cleanText';
import { connectReason, failureOf } from './failures';
import { limitsFrom, serverEnvironment } from './limits';
import { blocksOf, resourceBlocks } from './results';
import { ServerOutput } from './serverOutput';

const text = (value: string) => ({ type: 'text', text: value });
const png = 'iVBORw0KGgo=';

describe('what a tool returned', () => {
  it.each([
    ['text', { content: [text('a'), text('b')] }, [text('a'), text('b')]],
    ['text with what no model takes', { content: [text('a\0b\ud800c')] }, [text('abc')]],
    [
      'an image',
      { content: [{ type: 'image', data: png, mimeType: 'image/png' }] },
      [{ type: 'image', mediaType: 'image/png', base64: png }],
    ],
    [
      'an image that models cannot look at',
      { content: [{ type: 'image', data: png, mimeType: 'image/tiff' }] },
      [text('[image of image/tiff, 9 bytes: not shown]')],
    ],
    [
      'an image that is none',
      { content: [{ type: 'image', data: 'not base64!', mimeType: 'image/png' }] },
      [text('[image of image/png, 8 bytes: not shown]')],
    ],
    [
      'sound',
      { content: [{ type: 'audio', data: png, mimeType: 'audio/wav' }] },
      [text('[audio of audio/wav, 9 bytes: not shown]')],
    ],
    [
      'resources',
      {
        content: [
          { type: 'resource', resource: { uri: 'a://1', text: 'inside' } },
          { type: 'resource', resource: { uri: 'a://2', blob: png, mimeType: 'image/png' } },
          { type: 'resource_link', uri: 'a://3', name: 'third\u202e' },
        ],
      },
      [
        text('[resource a://1]\ninside'),
        { type: 'image', mediaType: 'image/png', base64: png },
        text('[link to the resource a://3: third]'),
      ],
    ],
    ['structured content alone', { structuredContent: { a: [1] } }, [text('{\n  "a": [\n    1\n  ]\n}')]],
    [
      'structured content that the text says',
      { content: [text('{"a":1}')], structuredContent: { a: 1 } },
      [text('{"a":1}')],
    ],
    ['nothing', { content: [] }, [text('(the tool returned nothing)')]],
    [
      'nonsense',
      { content: [5, { type: 'video' }] },
      [text('[content of an unknown kind]'), text('[content of the unknown kind video]')],
    ],
  ])('%s', (_what, answer, blocks) => {
    expect(blocksOf(answer)).toEqual(blocks);
  });

  it('is bounded in blocks and images', () => {
    const many = blocksOf({ content: Array.from({ length: 700 }, () => text('x')) });
    expect([many.length, many.at(-1)]).toEqual([501, text('[200 more blocks were left out]')]);
    const images = blocksOf({
      content: Array.from({ length: 30 }, () => ({ type: 'image', data: png, mimeType: 'image/png' })),
    });
    expect(images.filter((block) => block.type === 'image')).toHaveLength(20);
  });

  it('of an empty resource says so', () => {
    expect(resourceBlocks([])).toEqual([text('(the resource is empty)')]);
  });
});

it.each([
  ['a\r\nb\rc\td', 'a\nb\nc\td'],
  ['\u202eabc\u2066\u200d\ufeff', 'abc'],
  ['tag\u{e0041}\u{e0042}s', 'tags'],
  ['Größe 漢字 👋', 'Größe 漢字 👋'],
])('shows only what can be seen: %j', (given, shown) => {
  expect(visibleText(given)).toBe(shown);
});

it('cuts between characters', () => {
  const cut = headOfBytes('é'.repeat(2_000), 100);
  expect(Buffer.byteLength(cut)).toBeLessThanOrEqual(100);
  expect(cut).toMatch(/^é+… \(cut\)$/);
  expect(serverText(5)).toBe('');
});

it.each([
  [{}, 30_000, 100_000_000, 100_000],
  [{ MCP_TIMEOUT: '5000', MCP_TOOL_TIMEOUT: '60000', MAX_MCP_OUTPUT_TOKENS: '1000' }, 5_000, 60_000, 4_000],
  [{ MCP_TIMEOUT: 'soon', MCP_TOOL_TIMEOUT: '-1', MAX_MCP_OUTPUT_TOKENS: '0' }, 30_000, 100_000_000, 100_000],
  [{ MCP_TOOL_TIMEOUT: '99999999999', MAX_MCP_OUTPUT_TOKENS: '9999999' }, 30_000, 2_147_483_647, 500_000],
])('takes limits from the environment: %j', (variables, connectMs, callMs, resultChars) => {
  expect(limitsFrom(variables)).toMatchObject({ connectMs, callMs, resultChars });
});

it('gives a server only what is safe and what is configured', () => {
  const variables = { PATH: '/bin', HOME: '/h', AWS_SECRET: 'x', SHELL: '() { evil; }', Path: 'C:', Temp: 't' };
  expect(serverEnvironment({ variables, configured: { TOKEN: 't', PATH: '/mine' }, platform: 'linux' })).toEqual({
    PATH: '/mine',
    HOME: '/h',
    TOKEN: 't',
  });
  expect(serverEnvironment({ variables, configured: {}, platform: 'win32' })).toEqual({
    PATH: '/bin',
    Path: 'C:',
    Temp: 't',
  });
});

const error = (message: string, more: object = {}) => Object.assign(new Error(message), more);
it.each([
  [error('x', { code: 'REQUEST_TIMEOUT' }), 'timeout'],
  [error('x', { code: 'CONNECTION_CLOSED' }), 'closed'],
  [error('Not Found', { status: 404 }), 'closed'],
  [error('Bad Request: no valid session ID', { status: 400 }), 'closed'],
  [error('Bad Request', { status: 400 }), 'other'],
  [error('x', { name: 'UnauthorizedError' }), 'auth'],
  [error('x', { status: 401 }), 'auth'],
  [new TypeError('fetch failed', { cause: error('x', { code: 'ECONNREFUSED' }) }), 'network'],
  [error('no such tool', { code: -32_602 }), 'server'],
  ['text', 'other'],
  [undefined, 'other'],
])('tells failures apart: %s', (thrown, kind) => {
  expect(failureOf(thrown).kind).toBe(kind);
  expect(connectReason(thrown, 30_000)).toMatch(/^(?:It|Sign in) .*\.$/);
});

it('keeps the newest of what was printed', () => {
  const output = new ServerOutput();
  for (let line = 0; line < 20_000; line += 1) output.add(Buffer.from(`line ${line}\n`));
  output.add(Buffer.from('no end'));
  output.note('it ended');
  expect(output.text.endsWith('line 19999\nno end\n[gatehouse] it ended\n')).toBe(true);
  expect(output.lastLine).toBe('no end');
  expect(output.text.length).toBeLessThan(81_000);
});
