// The core's side of a thread that answers questions: started at first use, and again at the next use after it broke down.
import { Worker } from 'node:worker_threads';
import { RpcError, type RpcErrorCode } from '#shared/rpc/errors';

/** How long an ending thread may take to close its files, in milliseconds. */
const endMs = 2_000;

/** What every such thread is told. It answers `end` with `ended` once its files are closed. */
export type ThreadOrder<Asked> =
  | { readonly type: 'ask'; readonly id: number; readonly asked: Asked }
  | { readonly type: 'cancel'; readonly id: number }
  | { readonly type: 'end' };

/** What every such thread says. `internal`: a fault of its own, not of the question. */
export type ThreadReply =
  | { readonly type: 'answer'; readonly id: number; readonly value: unknown }
  | { readonly type: 'failed'; readonly id: number; readonly code: RpcErrorCode; readonly message: string }
  | { readonly type: 'ended' };

export interface AskedThreadOptions<Told> {
  /** The built program of the thread. */
  readonly file: string;
  /** Its `workerData`; a `nativeBinding` is found outside of a packed app's archive. */
  readonly data?: { readonly nativeBinding?: string | undefined };
  /** Memory that it may use, in MB; with more it ends, and the core goes on. */
  readonly heapMb: number;
  /** What it says beside answers. */
  readonly onTold: (told: Told) => void;
  /** It ended by itself; in words, why. */
  readonly onBreakdown: (why: string) => void;
  /** The same for those who wait for answers: the fact, the cause and what comes next. */
  readonly brokenText: (why: string) => string;
}

interface Waiting {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
}

/** `Asked`: a question with its name. `Told`: what it says beside answers. `More`: what it is told beside questions. */
export class AskedThread<Asked, Told extends { readonly type: string }, More = never> {
  private worker: Worker | null = null;
  private readonly waiting = new Map<number, Waiting>();
  private lastId = 0;
  private disposed = false;
  private onEnded: () => void = () => undefined;

  constructor(private readonly options: AskedThreadOptions<Told>) {}

  /** Throws RpcError for what the asker can do something about; `cancelled` when `signal` fires. */
  async ask(asked: Asked, signal?: AbortSignal): Promise<unknown> {
    if (this.disposed) throw closing();
    if (signal?.aborted === true) throw cancelled();
    const worker = this.worker ?? this.start();
    this.lastId += 1;
    const id = this.lastId;
    const onAbort = (): void => {
      this.send(worker, { type: 'cancel', id });
      this.settle(id)?.reject(cancelled());
    };
    signal?.addEventListener('abort', onAbort, { once: true });
    try {
      return await new Promise<unknown>((resolve, reject) => {
        this.waiting.set(id, { resolve, reject });
        this.send(worker, { type: 'ask', id, asked });
      });
    } finally {
      signal?.removeEventListener('abort', onAbort);
      this.waiting.delete(id);
    }
  }

  /** Tells it something where it runs; a thread that is started later has to be told by whoever starts it. */
  tell(more: More): void {
    if (this.worker !== null) this.send(this.worker, more);
  }

  get runs(): boolean {
    return this.worker !== null;
  }

  /** Starts it before anything is asked, so that the first answer comes sooner. */
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
    this.send(worker, { type: 'end' });
    await ended;
    await worker.terminate();
    this.rejectAll(closing());
  }

  private start(): Worker {
    const { file, data, heapMb } = this.options;
    const nativeBinding = data?.nativeBinding;
    const worker = new Worker(unpacked(file), {
      workerData: { ...data, nativeBinding: nativeBinding === undefined ? undefined : unpacked(nativeBinding) },
      resourceLimits: { maxOldGenerationSizeMb: heapMb },
      // It goes by what it is told, never by this process's surroundings.
      env: {},
      stdin: false,
    });
    // Alone it is no reason for a program to go on.
    worker.unref();
    let why = 'it ended without a reason';
    worker.on('message', (reply: ThreadReply | Told) => this.receive(reply));
    worker.on('messageerror', () => undefined);
    worker.on('error', (error: NodeJS.ErrnoException) => {
      why = error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? 'it needed too much memory' : error.message;
    });
    worker.once('exit', () => this.breakDown(worker, why));
    this.worker = worker;
    return worker;
  }

  private send(worker: Worker, order: ThreadOrder<Asked> | More): void {
    worker.postMessage(order);
  }

  private receive(reply: ThreadReply | Told): void {
    if (isReply(reply)) this.settleBy(reply);
    else this.options.onTold(reply);
  }

  private settleBy(reply: ThreadReply): void {
    switch (reply.type) {
      case 'answer':
        this.settle(reply.id)?.resolve(reply.value);
        return;
      case 'failed':
        this.settle(reply.id)?.reject(
          reply.code === 'internal' ? new Error(reply.message) : new RpcError(reply.code, reply.message),
        );
        return;
      case 'ended':
        this.onEnded();
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
    this.rejectAll(new RpcError('unavailable', this.options.brokenText(why)));
  }

  private rejectAll(error: Error): void {
    const all = [...this.waiting.values()];
    this.waiting.clear();
    for (const { reject } of all) reject(error);
  }
}

function isReply(reply: { readonly type: string }): reply is ThreadReply {
  return reply.type === 'answer' || reply.type === 'failed' || reply.type === 'ended';
}

const closing = (): RpcError => new RpcError('unavailable', 'Gatehouse is closing.');
const cancelled = (): RpcError => new RpcError('cancelled', 'Nobody waits for this answer any more.');

/** In a packed app what a thread loads lies outside of the archive, which threads do not see into. */
const unpacked = (file: string): string => file.replace(/([\\/])app\.asar([\\/])/, '$1app.asar.unpacked$2');
