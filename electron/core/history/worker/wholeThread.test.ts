// The built thread as the core starts it, over transcripts of some size.
import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { HistoryState } from '#shared/api/history';
import { TranscriptFolder } from '../testing/transcripts';
import { HistoryThread } from './historyThread';

const buildThread = fileURLToPath(new URL('../testing/buildThread.mjs', import.meta.url));
const makeSamples = fileURLToPath(new URL('../../../../build/samples.mjs', import.meta.url));
const never = new AbortController().signal;

let folder: TranscriptFolder;
let thread: HistoryThread;
let written: { calls: number; sessions: number };
const states: HistoryState[] = [];
const broken: string[] = [];

beforeAll(() => {
  folder = new TranscriptFolder();
  mkdirSync(join(folder.root, 'dist'));
  const file = join(folder.root, 'dist/historyWorker.mjs');
  execFileSync(process.execPath, [buildThread, file]);
  const make = [makeSamples, folder.claudeConfig, '--bytes', '30000000', '--seed', '5'];
  written = JSON.parse(execFileSync(process.execPath, make, { encoding: 'utf8' }));
  thread = new HistoryThread({
    file,
    places: {
      claudeConfig: folder.claudeConfig,
      nativeBinding: undefined,
      replay: { home: folder.root, platform: 'linux', data: folder.data, privateFiles: [] },
    },
    onState: (state) => states.push(state),
    onBreakdown: (why) => broken.push(why),
  });
});
afterAll(async () => {
  await thread.dispose();
  folder.dispose();
});

it('reads everything, can be paused, and leaves the core its time', async () => {
  const delay = monitorEventLoopDelay({ resolution: 2 });
  delay.enable();
  const done = thread.ask('whenRead', {}, never);
  const paused = await thread.ask('pause', { paused: true }, never);
  expect(paused.phase === 'paused' || paused.filesDone < paused.files || paused.files === 0).toBe(true);
  await thread.ask('pause', { paused: false }, never);
  expect(await done).toMatchObject({ phase: 'idle', calls: written.calls, sessions: written.sessions, problem: '' });
  delay.disable();
  // In a quiet moment it is some thousandths of a second; tests run beside others.
  expect(delay.percentile(50) / 1e6).toBeLessThan(50);
  expect(states.at(-1)?.phase).toBe('idle');
  const { inAll } = await thread.ask(
    'calls',
    { scope: { folder: null, since: 0 }, text: '', offset: 0, limit: 5 },
    never,
  );
  expect(inAll).toBe(written.calls);
  expect(broken).toEqual([]);
});
