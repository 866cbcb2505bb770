// The thread's side: questions in, answers out.
import { RpcError } from '#shared/rpc/errors';
import type { ThreadOrder, ThreadReply } from './askedThread';

/** Answers the orders that `receive` is called with. `dispose` closes what is open before the thread ends. */
export function serveAsked<Asked, More extends { readonly type: string } = never>(options: {
  answer(asked: Asked, signal: AbortSignal): Promise<unknown>;
  /** What it is told beside questions. */
  hear?(more: More): void;
  dispose(): Promise<void>;
  readonly reply: (reply: ThreadReply) => void;
}): { receive(order: ThreadOrder<Asked> | More): void } {
  const { reply } = options;
  const running = new Map<number, AbortController>();

  async function answer(id: number, asked: Asked): Promise<void> {
    const cancel = new AbortController();
    running.set(id, cancel);
    try {
      reply({ type: 'answer', id, value: await options.answer(asked, cancel.signal) });
    } catch (error) {
      reply({ type: 'failed', id, ...failureOf(error) });
    } finally {
      running.delete(id);
    }
  }

  return {
    receive(order) {
      if (isOwn(order)) options.hear?.(order);
      else if (order.type === 'ask') void answer(order.id, order.asked);
      else if (order.type === 'cancel') running.get(order.id)?.abort();
      else {
        for (const cancel of running.values()) cancel.abort();
        void options.dispose().finally(() => reply({ type: 'ended' }));
      }
    },
  };
}

function isOwn<Asked, More extends { readonly type: string }>(order: ThreadOrder<Asked> | More): order is More {
  return order.type !== 'ask' && order.type !== 'cancel' && order.type !== 'end';
}

/** An error as it crosses between threads. */
export function failureOf(error: unknown): { readonly code: RpcError['code']; readonly message: string } {
  if (error instanceof RpcError) return { code: error.code, message: error.message };
  const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { code: 'internal', message };
}
