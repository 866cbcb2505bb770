// A fetch whose answers cannot fill the memory, and that tells when a stream of events is over.

type Fetch = (input: string | URL, init?: RequestInit) => Promise<Response>;

/** How a stream ended: `broken` unless the server closed it or we did. */
export interface StreamEnd {
  readonly method: string;
  readonly broken: boolean;
}

/** Bytes of an answer that is no stream of events, and of one event. */
const maxBytes = 16 * 1024 * 1024;

/** Errors once more than `maxBytes` came, in a stream of events without a line's end. */
function limited(kind: 'events' | 'whole'): TransformStream<Uint8Array, Uint8Array> {
  let bytes = 0;
  return new TransformStream({
    transform(chunk, controller) {
      bytes += chunk.length;
      const last = kind === 'events' ? chunk.lastIndexOf(10) : -1;
      if (last !== -1) bytes = chunk.length - last - 1;
      if (bytes > maxBytes) controller.error(new Error('the server sent more than 16 MB at once'));
      else controller.enqueue(chunk);
    },
  });
}

/** Wraps `inner`. */
export function boundedFetch(inner: Fetch, onStreamEnd: (end: StreamEnd) => void): Fetch {
  return async (input, init) => {
    const response = await inner(input, init);
    const { body } = response;
    if (body === null) return response;
    const isStream = (response.headers.get('content-type') ?? '').startsWith('text/event-stream');
    const method = init?.method ?? 'GET';
    const bounded = isStream
      ? watched(body.pipeThrough(limited('events')), (broken) => {
          if (init?.signal?.aborted !== true) onStreamEnd({ method, broken });
        })
      : body.pipeThrough(limited('whole'));
    const { status, statusText, headers } = response;
    const copy = new Response(bounded, { status, statusText, headers });
    // Redirects are judged by where the answer came from.
    Object.defineProperties(copy, {
      url: { value: response.url },
      redirected: { value: response.redirected },
      type: { value: response.type },
    });
    return copy;
  };
}

function watched(stream: ReadableStream<Uint8Array>, onEnd: (broken: boolean) => void): ReadableStream<Uint8Array> {
  const reader = stream.getReader();
  return new ReadableStream({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (!done) {
          controller.enqueue(value);
          return;
        }
        controller.close();
        onEnd(false);
      } catch (error) {
        controller.error(error);
        onEnd(true);
      }
    },
    async cancel(reason) {
      await reader.cancel(reason);
    },
  });
}
