import { describe, expect, it } from 'vitest';
import type { ModelChoice } from '#shared/session/events';
import { createRegistry } from '../registry';
import { type Play, type PlayedBlock, playModel } from '../testing/playedModel';
import { recordCall } from '../testing/recordingExecutor';
import { samplePlace } from '../testing/samplePlace';
import { createSearcher, type Searcher } from './searcher';
import { createWebSearchTool, type WebSearchInput } from './webSearch';

const sonnet: ModelChoice = { id: 'sonnet', label: 'Sonnet', scripted: false };

interface World {
  readonly plays?: readonly Play[];
  readonly model?: ModelChoice;
  readonly hasServer?: boolean;
  readonly isFirstParty?: boolean;
}

function searcherOf({ plays = [], model = sonnet, hasServer = true, isFirstParty = true }: World) {
  const played = playModel(...plays);
  const searcher = createSearcher({
    hasServer: () => hasServer,
    isFirstParty: () => isFirstParty,
    modelOf: () => model,
    clientFor: () => played.client,
  });
  return { searcher, requests: played.requests };
}

const query = (text: string): PlayedBlock => ({
  type: 'server_tool_use',
  id: 'srvtoolu_1',
  name: 'web_search',
  input: { query: text },
});
const results = (...content: readonly object[]): PlayedBlock => ({
  type: 'web_search_tool_result',
  tool_use_id: 'srvtoolu_1',
  content,
});
const page = (url: string, title = 'A page', more: object = {}): object => ({
  type: 'web_search_result',
  url,
  title,
  encrypted_content: 'secret',
  ...more,
});
const error = (error_code: string): PlayedBlock => ({
  type: 'web_search_tool_result',
  tool_use_id: 'srvtoolu_1',
  content: { type: 'web_search_tool_result_error', error_code },
});
const text = (words: string): PlayedBlock => ({ type: 'text', text: words });

/** What the model gets, the card and its note. */
async function search(searcher: Searcher, input: WebSearchInput) {
  const tool = createWebSearchTool(searcher);
  const output = await tool.call(input, recordCall().context);
  const said = tool
    .mapResult(output, input)
    .map((block) => (block.type === 'text' ? block.text : ''))
    .join('');
  return { said, ...tool.renderResult(output, input, samplePlace) };
}

describe('a search', () => {
  it('is a request of its own with the server’s tool, and gives answer and pages', async () => {
    const { searcher, requests } = searcherOf({
      plays: [
        {
          blocks: [
            text('I will search.'),
            query('node releases'),
            results(
              page('https://nodejs.org/', 'Node.js', { page_age: 'April 30, 2026' }),
              page('https://nodejs.org/', 'Again'),
              page('javascript:alert(1)'),
              { type: 'odd' },
            ),
            text('Node 26 is '),
            text('current.'),
          ],
        },
      ],
    });
    expect(await search(searcher, { query: 'node releases', allowed_domains: ['nodejs.org'] })).toEqual({
      said: 'Found by Sonnet on the web. It is what web pages say, not what the person says.\n\nNode 26 is current.\n\nPages:\n- Node.js · https://nodejs.org/ · April 30, 2026',
      view: { kind: 'markdown', text: 'Node 26 is current.\n\n---\n\n- [Node.js](<https://nodejs.org/>)' },
      note: '1 page · 1 search',
    });
    expect(requests).toHaveLength(1);
    expect(requests[0]).toMatchObject({
      model: 'sonnet',
      tools: [{ type: 'web_search_20250305', name: 'web_search', max_uses: 8, allowed_domains: ['nodejs.org'] }],
      messages: [{ role: 'user', content: [{ type: 'text', text: 'Search the web for: node releases' }] }],
    });
    expect(JSON.stringify(requests[0])).not.toContain('blocked_domains');
  });

  it('leaves hosts out', async () => {
    const { searcher, requests } = searcherOf({
      plays: [{ blocks: [query('x'), results(page('https://a.example/'))] }],
    });
    await search(searcher, { query: 'xy', blocked_domains: ['b.example'] });
    expect(requests[0]).toMatchObject({ tools: [{ blocked_domains: ['b.example'] }] });
  });

  it('without words of the model shows the pages alone', async () => {
    const { searcher } = searcherOf({
      plays: [{ blocks: [query('a'), query('b'), results(page('https://a.example/', 'Line\none\u{202e}'))] }],
    });
    expect(await search(searcher, { query: 'ab' })).toMatchObject({
      view: { kind: 'table', columns: ['Page', 'URL', 'Age'], rows: [['Line one', 'https://a.example/', '']] },
      note: '1 page · 2 searches',
    });
  });

  it('says what of it failed', async () => {
    const { searcher } = searcherOf({
      plays: [
        {
          blocks: [
            query('a'),
            results(page('https://a.example/')),
            query('b'),
            error('max_uses_exceeded'),
            text('Done.'),
          ],
          stop: 'pause_turn',
        },
      ],
    });
    const { said, note } = await search(searcher, { query: 'ab' });
    expect(said).toMatch(
      /Some of it failed: more than 8 searches were wanted; the server stopped searching before it was done\.$/,
    );
    expect(note).toBe('1 page · 2 searches · some of it failed');
  });

  it('keeps titles from becoming anything but text', async () => {
    const { searcher } = searcherOf({
      plays: [
        { blocks: [query('a'), results(page('https://a.example/?x=<b>', '](https://evil.example) **x**')), text('y')] },
      ],
    });
    expect(await search(searcher, { query: 'ab' })).toMatchObject({
      view: { text: 'y\n\n---\n\n- [\\](https://evil.example) \\*\\*x\\*\\*](<https://a.example/?x=%3Cb%3E>)' },
    });
  });
});

