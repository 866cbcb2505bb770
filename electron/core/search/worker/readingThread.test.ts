import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ReadingThread } from './readingThread';

let folder: string;
let thread: ReadingThread;
let told: string[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-reading-'));
  told = [];
});
afterEach(async () => {
  await thread.dispose();
  rmSync(folder, { recursive: true, force: true });
});

/** A thread whose program answers a request as `code` says; `reply` sends, `places` is what it was given. */
function threadThat(code: string): void {
  const file = join(folder, 'thread.mjs');
  writeFileSync(
    file,
    `import { parentPort, workerData as places } from 'node:worker_threads';
const reply = (message) => parentPort.postMessage(message);
const answer = (request, value) => reply({ type: 'answer', id: request.id, value });
parentPort.on('message', (request) => {
  if (request.type === 'end') return reply({ type: 'ended' });
  ${code}
});`,
  );
  thread = new ReadingThread({
    file,
    places: { claudeConfig: '/srv/claude', data: '/srv/data', home: '/srv', nativeBinding: undefined },
    listener: {
      onState: ({ phase }) => told.push(phase),
      onTranscripts: () => told.push('transcripts'),
    },
    onBreakdown: (why) => told.push(why),
  });
}

const ask = (callId = 'a') => thread.ask('call', { id: 't', callId });

it('asks with what it was started with, passes on what it is told, and why it refuses', async () => {
  threadThat(`if (request.asked.question.callId === 'x')
    return reply({ type: 'failed', id: request.id, code: 'notFound', message: 'It is gone.' });
  reply({ type: 'state', state: { phase: 'reading' } });
  reply({ type: 'transcripts' });
  answer(request, [places.data, request.asked, Object.keys(process.env).length]);`);
  expect(await ask()).toEqual(['/srv/data', { name: 'call', question: { id: 't', callId: 'a' } }, 0]);
  await expect(ask('x')).rejects.toMatchObject({ name: 'RpcError', code: 'notFound', message: 'It is gone.' });
  expect(told).toEqual(['reading', 'transcripts']);
});

it.each([
  ['throws', "throw new Error('a bug');", 'a bug'],
  ['ends', 'process.exit(1);', 'it ended without a reason'],
])('says so when the thread %s, and starts it again at the next use', async (_name, code, why) => {
  threadThat(
    `if (request.asked.question.callId === 'crash') { ${code} } else if (request.asked.question.callId === 'a') answer(request, 1);`,
  );
  expect(await ask()).toBe(1);
  const message = `Reading conversations broke off: ${why}. It starts again when you next search or open one.`;
  for (const one of await Promise.allSettled([ask('crash'), ask('other')]))
    expect(one).toMatchObject({ status: 'rejected', reason: { code: 'unavailable', message } });
  expect([await ask(), told]).toEqual([1, [why]]);
});

it('has nothing left when it ends', async () => {
  threadThat('');
  const asking = ask();
  await Promise.all([expect(asking).rejects.toMatchObject({ code: 'unavailable' }), thread.dispose()]);
  await expect(ask()).rejects.toMatchObject({ code: 'unavailable', message: 'Gatehouse is closing.' });
  expect(told).toEqual([]);
});
