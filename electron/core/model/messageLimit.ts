// Ends a turn that would need more messages of the model than the person allowed.
import { type ModelClient, ModelFailure } from './client';

/** The same client for one turn: after `limit` whole messages it is not asked again. */
export function limitMessages(client: ModelClient, limit: number): ModelClient {
  let whole = 0;
  return {
    ...client,
    async *stream(request) {
      if (whole >= limit) {
        const messages = limit === 1 ? 'one message' : `${limit} messages`;
        throw new ModelFailure(`The turn was ended after ${messages} of the model, as asked for.`, {
          next: 'Allow more, or continue the session.',
          retryable: false,
        });
      }
      for await (const event of client.stream(request)) {
        if (event.type === 'finished') whole += 1;
        yield event;
      }
    },
  };
}
