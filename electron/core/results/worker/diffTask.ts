import { Worker } from 'node:worker_threads';
import { RpcError, type RpcErrorCode } from '#shared/rpc/errors';
import type { Compare } from '../viewer/viewerEngine';
import type { Answer } from './messages';

/** Memory that a comparison may use, in MB. */
const heapMb = 1_024;

export type DiffReply =
  | { readonly ok: true; readonly diff: Answer<'diff'> }
  | { readonly ok: false; readonly code: RpcErrorCode; readonly message: string };

/** Compares in a thread made of the program `file`, because nothing else can be answered meanwhile. */
export const compareInThread =
  (file: string): Compare =>
  async (question) => {
    const worker = new Worker(file, {
      workerData: { diff: question },
      resourceLimits: { maxOldGenerationSizeMb: heapMb },
      env: {},
      stdin: false,
    });
    const reply = await new Promise<DiffReply>((resolve) => {
      const failed = (why: string): void =>
        resolve({ ok: false, code: 'unavailable', message: `Comparing the files broke off: ${why}. Try again.` });
      worker.once('message', resolve);
      worker.once('error', (error: NodeJS.ErrnoException) =>
        failed(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? 'it needed too much memory' : error.message),
      );
      worker.once('exit', () => failed('it ended without a reason'));
    });
    await worker.terminate();
    if (reply.ok) return reply.diff;
    throw reply.code === 'internal' ? new Error(reply.message) : new RpcError(reply.code, reply.message);
  };
