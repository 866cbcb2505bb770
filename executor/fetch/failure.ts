import type { FetchFailure } from '#shared/api/executor';

/** Ends a fetch with an expected failure; caught where the fetch began. */
export class FetchStopped extends Error {
  override readonly name = 'FetchStopped';
  readonly failure: FetchFailure;
  constructor(reason: FetchFailure['reason'], message: string) {
    super(message);
    this.failure = { kind: 'failure', reason, message };
  }
}
