// Lets a model be asked before everything that its calls need is there.
import type { ModelClient } from './client';

/**
 * The same client, but a call that the model makes comes out only once `ready` has settled: what is decided and run must
 * not see a half-started core.
 */
export function holdCallsUntil(client: ModelClient, ready: Promise<unknown>): ModelClient {
  return {
    ...client,
    async *stream(request) {
      for await (const event of client.stream(request)) {
        if (event.type === 'block' && event.block.type === 'tool_use') await ready;
        yield event;
      }
    },
  };
}
