// The core's side of the thread that reads conversations: started at first use, and again at the next use after it broke down.
import { Worker } from 'node:worker_threads';
import { RpcError } from '#shared/rpc/errors';
import type {
  Answer,
  ConversationReading,
  Question,
  QuestionName,
  ReadingListener,
  ReadingPlaces,
  ReadingReply,
  ReadingRequest,
} from './messages';

/** Memory that the thread may use, in MB; with more it ends, and the core goes on. */
const heapMb = 2_048;
/** How long an ending thread may take to close its files, in milliseconds. */
const endMs = 2_000;

export interface ThreadOptions {
  /** The built program of the thread. */
  readonly file: string;
  readonly places: ReadingPlaces;
  readonly listener: ReadingListener;
  /** The thread ended by itself; in words, why. */
  readonly onBreakdown: (why: string) => void;
}

interface Waiting {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
}

export class ReadingThread implements ConversationReading {
  private worker: Worker | null = null;
  private readonly waiting = new Map<number, Waiting>();
  private lastId = 0;
  private disposed = false;
  private onEnded: () => void = () => undefined;

  constructor(private readonly options: ThreadOptions) {}

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

  async dispose(): Promise<void> {
    this.disposed = true;
    const { worker } = this;
    if (worker === null) return;
    const ended = new Promise<void>((resolve) => {
      this.onEnded = resolve;
      setTimeout(resolve, endMs).unref();
    });
    const end: ReadingRequest = { type: 'end' };
    worker.postMessage(end);
    await ended;
    await worker.terminate();
    this.rejectAll(new RpcError('unavailable', 'Gatehouse is closing.'));
  }

  private start(): Worker {
    const { file, places } = this.options;
    const { nativeBinding } = places;
    const worker = new Worker(unpacked(file), {
      workerData: { ...places, nativeBinding: nativeBinding === undefined ? undefined : unpacked(nativeBinding) },
      resourceLimits: { maxOldGenerationSizeMb: heapMb },
      // It reads what it is told to, whatever this process's surroundings are.
      env: {},
      stdin: false,
    });
    // Alone it is no reason for a program to go on.
    worker.unref();
    let why = 'it ended without a reason';
    worker.on('message', (reply: ReadingReply) => this.receive(reply));
    worker.on('messageerror', () => undefined);
    worker.on('error', (error: NodeJS.ErrnoException) => {
      why = error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? 'it needed too much memory' : error.message;
    });
    worker.once('exit', () => this.breakDown(worker, why));
    this.worker = worker;
    return worker;
  }

  private receive(reply: ReadingReply): void {
    const { listener } = this.options;
    switch (reply.type) {
      case 'answer':
        this.settle(reply.id)?.resolve(reply.value);
        return;
      case 'failed':
        this.settle(reply.id)?.reject(
          reply.code === 'internal' ? new Error(reply.message) : new RpcError(reply.code, reply.message),
        );
        return;
      case 'state':
        listener.onState(reply.state);
        return;
      case 'transcripts':
        listener.onTranscripts();
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
    this.rejectAll(new RpcError('unavailable', breakdownText(why)));
  }

  private rejectAll(error: Error): void {
    const all = [...this.waiting.values()];
    this.waiting.clear();
    for (const { reject } of all) reject(error);
  }
}

/** For people: the fact, the cause and what comes next. */
export const breakdownText = (why: string): string =>
  `Reading conversations broke off: ${why}. It starts again when you next search or open one.`;

/** In a packed app what a thread loads lies outside of the archive, which threads do not see into. */
const unpacked = (file: string): string => file.replace(/([\\/])app\.asar([\\/])/, '$1app.asar.unpacked$2');
