// Waiting for work that may never end, once somebody has pressed stop.

/** The work did not end in time after the stop; whatever it still brings is dropped. */
export class Abandoned extends Error {
  override readonly name = 'Abandoned';
  constructor() {
    super('It did not end after it was stopped.');
  }
}

/** Waits for `work`; after an abort at most `graceMs` longer, then rejects with Abandoned. */
export function untilAborted<Value>(
  work: Promise<Value>,
  limits: { readonly signal: AbortSignal; readonly graceMs: number },
): Promise<Value> {
  const { signal, graceMs } = limits;
  return new Promise((resolve, reject) => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const onAbort = (): void => {
      timer = setTimeout(() => reject(new Abandoned()), graceMs);
    };
    const settled = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
    };
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort, { once: true });
    work.then(
      (value) => {
        settled();
        resolve(value);
      },
      (error: unknown) => {
        settled();
        reject(error);
      },
    );
  });
}
