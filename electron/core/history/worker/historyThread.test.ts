import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { noSources } from '../../permissions/combineSources';
import { HistoryThread } from './historyThread';

let folder: string;
let thread: HistoryThread;
let told: string[];
let broken: string[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-thread-'));
  told = [];
  broken = [];
});
afterEach(async () => {
  await thread.dispose();
  rmSync(folder, { recursive: true, force: true });
});

/** A thread whose program answers a request as `code` says; `reply` sends, `places` is what it was given. */
function threadThat(code: string): HistoryThread {
  const file = join(folder, 'thread.mjs');
  writeFileSync(
    file,
    `import { parentPort, workerData as places } from 'node:worker_threads';
const reply = (message) => parentPort.postMessage(message);
const seen = [];
parentPort.on('message', (request) => {
  seen.push(request);
  if (request.type === 'end') return reply({ type: 'ended' });
  ${code}
});`,
  );
  thread = new HistoryThread({
    file,
    places: {
      claudeConfig: '/srv/claude',
      nativeBinding: undefined,
      replay: { home: '/srv', platform: 'linux', data: '/srv/data', privateFiles: [] },
    },
    onState: (state) => told.push(state.folder),
    onBreakdown: (why) => broken.push(why),
  });
  return thread;
}

const never = new AbortController().signal;
const ask = (signal = never) => thread.ask('projectOf', { id: 'a' }, signal);
const answer = (value: string) => `reply({ type: 'answer', id: request.id, value: ${value} });`;

it('asks with what it was started with and gives the answer', async () => {
  threadThat(
    `if (request.type === 'ask') ${answer('[places.claudeConfig, request.asked, Object.keys(process.env).length]')}`,
  );
  expect(await ask()).toEqual(['/srv/claude', { name: 'projectOf', question: { id: 'a' } }, 0]);
});

it('passes on what the thread tells and why it refuses', async () => {
  threadThat(`reply({ type: 'state', state: { folder: 'here' } });
    reply({ type: 'failed', id: request.id, code: 'notFound', message: 'It is gone.' });`);
  await expect(ask()).rejects.toMatchObject({ name: 'RpcError', code: 'notFound', message: 'It is gone.' });
  expect(told).toEqual(['here']);
});

it('tells the thread that nobody waits any more', async () => {
  threadThat(`if (request.asked?.question.id === 'b') ${answer('seen.map((one) => one.type)')}`);
  const stop = new AbortController();
  const asking = ask(stop.signal);
  stop.abort();
  await expect(asking).rejects.toMatchObject({ code: 'cancelled' });
  expect(await thread.ask('projectOf', { id: 'b' }, never)).toEqual(['ask', 'cancel', 'ask']);
  await expect(ask(stop.signal)).rejects.toMatchObject({ code: 'cancelled' });
});

it.each([
  ['throws', "throw new Error('a bug');", 'a bug'],
  ['ends', 'process.exit(1);', 'it ended without a reason'],
])(
  'says so when the thread %s, and starts it again at the next use with all it must know',
  async (_name, code, why) => {
    threadThat(`if (request.asked?.question.id === 'crash') { ${code} }
    if (request.asked?.question.id === 'a') ${answer('seen.map((one) => [one.type, one.number])')}`);
    thread.learnPolicy(1, noSources('/srv/gone'));
    thread.learnPolicy(2, noSources('/srv/app'));
    expect(await ask()).toEqual([
      ['policy', 1],
      ['policy', 2],
      ['ask', undefined],
    ]);
    thread.forgetPolicy(1);
    const [first, second] = await Promise.allSettled([
      thread.ask('projectOf', { id: 'crash' }, never),
      thread.ask('projectOf', { id: 'other' }, never),
    ]);
    for (const one of [first, second])
      expect(one).toMatchObject({
        status: 'rejected',
        reason: {
          code: 'unavailable',
          message: `Looking through past calls broke off: ${why}. It starts again when you next ask for them.`,
        },
      });
    expect(broken).toEqual([why]);
    expect(await ask()).toEqual([
      ['policy', 2],
      ['ask', undefined],
    ]);
  },
);

it('has nothing left when it ends', async () => {
  threadThat('');
  const asking = ask();
  await Promise.all([expect(asking).rejects.toMatchObject({ code: 'unavailable' }), thread.dispose()]);
  await expect(ask()).rejects.toMatchObject({ code: 'unavailable', message: 'Gatehouse is closing.' });
  expect(broken).toEqual([]);
});
