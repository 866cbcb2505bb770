// The page's calls about tools, over the real contract, agent, pipeline and log.
import { expect, test } from 'vitest';
import { toolCalls } from '#shared/api/tools';
import { createLinkedPair } from '#shared/rpc/linkedPair';
import { connect, serve } from '#shared/rpc/peer';
import type { ModelClient } from '../model/client';
import { ModelFailure } from '../model/client';
import { bench } from '../testing/bench';
import { CountedTotals } from '../tools/countedTotals';
import { plainTool } from '../tools/testing/plainTool';
import { toolSearchTool } from '../tools/toolSearch/toolSearch';
import { Connection } from './connection';
import { toolHandlers } from './toolHandlers';

const contract = { calls: toolCalls, events: {} };

function world(options: { readonly client?: ModelClient | null; readonly elsewhere?: boolean } = {}) {
  const b = bench({ tools: [plainTool('Common'), plainTool('Rare', { shouldDefer: true }), toolSearchTool] });
  const [page, core] = createLinkedPair();
  const { client = null, elsewhere = false } = options;
  serve({
    contract,
    transport: core,
    handlers: toolHandlers(
      {
        sessions: b.sessions,
        engine: b.services.engine,
        agent: b.agent,
        models: {
          clientFor: () => {
            if (client !== null) return client;
            throw new ModelFailure('There is no key.', { next: '', retryable: false });
          },
        },
        opened: { claims: { heldElsewhere: () => elsewhere } },
      },
      { registry: (sessionId) => b.services.registry(sessionId), counted: new CountedTotals() },
    ),
    context: { connection: new Connection(() => undefined) },
    onBug: (method, error) => {
      throw new Error(`${method}: ${String(error)}`);
    },
  });
  return { b, call: connect(contract, page).call };
}

const counting: ModelClient = {
  scripted: false,
  stream: () => {
    throw new Error('not asked here');
  },
  listModels: () => Promise.resolve([]),
  bringsTools: () => true,
  countTokens: ({ tools }) => Promise.resolve(10 + tools.length),
};

test('tools come with estimates where nobody can count', async () => {
  const { b, call } = world();
  const { tools, figures } = await call('tools.list', { sessionId: b.sessionId });
  expect(tools.map(({ name, state }) => [name, state])).toEqual([
    ['Common', 'loaded'],
    ['Rare', 'deferred'],
    ['ToolSearch', 'loaded'],
  ]);
  expect([figures.totals.source, figures.loadedBy]).toEqual(['estimated', 'gatehouse']);
});

test('and with counts where the model can', async () => {
  const { b, call } = world({ client: counting });
  const { figures } = await call('tools.list', { sessionId: b.sessionId });
  expect([figures.totals, figures.loadedBy]).toEqual([
    { withDeferral: 2, withoutDeferral: 2, source: 'counted' },
    'server',
  ]);
});

test('a person runs a deferred tool; its call is in the log', async () => {
  const { b, call } = world();
  const done = b.until(({ type }) => type === 'turn.finished');
  const { callId } = await call('tools.run', { sessionId: b.sessionId, name: 'Rare', input: { text: 'x' } });
  await done;
  expect(b.sessions.state(b.sessionId).calls[callId]?.status).toBe('succeeded');
});

test('unknown sessions and those of another workspace are refused', async () => {
  const { call } = world();
  await expect(call('tools.list', { sessionId: 'none' })).rejects.toMatchObject({ code: 'notFound' });
  const other = world({ elsewhere: true });
  await expect(
    other.call('tools.run', { sessionId: other.b.sessionId, name: 'Rare', input: {} }),
  ).rejects.toMatchObject({ code: 'conflict' });
});
