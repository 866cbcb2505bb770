// Text of PDF files. They are read in a worker that is ended when it takes too long or too much memory.
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { OperationAnswers, OperationFailure } from '#shared/api/executor';
import type { CancelSignal } from '#shared/rpc/contract';
import { failure } from '../failure';
import type { PdfAnswer, PdfRequest } from '../pdf/contract';
import { oneAtATime } from './oneAtATime';

/** Larger files are not loaded. */
export const largestPdf = 100_000_000;
const readMs = 30_000;
/** What the process may grow by meanwhile, in bytes: unpacked streams lie outside of the worker's own heap. */
const memoryBytes = 512 * 1024 * 1024;
const heapMegabytes = 512;
const watchMs = 25;

type Pages = Pick<Extract<OperationAnswers['file.read'], { kind: 'pdf' }>, 'totalPages' | 'pages'>;

/** Beside the executor's own file; in a packed app outside of the archive, which threads do not see into. */
const program = () =>
  fileURLToPath(new URL('./pdfWorker.mjs', import.meta.url)).replace(
    /\bapp\.asar\b(?!\.unpacked)/,
    'app.asar.unpacked',
  );

/** The text of the pages asked for. `named` is what messages call the file. */
export function readPdf(request: PdfRequest, named: string, signal: CancelSignal): Promise<Pages | OperationFailure> {
  return oneAtATime(() => inWorker(request, named, signal));
}

async function inWorker(request: PdfRequest, named: string, signal: CancelSignal): Promise<Pages | OperationFailure> {
  const damaged = (reason: string) => failure('damaged', `${named} could not be read as a PDF: ${reason}.`);
  if (signal.cancelled) return damaged('the call was cancelled');
  // Its output is the library's chatter about faults in files; it goes nowhere.
  const worker = new Worker(program(), {
    workerData: request,
    env: {},
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: heapMegabytes },
  });
  const stops: (() => void)[] = [];
  try {
    const answer = await new Promise<PdfAnswer>((resolve) => {
      const giveUp = (reason: string) => resolve({ kind: 'damaged', reason });
      worker.once('message', (message: PdfAnswer) => resolve(message));
      worker.once('error', (error) => giveUp(reasonOf(error)));
      worker.once('exit', () => giveUp('its reader ended'));
      stops.push(watch(giveUp));
      stops.push(signal.onCancel(() => giveUp('the call was cancelled')));
    });
    if (answer.kind === 'damaged') return damaged(withoutStop(answer.reason));
    if (answer.kind === 'locked')
      return failure('locked', `${named} is protected by a password. Ask the person for an unprotected copy.`);
    const { totalPages, pages } = answer;
    return { totalPages, pages: [...pages] };
  } finally {
    for (const stop of stops) stop();
    await worker.terminate();
  }
}

/** Calls `stop` once when time or memory is used up. Answers with what ends the watch. */
function watch(stop: (reason: string) => void): () => void {
  const startedAt = performance.now();
  const before = process.memoryUsage.rss();
  const timer = setInterval(() => {
    const late = performance.now() - startedAt > readMs;
    const full = process.memoryUsage.rss() - before > memoryBytes;
    if (!late && !full) return;
    clearInterval(timer);
    stop(late ? `it was not done after ${readMs / 1_000} s` : 'it needs too much memory');
  }, watchMs);
  return () => clearInterval(timer);
}

function reasonOf(error: Error): string {
  if ('code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY') return 'it needs too much memory';
  return error.message;
}

const withoutStop = (text: string) => text.trim().replace(/\.$/, '');
