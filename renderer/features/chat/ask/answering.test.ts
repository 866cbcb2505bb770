// @vitest-environment jsdom
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { appContract } from '#shared/api/app';
import type { Handlers } from '#shared/rpc/contract';
import { RpcError } from '#shared/rpc/errors';
import { createLinkedPair } from '#shared/rpc/linkedPair';
import { serve } from '#shared/rpc/peer';
import { createHost } from '../../../host/client';
import { useToasts } from '../../../stores/toasts';
import { answerAsk, answerHost } from './answering';

type AppHandlers = Handlers<typeof appContract, object>;

/** A core that knows only the greeting and the given calls; any other comes back as an internal fault. */
async function connectTo(given: Partial<AppHandlers>): Promise<unknown[]> {
  const undone: unknown[] = [];
  const handlers: Partial<AppHandlers> = {
    hello: () => ({
      protocol: 1,
      version: '0',
      hostLabel: 'test',
      platform: 'linux',
      capabilities: [],
      home: '/home/kim',
      startFolder: null,
      sandbox: { active: false, kind: 'none', network: false, reason: 'test' },
      executor: { status: 'idle', detail: '' },
    }),
    'rules.undo': ({ step }) => {
      undone.push(step);
      return { undo: null, redo: null, recent: [] };
    },
    ...given,
  };
  const link = createHost(() => {
    const [page, core] = createLinkedPair();
    serve({
      contract: appContract,
      transport: core,
      handlers: handlers as AppHandlers,
      context: {},
      onBug: () => undefined,
    });
    return page;
  });
  link.start();
  await vi.waitFor(() => expect(link.state.status).toBe('open'));
  return undone;
}

const toasts = () => useToasts.getState().toasts.map(({ level, title }) => [level, title]);

beforeEach(() => {
  useToasts.setState({ toasts: [] });
});

describe('answerAsk', () => {
  const request = { sessionId: 's1', askId: 'a1', answer: { kind: 'allowOnce' } } as const;

  test('an accepted answer says nothing', async () => {
    await connectTo({ 'sessions.answer': () => ({ saved: null }) });
    expect(await answerAsk(request)).toBe('answered');
    expect(toasts()).toEqual([]);
  });

  test('somebody else was first: closes quietly', async () => {
    await connectTo({
      'sessions.answer': () => {
        throw new RpcError('conflict', 'answered');
      },
    });
    expect(await answerAsk(request)).toBe('gone');
    expect(toasts()).toEqual([['info', 'Already answered in another window']]);
  });

  test('a failure leaves the ask', async () => {
    await connectTo({
      'sessions.answer': () => {
        throw new RpcError('refused', 'The file cannot be written.');
      },
    });
    expect(await answerAsk(request)).toBe('failed');
    expect(useToasts.getState().toasts).toMatchObject([
      {
        level: 'error',
        title: 'The answer was not taken. The call still waits for you.',
        text: 'The file cannot be written.',
      },
    ]);
  });

  test.each([
    [[], 'Bash(npm:*)'],
    [['npm ci'], 'Bash(npm:*). It also answered npm ci.'],
    [['npm ci', 'npm test'], 'Bash(npm:*). It also answered npm ci and npm test.'],
    [['a', 'b', 'c', 'd', 'e'], 'Bash(npm:*). It also answered a, b, c and 2 more.'],
  ])('the toast says which other asks the rule settled: %j', async (settled, text) => {
    await connectTo({
      'sessions.answer': () => ({ saved: { rules: ['Bash(npm:*)'], where: 'this session', step: '7', settled } }),
    });
    await answerAsk({ ...request, answer: { kind: 'allowAlways', rules: ['Bash(npm:*)'], source: 'session' } });
    expect(useToasts.getState().toasts).toMatchObject([{ title: 'Saved to this session', text }]);
  });

  test('a saved answer can be taken back as the one step that it was', async () => {
    const undone = await connectTo({
      'sessions.answer': () => ({
        saved: { rules: ['Bash(a)', 'Bash(b)'], where: '.claude/settings.local.json:6', step: '7', settled: [] },
      }),
    });
    await answerAsk({
      ...request,
      answer: { kind: 'allowAlways', rules: ['Bash(a)', 'Bash(b)'], source: 'localSettings' },
    });
    expect(toasts()).toEqual([['info', 'Saved to .claude/settings.local.json:6']]);
    useToasts.getState().toasts[0]?.action?.run();
    await vi.waitFor(() => expect(toasts().at(-1)).toEqual(['info', 'The rules were taken back']));
    expect(undone).toEqual(['7']);
  });

  test('says why it cannot be taken back', async () => {
    await connectTo({
      'sessions.answer': () => ({ saved: { rules: ['Bash(a)'], where: 'x', step: '7', settled: [] } }),
      'rules.undo': () => {
        throw new RpcError('conflict', 'Somebody changed line 6 since.');
      },
    });
    await answerAsk({ ...request, answer: { kind: 'allowAlways', rules: ['Bash(a)'], source: 'localSettings' } });
    useToasts.getState().toasts[0]?.action?.run();
    await vi.waitFor(() =>
      expect(useToasts.getState().toasts.at(-1)).toMatchObject({
        title: 'The rule was not taken back.',
        text: 'Somebody changed line 6 since.',
      }),
    );
  });
});

describe('answerHost', () => {
  const request = {
    sessionId: 's1',
    askId: 'n1',
    answer: { kind: 'allowAlways', pattern: '*.example.com', source: 'localSettings' },
  } as const;
  const saved = { pattern: '*.example.com', where: '.claude/settings.local.json:9', step: '7' };

  test('says where a pattern was saved and which other hosts it let through, and can take it back', async () => {
    const undone = await connectTo({
      'network.answer': () => ({ saved, settled: ['a.example.com', 'b.example.com'] }),
    });
    expect(await answerHost(request)).toBe('answered');
    const [toast] = useToasts.getState().toasts;
    expect(toast).toMatchObject({
      title: 'Saved to .claude/settings.local.json:9',
      text: '*.example.com. It also answered a.example.com and b.example.com.',
    });
    toast?.action?.run();
    await vi.waitFor(() => expect(toasts().at(-1)).toEqual(['info', 'The host was taken off the list']));
    expect(undone).toEqual(['7']);
  });

  test.each<[readonly string[], unknown[]]>([
    [[], []],
    [['a.example.com'], [['info', 'Answered']]],
  ])('without anything saved it speaks only of others that it settled: %j', async (settled, expected) => {
    await connectTo({ 'network.answer': () => ({ saved: null, settled: [...settled] }) });
    await answerHost({ ...request, answer: { kind: 'allowSession' } });
    expect(toasts()).toEqual(expected);
  });

  test.each([
    ['conflict', 'gone', 'This waits for no answer any more'],
    ['refused', 'failed', 'The answer was not taken. The command still waits for you.'],
  ] as const)('%s: %s', async (code, outcome, title) => {
    await connectTo({
      'network.answer': () => {
        throw new RpcError(code, 'no');
      },
    });
    expect(await answerHost(request)).toBe(outcome);
    expect(toasts().map(([, said]) => said)).toEqual([title]);
  });
});
