// Where a search runs: in a thread of its own, so that an expression that never ends can be ended.
import { Worker } from 'node:worker_threads';
import type { Searcher, SearchJob } from './fileSearch';
import type { MatchBatch } from './matchStore';
import { searchFile } from './searchFile';

/** Memory that a search may use, in MB. */
const heapMb = 192;
/** Of it, for what is soon forgotten: pieces of the file as text. */
const youngMb = 4;
/** How long an idle thread waits for the next search, in milliseconds. */
const spareMs = 30_000;
/** Told at least so often, in milliseconds, so that it is known to be at work. */
const tellEveryMs = 50;

export type TaskReply =
  | { readonly type: 'batch'; readonly batch: MatchBatch }
  | { readonly type: 'end'; readonly problem: string };

/**
 * Searches in a thread made of the program `file`. One that has ended waits a while for the next, because starting a thread
 * takes longer than most searches.
 */
export function searchInThread(file: string): Searcher {
  const spare = new SpareThread(() => startThread(file));
  const start: Searcher['start'] = (job, events) => {
    const worker = spare.take();
    let ended = false;
    const end = (problem: string): void => {
      if (ended) return;
      ended = true;
      events.onEnd(problem);
    };
    worker.on('message', (reply: TaskReply) => {
      if (ended) return;
      if (reply.type === 'batch') return events.onBatch(reply.batch);
      spare.giveBack(worker);
      end(reply.problem);
    });
    worker.once('error', (error: NodeJS.ErrnoException) =>
      end(
        error.code === 'ERR_WORKER_OUT_OF_MEMORY'
          ? 'The search needed too much memory and was ended. Look for something more particular.'
          : `The search broke off (${error.message}). Begin it again.`,
      ),
    );
    worker.once('exit', () => end('The search broke off. Begin it again.'));
    worker.postMessage(job);
    return {
      stop: async () => {
        if (ended) return;
        ended = true;
        await worker.terminate();
      },
    };
  };
  return { start, warm: () => spare.warm() };
}

/** Keeps one idle thread for a while. */
class SpareThread {
  private idle: { readonly worker: Worker; readonly timer: NodeJS.Timeout } | null = null;

  constructor(private readonly start: () => Worker) {}

  take(): Worker {
    const { idle } = this;
    if (idle === null) return this.start();
    this.idle = null;
    clearTimeout(idle.timer);
    idle.worker.removeAllListeners();
    return idle.worker;
  }

  warm(): void {
    if (this.idle === null) this.giveBack(this.start());
  }

  giveBack(worker: Worker): void {
    worker.removeAllListeners();
    if (this.idle !== null) {
      void worker.terminate();
      return;
    }
    const timer = setTimeout(() => void worker.terminate(), spareMs);
    timer.unref();
    this.idle = { worker, timer };
    const gone = (): void => {
      clearTimeout(timer);
      this.idle = null;
    };
    worker.once('error', gone);
    worker.once('exit', gone);
  }
}

function startThread(file: string): Worker {
  const worker = new Worker(file, {
    workerData: { search: true },
    resourceLimits: { maxOldGenerationSizeMb: heapMb, maxYoungGenerationSizeMb: youngMb },
    env: {},
    stdin: false,
  });
  worker.unref();
  return worker;
}

/** The thread's side: searches until the end and tells what it finds. */
export function runSearch(job: SearchJob, tell: (reply: TaskReply) => void): void {
  let toldAt = 0;
  try {
    for (const batch of searchFile(job)) {
      const now = performance.now();
      if (batch.starts.length === 0 && now - toldAt < tellEveryMs) continue;
      toldAt = now;
      tell({ type: 'batch', batch });
    }
    tell({ type: 'end', problem: '' });
  } catch (error) {
    tell({ type: 'end', problem: readingFailed(error) });
  }
}

const readingFailed = (error: unknown): string =>
  `The search ended early, because the file cannot be read any more (${error instanceof Error ? error.message : String(error)}).`;
