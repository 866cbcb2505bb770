// The core's side of the thread: started at first use, started again at the next use after it broke down.
import { Worker } from 'node:worker_threads';
import { RpcError } from '#shared/rpc/errors';
import type { Answer, Question, QuestionName, ThreadReply, ThreadRequest, ViewEvent } from './messages';

/** Memory that the thread may use, in MB; with more it ends, and the core goes on. */
const heapMb = 1_024;
/** How long an ending thread may take to close its files, in milliseconds. */
const endMs = 2_000;

export interface ThreadOptions {
  /** The built program of the thread. */
  readonly file: string;
  readonly onEvent: (event: ViewEvent) => void;
  /** The thread ended by itself; in words, why. What it had open is closed. */
  readonly onBreakdown: (why: string) => void;
}

interface Waiting {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
}

export class ResultsThread {
  private worker: Worker | null = null;
  private readonly waiting = new Map<number, Waiting>();
  private lastId = 0;
  private disposed = false;
  private onEnded: () => void = () => undefined;

  constructor(private readonly options: ThreadOptions) {}

  /** Throws RpcError for what the asker can do something about. */
  async ask<N extends QuestionName>(name: N, question: Question<N>): Promise<Answer<N>> {
    if (this.disposed) throw new RpcError('unavailable', 'Gatehouse is closing.');
    const worker = this.worker ?? this.start();
    this.lastId += 1;
    const id = this.lastId;
    return await new Promise<Answer<N>>((resolve, reject) => {
      this.waiting.set(id, { resolve: (value) => resolve(value as Answer<N>), reject });
      worker.postMessage({ type: 'ask', id, asked: { name, question } });
    });
  }

  /** Starts the thread before anything is asked, so that the first answer comes sooner. */
  warm(): void {
    if (!this.disposed) this.worker ??= this.start();
  }

  async dispose(): Promise<void> {
    this.disposed = true;
    const { worker } = this;
    if (worker === null) return;
    const ended = new Promise<void>((resolve) => {
      this.onEnded = resolve;
      setTimeout(resolve, endMs).unref();
    });
    const request: ThreadRequest = { type: 'end' };
    worker.postMessage(request);
    await ended;
    await worker.terminate();
    this.rejectAll(new RpcError('unavailable', 'Gatehouse is closing.'));
  }

  private start(): Worker {
    const worker = new Worker(unpacked(this.options.file), {
      resourceLimits: { maxOldGenerationSizeMb: heapMb },
      // It looks into the files it is told of and knows nothing of this process's surroundings.
      env: {},
      stdin: false,
    });
    // Alone it is no reason for a program to go on.
    worker.unref();
    let why = 'it ended without a reason';
    worker.on('message', (reply: ThreadReply) => this.receive(reply));
    worker.on('messageerror', () => undefined);
    worker.on('error', (error: NodeJS.ErrnoException) => {
      why = error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? 'it needed too much memory' : error.message;
    });
    worker.once('exit', () => this.breakDown(worker, why));
    this.worker = worker;
    return worker;
  }

  private receive(reply: ThreadReply): void {
    switch (reply.type) {
      case 'answer':
        this.settle(reply.id)?.resolve(reply.value);
        return;
      case 'failed':
        this.settle(reply.id)?.reject(
          reply.code === 'internal' ? new Error(reply.message) : new RpcError(reply.code, reply.message),
        );
        return;
      case 'event':
        this.options.onEvent(reply.event);
        return;
      case 'ended':
        this.onEnded();
        return;
    }
  }

  private settle(id: number): Waiting | undefined {
    const waiting = this.waiting.get(id);
    this.waiting.delete(id);
    return waiting;
  }

  private breakDown(worker: Worker, why: string): void {
    if (this.worker !== worker) return;
    this.worker = null;
    this.onEnded();
    if (this.disposed) return;
    this.options.onBreakdown(why);
    this.rejectAll(new RpcError('unavailable', `Looking into the file broke off: ${why}. Open it again.`));
  }

  private rejectAll(error: Error): void {
    const all = [...this.waiting.values()];
    this.waiting.clear();
    for (const { reject } of all) reject(error);
  }
}

/** In a packed app what a thread loads lies outside of the archive, which threads do not see into. */
const unpacked = (file: string): string => file.replace(/([\\/])app\.asar([\\/])/, '$1app.asar.unpacked$2');
