// The thread's side of the messages.
import { RpcError } from '#shared/rpc/errors';
import { type EngineOptions, HistoryEngine } from './historyEngine';
import type { HistoryReply, HistoryRequest } from './messages';

/** Answers requests that `receive` is called with. */
export function serveThread(options: {
  readonly places: EngineOptions['places'];
  readonly createReplayer: EngineOptions['createReplayer'];
  readonly reply: (reply: HistoryReply) => void;
}): { receive(request: HistoryRequest): void } {
  const { places, createReplayer, reply } = options;
  const engine = new HistoryEngine({
    places,
    createReplayer,
    onState: (state) => reply({ type: 'state', state }),
  });
  const running = new Map<number, AbortController>();

  async function answer({ id, asked }: Extract<HistoryRequest, { type: 'ask' }>): Promise<void> {
    const cancel = new AbortController();
    running.set(id, cancel);
    try {
      reply({ type: 'answer', id, value: await engine.askAny(asked, cancel.signal) });
    } catch (error) {
      const known = error instanceof RpcError;
      const message = error instanceof Error ? (known ? error.message : (error.stack ?? error.message)) : String(error);
      reply({ type: 'failed', id, code: known ? error.code : 'internal', message });
    } finally {
      running.delete(id);
    }
  }

  return {
    receive(request) {
      switch (request.type) {
        case 'ask':
          void answer(request);
          return;
        case 'cancel':
          running.get(request.id)?.abort();
          return;
        case 'policy':
          engine.learnPolicy(request.number, request.sources);
          return;
        case 'forget':
          engine.forgetPolicy(request.number);
          return;
        case 'end':
          for (const cancel of running.values()) cancel.abort();
          void engine.dispose().finally(() => reply({ type: 'ended' }));
          return;
      }
    },
  };
}
