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
 * Searches in threads made of the program `file`. One that has ended waits a while for the next, because starting a thread
 * takes longer than most searches.
 */
export function searchInThread(file: string): Searcher {
  let spare: SearchThread | null = null;
  const forget = (thread: SearchThread): void => {
    if (spare === thread) spare = null;
  };
  const wait = (thread: SearchThread): void => {
    if (spare !== null) {
      void thread.end();
      return;
    }
    spare = thread;
    thread.endAfter(spareMs, () => forget(thread));
  };
  return {
    warm() {
      if (spare === null) wait(new SearchThread(file, forget));
    },
    start(job, events) {
      const thread = spare ?? new SearchThread(file, forget);
      spare = null;
      let ended = false;
      thread.run(job, {
        onBatch: (batch) => events.onBatch(batch),
        onEnd(problem, isAlive) {
          ended = true;
          if (isAlive) wait(thread);
          events.onEnd(problem);
        },
      });
      return { stop: async () => (ended ? undefined : await thread.end()) };
    },
  };
}

interface ThreadEvents {
  onBatch(batch: MatchBatch): void;
  onEnd(problem: string, isAlive: boolean): void;
}

class SearchThread {
  private readonly worker: Worker;
  private current: ThreadEvents | null = null;
  private timer: NodeJS.Timeout | undefined;

  /** `onGone`: the thread has ended, by itself or not. */
  constructor(file: string, onGone: (thread: SearchThread) => void) {
    this.worker = new Worker(file, {
      workerData: { search: true },
      resourceLimits: { maxOldGenerationSizeMb: heapMb, maxYoungGenerationSizeMb: youngMb },
      env: {},
      stdin: false,
    });
    this.worker.unref();
    this.worker.on('message', (reply: TaskReply) => {
      if (reply.type === 'batch') this.current?.onBatch(reply.batch);
      else this.finish(reply.problem, true);
    });
    this.worker.on('error', (error: NodeJS.ErrnoException) =>
      this.finish(
        error.code === 'ERR_WORKER_OUT_OF_MEMORY'
          ? 'The search needed too much memory and was ended. Look for something more particular.'
          : `The search broke off (${error.message}). Begin it again.`,
        false,
      ),
    );
    this.worker.once('exit', () => {
      clearTimeout(this.timer);
      this.finish('The search broke off. Begin it again.', false);
      onGone(this);
    });
  }

  run(job: SearchJob, events: ThreadEvents): void {
    clearTimeout(this.timer);
    this.current = events;
    this.worker.postMessage(job);
  }

  /** Ends it at once; nothing more is told. */
  async end(): Promise<void> {
    this.current = null;
    await this.worker.terminate();
  }

  endAfter(ms: number, onEnd: () => void): void {
    this.timer = setTimeout(() => {
      onEnd();
      void this.end();
    }, ms);
    this.timer.unref();
  }

  private finish(problem: string, isAlive: boolean): void {
    const { current } = this;
    this.current = null;
    current?.onEnd(problem, isAlive);
  }
}

const nothingYet: MatchBatch = {
  starts: new Float64Array(),
  lengths: new Uint32Array(),
  firsts: new Uint8Array(),
  bytesDone: 0,
};

/** The thread's side: searches until the end and tells what it finds. */
export function runSearch(job: SearchJob, tell: (reply: TaskReply) => void): void {
  let toldAt = 0;
  tell({ type: 'batch', batch: nothingYet });
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
