import type { SessionTasks } from '../tool';

const unscripted = (): never => {
  throw new Error('The script has no background tasks.');
};

/** A session without background tasks. */
export const noTasks: SessionTasks = {
  adopt: unscripted,
  list: () => [],
  find: () => undefined,
  wait: unscripted,
  waitForLine: unscripted,
  readNew: unscripted,
  stop: unscripted,
};
