// Every host that a command wants is the core's to decide; here the questions wait for its answers.
import { randomBytes } from 'node:crypto';

export interface HostAsk {
  readonly askId: string;
  readonly streamId: string;
  readonly host: string;
  readonly port: number;
  readonly address?: string;
}

export interface HostVerdict {
  readonly allowed: boolean;
  readonly privateAllowed: boolean;
  readonly why: string;
}

/** More than these wait for nobody: a flood of connections is refused, not kept. */
const mostWaiting = 1_000;

export class HostAsks {
  private readonly waiting = new Map<string, (verdict: HostVerdict) => void>();

  constructor(
    private readonly emit: {
      readonly ask: (ask: HostAsk) => void;
      readonly gone: (askId: string) => void;
    },
  ) {}

  /** Asks the core and waits, however long a person takes. An abort withdraws the question and rejects. */
  ask(about: Omit<HostAsk, 'askId'>, signal: AbortSignal): Promise<HostVerdict> {
    if (this.waiting.size >= mostWaiting)
      return Promise.resolve({
        allowed: false,
        privateAllowed: false,
        why: 'Too many connections wait for an answer.',
      });
    return new Promise((resolve, reject) => {
      signal.throwIfAborted();
      const askId = randomBytes(12).toString('hex');
      const onAbort = (): void => {
        this.waiting.delete(askId);
        this.emit.gone(askId);
        reject(new Error('withdrawn'));
      };
      this.waiting.set(askId, (verdict) => {
        signal.removeEventListener('abort', onAbort);
        resolve(verdict);
      });
      signal.addEventListener('abort', onAbort, { once: true });
      this.emit.ask({ askId, ...about });
    });
  }

  /** One that nobody waits for is passed over. */
  answer({ askId, ...verdict }: HostVerdict & { readonly askId: string }): void {
    const resolve = this.waiting.get(askId);
    this.waiting.delete(askId);
    resolve?.(verdict);
  }
}
