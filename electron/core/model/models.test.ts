import { createServer } from 'node:http';
import { expect, test } from 'vitest';
import { Models } from './models';

const preferences = { baseUrl: '', model: '' };

/** A server that lists two models; counts how often it is asked. `broken`: it answers with an error. */
async function withServer<T>(broken: boolean, use: (models: Models, asked: () => number) => Promise<T>): Promise<T> {
  let asked = 0;
  const server = createServer((_request, response) => {
    asked += 1;
    response.writeHead(broken ? 404 : 200, { 'content-type': 'application/json' });
    const data = [
      { type: 'model', id: 'wide', display_name: 'Wide', max_input_tokens: 1_000_000 },
      { type: 'model', id: 'odd', display_name: '', max_input_tokens: 'many' },
    ];
    response.end(JSON.stringify(broken ? { error: { message: 'no' } } : { data, has_more: false }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const environment = { baseUrl: `http://127.0.0.1:${port}`, model: '' };
  const secrets = { apiKey: () => 'k' };
  try {
    return await use(new Models({ secrets, environment } as never, () => preferences as never), () => asked);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

const choice = (id: string, scripted = false) => ({ id, label: id, scripted });

test('the window of a model is what its server lists, else the usual one; the server is asked once', async () => {
  await withServer(false, async (models, asked) => {
    const ids = [choice('wide'), choice('odd'), choice('unlisted'), choice('rehearsal', true)];
    expect(await Promise.all(ids.map((one) => models.contextTokens(one)))).toEqual([
      1_000_000, 200_000, 200_000, 200_000,
    ]);
    expect(asked()).toBe(1);
    expect((await models.list()).models.map(({ id, label }) => [id, label])).toEqual([
      ['wide', 'Wide'],
      ['odd', 'odd'],
      ['rehearsal', 'Rehearsal'],
    ]);
  });
});

test('a server that lists nothing does not stop a turn', async () => {
  await withServer(true, async (models) => {
    expect(await models.contextTokens(choice('wide'))).toBe(200_000);
  });
});

test.each([
  ['', '', true],
  ['https://api.anthropic.com', '', true],
  ['', 'https://api.anthropic.com/', true],
  ['https://gateway.example/anthropic', '', false],
  ['', 'http://127.0.0.1:8080', false],
  ['https://api.anthropic.com.evil.example', '', false],
  ['nonsense', '', false],
])('server %j, else %j, is the first-party API: %s', (preferred, stated, expected) => {
  const environment = { baseUrl: stated, model: '' };
  const models = new Models(
    { secrets: {}, environment } as never,
    () => ({ ...preferences, baseUrl: preferred }) as never,
  );
  expect(models.isFirstParty()).toBe(expected);
});
