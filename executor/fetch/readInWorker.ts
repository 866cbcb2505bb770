import { Worker } from 'node:worker_threads';
import { oneAtATime } from '../files/oneAtATime';
import { FetchStopped } from './failure';
import type { ReadablePage } from './readable';

/** How long a page may take to be made readable, in milliseconds, and how much memory, in MB. */
const readMs = 20_000;
const heapMb = 512;

/** Makes HTML readable within bounds. `signal` ends it early. */
export type ReadPage = (page: {
  readonly html: string;
  readonly url: string;
  readonly signal: AbortSignal;
}) => Promise<ReadablePage>;

/** A thread's program that is built beside `own`; in a packed app outside of the archive, which threads do not see into. */
export function fileBeside(name: string, own: string): URL {
  const file = new URL(name, own);
  return new URL(file.href.replace(/\/app\.asar\//, '/app.asar.unpacked/'));
}

/** Reads each page in a thread of its own, started from `file`. A page that is too much for it throws FetchStopped. */
export function createPageReader(file: URL, limits = { readMs, heapMb }): ReadPage {
  // Several at once could need more memory than there is.
  return (page) => oneAtATime(() => inThread(page, { file, limits }));
}

function inThread(
  { html, url, signal }: Parameters<ReadPage>[0],
  { file, limits }: { readonly file: URL; readonly limits: { readonly readMs: number; readonly heapMb: number } },
): Promise<ReadablePage> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    const worker = new Worker(file, {
      workerData: { html, url },
      resourceLimits: { maxOldGenerationSizeMb: limits.heapMb },
      // Nothing of the executor's surroundings is of use to a page.
      env: {},
      stdin: false,
      stdout: true,
      stderr: true,
    });
    const end = (settle: () => void): void => {
      clearTimeout(late);
      signal.removeEventListener('abort', onAbort);
      void worker.terminate();
      settle();
    };
    const fail = (why: string): void =>
      end(() => reject(new FetchStopped('unreadable', `The page could not be made readable: ${why}.`)));
    const late = setTimeout(() => fail('it took too long'), limits.readMs);
    const onAbort = (): void => end(() => reject(signal.reason));
    signal.addEventListener('abort', onAbort, { once: true });
    worker.once('message', (page: ReadablePage) => end(() => resolve(page)));
    worker.once('error', (error: NodeJS.ErrnoException) =>
      fail(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? 'it needs too much memory' : 'its HTML is too odd'),
    );
    worker.once('exit', () => fail('reading it ended early'));
  });
}