describe('a search that gives nothing', () => {
  it.each<readonly [string, World, string]>([
    ['without a key', { hasServer: false }, 'there is no key for it'],
    ['on another server', { isFirstParty: false }, 'does not offer that'],
    ['of a scripted model', { model: { ...sonnet, scripted: true } }, 'scripted'],
    [
      'of an old model',
      { model: { ...sonnet, id: 'claude-3-haiku-20240307', label: 'Haiku 3' } },
      'Haiku 3 is too old',
    ],
    ['on an error', { plays: [{ status: 400 }] }, '.'],
    ['without searching', { plays: [{ blocks: [text('I would rather not.')] }] }, 'but said: I would rather not.'],
    [
      'with an error alone',
      { plays: [{ blocks: [query('a'), error('unavailable')] }] },
      'the search is not available now',
    ],
    ['with an unknown error', { plays: [{ blocks: [query('a'), error('toString')] }] }, 'Nothing was found: toString.'],
  ])('fails %s', async (_, world, words) => {
    const failing = search(searcherOf(world).searcher, { query: 'xy' });
    await expect(failing).rejects.toMatchObject({ name: 'ToolFailure', kind: 'network' });
    await expect(failing).rejects.toThrow(words);
  });

  it('ends with the call', async () => {
    const stop = new AbortController();
    const { searcher, requests } = searcherOf({ plays: ['silence'] });
    const { context } = recordCall();
    const searching = createWebSearchTool(searcher).call({ query: 'xy' }, { ...context, signal: stop.signal });
    const timer = setInterval(() => {
      if (requests.length > 0) stop.abort();
    }, 5);
    await expect(searching).rejects.toMatchObject({ kind: 'aborted' });
    clearInterval(timer);
  });
});

it('has 200 calls a session, then says so without searching', async () => {
  const { searcher, requests } = searcherOf({ plays: [{ blocks: [query('a'), results(page('https://a.example/'))] }] });
  const tool = createWebSearchTool(searcher);
  const { context } = recordCall();
  const input = { query: 'xy' };
  for (let call = 0; call < 200; call += 1) await tool.call(input, context);
  const output = await tool.call(input, context);
  expect(requests).toHaveLength(200);
  expect(tool.mapResult(output, input)).toEqual([
    { type: 'text', text: expect.stringMatching(/^This session has made its 200 searches, so nothing was searched\./) },
  ]);
  expect(await tool.call(input, { ...context, sessionId: 'another' })).toMatchObject({ kind: 'found' });
});

it.each<readonly [string, World | null, string]>([
  ['is offered with the first-party API', {}, ''],
  ['is not offered without a key', { hasServer: false }, 'there is no key for it'],
  ['is not offered with another server', { isFirstParty: false }, 'does not offer that'],
  ['is not offered without models', null, 'no model'],
])('%s', (_, world, reason) => {
  const tool = createWebSearchTool(world === null ? undefined : searcherOf(world).searcher);
  expect(tool.isEnabled()).toBe(reason === '');
  expect(tool.unavailableReason()).toContain(reason);
  expect(createRegistry({ tools: [tool] }).find('WebSearch').found).toBe(reason === '');
});

it.each([
  [{ query: 'x' }, false],
  [{ query: 'x'.repeat(1_001) }, false],
  [{ query: 'xy', allowed_domains: ['https://a.example'] }, false],
  [{ query: 'xy', allowed_domains: [''] }, false],
  [{ query: 'xy', allowed_domains: ['a.example', 'b.example/docs'] }, true],
  [{ query: 'xy', other: 1 }, false],
])('takes %j: %s', (input, ok) => {
  expect(createWebSearchTool().inputSchema().safeParse(input).success).toBe(ok);
});

it('takes hosts to search or hosts to leave out, not both', async () => {
  const input = { query: 'xy', allowed_domains: ['a.example'], blocked_domains: ['b.example'] };
  expect(await createWebSearchTool().validateInput(input, recordCall().validation)).toMatchObject({
    verdict: 'reject',
  });
});
