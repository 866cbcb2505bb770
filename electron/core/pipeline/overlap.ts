// Calls that the scheduler lets overlap, judged by the model's input, may be given other input by a hook. One that may
// overlap no longer waits until the others of its message have ended, and the others wait for it.
import type { SessionLog } from '../sessions/service';
import { Abandoned } from './abortable';

interface Waiting {
  readonly alone: boolean;
  start(): void;
}

interface Message {
  running: number;
  aloneRuns: boolean;
  readonly waiting: Waiting[];
}

class Overlap {
  private readonly messages = new Map<string, Message>();

  /** Resolves when the call may run, with what must be called at its end; first come, first served. */
  async enter(call: {
    readonly messageId: string;
    readonly alone: boolean;
    readonly signal: AbortSignal;
  }): Promise<() => void> {
    const { messageId, alone, signal } = call;
    const message = this.messages.get(messageId) ?? { running: 0, aloneRuns: false, waiting: [] };
    this.messages.set(messageId, message);
    await new Promise<void>((resolve, reject) => {
      const onAbort = (): void => {
        message.waiting.splice(message.waiting.indexOf(entry), 1);
        this.pump(messageId, message);
        reject(new Abandoned());
      };
      const entry: Waiting = {
        alone,
        start: () => {
          signal.removeEventListener('abort', onAbort);
          resolve();
        },
      };
      message.waiting.push(entry);
      if (signal.aborted) onAbort();
      else signal.addEventListener('abort', onAbort, { once: true });
      this.pump(messageId, message);
    });
    return () => {
      message.running -= 1;
      message.aloneRuns = false;
      this.pump(messageId, message);
    };
  }

  private pump(messageId: string, message: Message): void {
    for (let head = message.waiting[0]; head !== undefined; head = message.waiting[0]) {
      if (message.aloneRuns || (head.alone && message.running > 0)) return;
      message.waiting.shift();
      message.running += 1;
      message.aloneRuns = head.alone;
      head.start();
    }
    if (message.running === 0) this.messages.delete(messageId);
  }
}

/** One for each core, found by the sessions it serves. */
const overlaps = new WeakMap<SessionLog, Overlap>();

export function overlapOf(sessions: SessionLog): Overlap {
  const known = overlaps.get(sessions) ?? new Overlap();
  overlaps.set(sessions, known);
  return known;
}
