// The built thread as the core starts it, over transcripts of some size.
import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { TranscriptFolder } from '../../history/testing/transcripts';
import { ConversationLines, text } from '../../transcripts/testing/conversationLines';
import { ReadingThread } from './readingThread';

const buildThread = fileURLToPath(new URL('../../history/testing/buildThread.mjs', import.meta.url));
const all = { parts: null, tool: null, verdict: null, folder: null, since: null, until: null, origin: null };

let folder: TranscriptFolder;
let thread: ReadingThread;
const told: string[] = [];

beforeAll(() => {
  folder = new TranscriptFolder();
  mkdirSync(join(folder.root, 'dist'));
  const file = join(folder.root, 'dist/searchWorker.mjs');
  execFileSync(process.execPath, [buildThread, file, 'electron/core/search/worker/searchWorker.ts']);
  for (let session = 0; session < 20; session += 1) {
    const lines = new ConversationLines({ sessionId: `s${session}` });
    lines.user(`Conversation ${session}.`);
    for (let call = 0; call < 150; call += 1) {
      lines.call(`m${call}`, { use: `t${call}`, input: { command: `run part${call}` } });
      lines.result(`t${call}`, `line of output ${session} `.repeat(60));
    }
    lines.answer('last', text('The needle.'));
    folder.write(`-srv-app/s${session}.jsonl`, lines.lines);
  }
  const { claudeConfig, data, root } = folder;
  thread = new ReadingThread({
    file,
    places: { claudeConfig, data, home: root, nativeBinding: undefined },
    listener: { onState: ({ phase }) => told.push(phase), onTranscripts: () => undefined },
    onBreakdown: (why) => told.push(why),
  });
});
afterAll(async () => {
  await thread.dispose();
  folder.dispose();
});

it('reads, finds and opens while the core has its time', async () => {
  const delay = monitorEventLoopDelay({ resolution: 2 });
  delay.enable();
  const reading = thread.ask('whenRead', {});
  const { transcripts } = await thread.ask('transcripts', {});
  expect(transcripts).toHaveLength(20);
  const opened = await thread.ask('open', { id: transcripts[0]?.id ?? '', items: 50 });
  expect([opened.state.items.length, opened.state.callsMade, opened.skipped]).toEqual([50, 150, 0]);
  expect(await reading).toEqual({ phase: 'idle', done: 20, conversations: 20, problem: '' });
  const found = await thread.ask('find', { text: 'needle', filter: all, from: 0, count: 5 });
  expect([found.total, found.conversations, found.hits.length]).toEqual([20, 20, 5]);
  delay.disable();
  // In a quiet moment it is some thousandths of a second; tests run beside others.
  expect(delay.percentile(50) / 1e6).toBeLessThan(50);
  expect(told.at(-1)).toBe('idle');
});
