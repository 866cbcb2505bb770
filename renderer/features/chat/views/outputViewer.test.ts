import { describe, expect, test } from 'vitest';
import { RpcError } from '#shared/rpc/errors';
import { type OutputLink, OutputViewer } from './outputViewer';

type Chunk = { readonly from: number; readonly text: string };

/** A link that records calls and lets the test send output; `attach` is answered when the test says so. */
function fakeLink() {
  const calls: unknown[] = [];
  let listener: (payload: never) => void = () => undefined;
  let answer: { resolve(value: unknown): void; reject(error: unknown): void } | undefined;
  const link = {
    call(method: string, params: unknown) {
      calls.push([method, params]);
      if (method !== 'sessions.attachOutput') return Promise.resolve({});
      return new Promise((resolve, reject) => {
        answer = { resolve, reject };
      });
    },
    on(_name: string, given: (payload: never) => void) {
      listener = given;
      return () => {
        listener = () => undefined;
      };
    },
  } as OutputLink;
  return {
    link,
    calls,
    send: (chunk: Chunk, callId = 'c1') => listener({ sessionId: 's1', callId, ...chunk } as never),
    attach: async (value: { from: number; tail: string; ended: boolean }) => {
      answer?.resolve(value);
      await Promise.resolve();
      await Promise.resolve();
    },
    refuse: async () => {
      answer?.reject(new RpcError('notFound', 'The call has ended.'));
      await Promise.resolve();
    },
  };
}

function start() {
  const { link, calls, send, attach, refuse } = fakeLink();
  const screen: (string | { skipped: number })[] = [];
  const waiting: (() => void)[] = [];
  const viewer = new OutputViewer({
    link,
    sessionId: 's1',
    callId: 'c1',
    screen: {
      write: (text, done) => {
        screen.push(text);
        waiting.push(done);
      },
      reset: (skipped) => screen.push({ skipped }),
      onActivity: () => undefined,
    },
  });
  return {
    calls,
    send,
    attach,
    refuse,
    screen,
    viewer,
    drawAll: () => {
      for (const done of waiting.splice(0)) done();
    },
  };
}

const acks = (calls: readonly unknown[]) =>
  calls
    .filter((call) => Array.isArray(call) && call[0] === 'sessions.ackOutput')
    .map((call) => (call as [string, { upTo: number }])[1].upTo);

describe('OutputViewer', () => {
  test('draws the tail, then what follows', async () => {
    const view = start();
    await view.attach({ from: 0, tail: 'ab', ended: false });
    view.send({ from: 2, text: 'cd' });
    expect(view.screen).toEqual(['ab', 'cd']);
  });

  test('acknowledges from the write callback, not before', async () => {
    const view = start();
    await view.attach({ from: 0, tail: 'ab', ended: false });
    view.send({ from: 2, text: 'cd' });
    expect(acks(view.calls)).toEqual([]);
    view.drawAll();
    expect(acks(view.calls)).toEqual([2, 4]);
  });

  test('output that overtakes the answer to attach is kept, and nothing is drawn twice', async () => {
    const view = start();
    view.send({ from: 0, text: 'abcd' });
    view.send({ from: 4, text: 'ef' });
    await view.attach({ from: 0, tail: 'abc', ended: false });
    expect(view.screen).toEqual(['abc', 'd', 'ef']);
  });

  test('a tail that starts late says how much it skips', async () => {
    const view = start();
    await view.attach({ from: 1_000, tail: 'xy', ended: false });
    expect(view.screen).toEqual([{ skipped: 1_000 }, 'xy']);
  });

  test('a gap resets and says how much was skipped', async () => {
    const view = start();
    await view.attach({ from: 0, tail: 'ab', ended: false });
    view.send({ from: 50, text: 'yz' });
    expect(view.screen).toEqual(['ab', { skipped: 48 }, 'yz']);
  });

  test('output of other calls is not drawn', async () => {
    const view = start();
    await view.attach({ from: 0, tail: '', ended: false });
    view.send({ from: 0, text: 'other' }, 'c2');
    expect(view.screen).toEqual([]);
  });

  test('dispose detaches, and nothing is drawn or acknowledged afterwards', async () => {
    const view = start();
    await view.attach({ from: 0, tail: 'ab', ended: false });
    view.viewer.dispose();
    view.send({ from: 2, text: 'cd' });
    view.drawAll();
    expect(view.screen).toEqual(['ab']);
    expect(view.calls).toEqual([
      ['sessions.attachOutput', { sessionId: 's1', callId: 'c1' }],
      ['sessions.detachOutput', { sessionId: 's1', callId: 'c1' }],
    ]);
  });

  test('a call that ended before attaching is no error', async () => {
    const view = start();
    await view.refuse();
    expect(view.screen).toEqual([]);
  });
});
