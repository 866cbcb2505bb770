// A fetch whose answers cannot fill the memory: bodies end with an error once they are too big.

type Fetch = (input: string | URL, init?: RequestInit) => Promise<Response>;

/** Bytes of an answer that is no stream of events, and of one event. */
const maxBytes = 16 * 1024 * 1024;

/** What a body may have before its next `reset` byte; null: no byte resets. */
function limited(resetsAt: number | null): TransformStream<Uint8Array, Uint8Array> {
  let bytes = 0;
  return new TransformStream({
    transform(chunk, controller) {
      bytes += chunk.length;
      const last = resetsAt === null ? -1 : chunk.lastIndexOf(resetsAt);
      if (last !== -1) bytes = chunk.length - last - 1;
      if (bytes > maxBytes) controller.error(new Error('the server sent more than 16 MB at once'));
      else controller.enqueue(chunk);
    },
  });
}

/**
 * Wraps `inner`. `onEnd` fires when the stream of a GET has ended or broken: a server over SSE is gone then.
 */
export function boundedFetch(inner: Fetch, onEnd: () => void): Fetch {
  return async (input, init) => {
    const response = await inner(input, init);
    const { body } = response;
    if (body === null) return response;
    const isStream = (response.headers.get('content-type') ?? '').startsWith('text/event-stream');
    let bounded = body.pipeThrough(limited(isStream ? 10 : null));
    if (isStream && (init?.method ?? 'GET') === 'GET') bounded = withEnd(bounded, onEnd);
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

function withEnd(stream: ReadableStream<Uint8Array>, onEnd: () => void): ReadableStream<Uint8Array> {
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
      } catch (error) {
        controller.error(error);
      }
      onEnd();
    },
    async cancel(reason) {
      await reader.cancel(reason);
    },
  });
}
