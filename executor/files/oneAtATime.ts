// Decoding of images and documents goes one by one: each may need much memory, and ten reads often come at once.

let last: Promise<unknown> = Promise.resolve();

/** Runs the work when all earlier work of this kind has ended. Rejects as the work does. */
export function oneAtATime<T>(work: () => Promise<T>): Promise<T> {
  const mine = last.then(work);
  last = mine.catch(() => undefined);
  return mine;
}
