// The thread's side of the messages.
import { RpcError } from '#shared/rpc/errors';
import type { Searcher } from '../viewer/search/fileSearch';
import { type Compare, ViewerEngine } from '../viewer/viewerEngine';
import type { ThreadReply, ThreadRequest } from './messages';

/** Answers requests that `receive` is called with. */
export function serveThread(options: {
  readonly searcher: Searcher;
  readonly compare: Compare;
  readonly reply: (reply: ThreadReply) => void;
}): { receive(request: ThreadRequest): void } {
  const { searcher, compare, reply } = options;
  const engine = new ViewerEngine({ searcher, compare, tell: (event) => reply({ type: 'event', event }) });

  async function answer({ id, asked }: Extract<ThreadRequest, { type: 'ask' }>): Promise<void> {
    try {
      reply({ type: 'answer', id, value: await engine.answer(asked) });
    } catch (error) {
      reply({ type: 'failed', id, ...failureOf(error) });
    }
  }

  return {
    receive(request) {
      if (request.type === 'ask') void answer(request);
      else void engine.dispose().finally(() => reply({ type: 'ended' }));
    },
  };
}

/** An error as it crosses between threads. */
export function failureOf(error: unknown): { readonly code: RpcError['code']; readonly message: string } {
  if (error instanceof RpcError) return { code: error.code, message: error.message };
  const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { code: 'internal', message };
}
