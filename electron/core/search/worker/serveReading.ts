// The thread's side of the messages.
import { RpcError } from '#shared/rpc/errors';
import type { ReadingPlaces, ReadingReply, ReadingRequest } from './messages';
import { ReadingEngine } from './readingEngine';

/** Answers requests that `receive` is called with. */
export function serveReading(options: {
  readonly places: ReadingPlaces;
  readonly reply: (reply: ReadingReply) => void;
}): { receive(request: ReadingRequest): void } {
  const { places, reply } = options;
  const engine = new ReadingEngine(places, {
    onState: (state) => reply({ type: 'state', state }),
    onTranscripts: () => reply({ type: 'transcripts' }),
  });

  async function answer({ id, asked }: Extract<ReadingRequest, { type: 'ask' }>): Promise<void> {
    try {
      reply({ type: 'answer', id, value: await engine.askAny(asked) });
    } catch (error) {
      const known = error instanceof RpcError;
      const message = error instanceof Error ? (known ? error.message : (error.stack ?? error.message)) : String(error);
      reply({ type: 'failed', id, code: known ? error.code : 'internal', message });
    }
  }

  return {
    receive(request) {
      if (request.type === 'ask') void answer(request);
      else void engine.dispose().finally(() => reply({ type: 'ended' }));
    },
  };
}
