import { expect, test } from 'vitest';
import { z } from 'zod';
import { CancelSource } from './cancel';
import { call } from './contract';
import { RpcError } from './errors';
import { createLinkedPair } from './linkedPair';
import { connect, serve } from './peer';

const contract = {
  calls: {
    double: call(z.strictObject({ n: z.number() }), z.strictObject({ n: z.number() })),
    refuse: call(z.strictObject({}), z.strictObject({})),
    crash: call(z.strictObject({}), z.strictObject({})),
    lie: call(z.strictObject({}), z.strictObject({ n: z.number() })),
    wait: call(z.strictObject({}), z.strictObject({ cancelled: z.boolean() })),
  },
  events: { tick: z.strictObject({ n: z.number() }) },
};

function pair() {
  const [left, right] = createLinkedPair();
  const bugs: string[] = [];
  const served = serve({
    contract,
    transport: right,
    context: { factor: 2 },
    onBug: (method) => bugs.push(method),
    handlers: {
      double: ({ n }, { factor }) => ({ n: n * factor }),
      refuse: () => Promise.reject(new RpcError('refused', 'Not today.')),
      crash: () => Promise.reject(new Error('secret detail')),
      lie: () => ({ n: 'text' }) as never,
      wait: (_params, { signal }) => new Promise((resolve) => signal.onCancel(() => resolve({ cancelled: true }))),
    },
  });
  return { client: connect(contract, left), served, bugs, left, right };
}

const failure = (promise: Promise<unknown>) =>
  promise.then(
    () => 'no error',
    (error: unknown) => (error instanceof RpcError ? [error.code, error.message] : error),
  );

test('a call reaches its handler with the context and its answer comes back', async () => {
  expect(await pair().client.call('double', { n: 21 })).toEqual({ n: 42 });
});

test('faults arrive as the closed list of codes, without detail where it is a bug', async () => {
  const { client, bugs } = pair();
  expect(await failure(client.call('refuse', {}))).toEqual(['refused', 'Not today.']);
  expect(await failure(client.call('crash', {}))).toEqual([
    'internal',
    'crash failed because of a fault in Gatehouse. The log has details.',
  ]);
  expect(await failure(client.call('lie', {}))).toMatchObject(['internal', expect.any(String)]);
  expect(bugs).toEqual(['crash', 'lie']);
});

test.each([
  ['unknownMethod', 'nothing'],
  ['unknownMethod', 'toString'],
  ['unknownMethod', '__proto__'],
])('a name from the wire that is no call answers %s: %s', async (code, method) => {
  const [left, right] = createLinkedPair();
  serve({ contract: { calls: {}, events: {} }, transport: right, handlers: {}, context: {}, onBug: () => undefined });
  const answers: unknown[] = [];
  left.onMessage((message) => answers.push(message));
  left.send({ type: 'req', id: 1, method, params: {} });
  await new Promise((resolve) => setImmediate(resolve));
  expect(answers).toMatchObject([{ type: 'err', id: 1, code }]);
});

test('parameters out of contract never reach the handler', async () => {
  const { client } = pair();
  expect(await failure(client.call('double', { n: 'x' } as never))).toMatchObject([
    'invalid',
    expect.stringContaining('n'),
  ]);
  expect(await failure(client.call('double', { n: 1, extra: 1 } as never))).toMatchObject([
    'invalid',
    expect.any(String),
  ]);
});

test('a cancelled call hears of it', async () => {
  const { client } = pair();
  const source = new CancelSource();
  const waiting = client.call('wait', {}, { signal: source });
  await Promise.resolve();
  source.cancel();
  expect(await waiting).toEqual({ cancelled: true });
});

test('events reach listeners until they unsubscribe', async () => {
  const { client, served } = pair();
  const seen: number[] = [];
  const stop = client.on('tick', ({ n }) => seen.push(n));
  served.emit('tick', { n: 1 });
  await new Promise((resolve) => setImmediate(resolve));
  stop();
  served.emit('tick', { n: 2 });
  await new Promise((resolve) => setImmediate(resolve));
  expect(seen).toEqual([1]);
});

test('when the connection closes, open and later calls fail as unavailable', async () => {
  const { client, served } = pair();
  const open = failure(client.call('wait', {}));
  await Promise.resolve();
  served.close('going down');
  expect(await open).toEqual(['unavailable', 'The connection closed: going down.']);
  expect(await failure(client.call('double', { n: 1 }))).toEqual([
    'unavailable',
    'The connection is closed: going down.',
  ]);
});

test('a malformed frame closes the connection instead of being guessed at', async () => {
  const { left, right } = pair();
  const reasons: string[] = [];
  right.onClose((reason) => reasons.push(reason));
  left.send({ type: 'req', id: -1, method: 'double', params: {}, more: true });
  await new Promise((resolve) => setImmediate(resolve));
  expect(reasons).toEqual(['malformed message']);
});

test('a second request with the id of one that runs closes the connection, so that no client runs more than is counted', async () => {
  const { left, right } = pair();
  const reasons: string[] = [];
  right.onClose((reason) => reasons.push(reason));
  left.send({ type: 'req', id: 1, method: 'wait', params: {} });
  left.send({ type: 'req', id: 1, method: 'wait', params: {} });
  await new Promise((resolve) => setImmediate(resolve));
  expect(reasons).toEqual(['malformed message']);
});

test('an end in the same program takes answers and events as they come, since the other end has checked them', async () => {
  const { served, left } = pair();
  const client = connect(contract, left, { sameProgram: true });
  expect(await client.call('double', { n: 21 })).toEqual({ n: 42 });
  expect(await failure(client.call('refuse', {}))).toEqual(['refused', 'Not today.']);
  expect(await failure(client.call('lie', {}))).toMatchObject(['internal', expect.any(String)]);
  const heard: unknown[] = [];
  const stop = client.on('tick', (payload) => heard.push(payload));
  served.emit('tick', { n: 1 });
  await client.call('double', { n: 1 });
  stop();
  served.emit('tick', { n: 2 });
  await client.call('double', { n: 1 });
  expect(heard).toEqual([{ n: 1 }]);
});
