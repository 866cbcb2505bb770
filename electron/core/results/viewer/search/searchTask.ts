// Where a search runs: in a thread of its own, so that an expression that never ends can be ended.
import { setImmediate as afterOthers } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import type { SearchEvents, SearchJob, StartSearch } from './fileSearch';
import type { MatchBatch } from './matchStore';
import { searchFile } from './searchFile';

/** Memory that a search may use, in MB. */
const heapMb = 192;
/** Of it, for what is soon forgotten: pieces of the file as text. */
const youngMb = 8;
/** Told at least so often, in milliseconds, so that it is known to be at work. */
const tellEveryMs = 50;

export type TaskReply =
  | { readonly type: 'batch'; readonly batch: MatchBatch }
  | { readonly type: 'end'; readonly problem: string };

/** Searches in a thread made of the program `file`. */
export const searchInThread =
  (file: string): StartSearch =>
  (job, events) => {
    const worker = new Worker(file, {
      workerData: { search: job },
      resourceLimits: { maxOldGenerationSizeMb: heapMb, maxYoungGenerationSizeMb: youngMb },
      env: {},
      stdin: false,
    });
    worker.unref();
    let ended = false;
    const end = (problem: string): void => {
      if (ended) return;
      ended = true;
      events.onEnd(problem);
    };
    worker.on('message', (reply: TaskReply) => {
      if (reply.type === 'batch') events.onBatch(reply.batch);
      else end(reply.problem);
    });
    worker.on('error', (error: NodeJS.ErrnoException) =>
      end(
        error.code === 'ERR_WORKER_OUT_OF_MEMORY'
          ? 'The search needed too much memory and was ended. Look for something more particular.'
          : `The search broke off (${error.message}). Begin it again.`,
      ),
    );
    worker.once('exit', () => end('The search broke off. Begin it again.'));
    return {
      stop: async () => {
        ended = true;
        await worker.terminate();
      },
    };
  };

/** Searches in this thread, between its other work: nothing ends a slow expression. */
export const searchHere: StartSearch = (job, events) => {
  let stopped = false;
  const done = run(job, events, () => stopped);
  return {
    stop: async () => {
      stopped = true;
      await done;
    },
  };
};

async function run(job: SearchJob, events: SearchEvents, isStopped: () => boolean): Promise<void> {
  try {
    for (const batch of searchFile(job)) {
      await afterOthers();
      if (isStopped()) return;
      events.onBatch(batch);
    }
    events.onEnd('');
  } catch (error) {
    events.onEnd(readingFailed(error));
  }
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
