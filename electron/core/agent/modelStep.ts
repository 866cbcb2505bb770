// One assistant message: asks the model, retries what may be retried, hands on blocks as they finish.
import { setTimeout as delay } from 'node:timers/promises';
import type { ModelClient, ModelEvent, ModelRequest } from '../model/client';
import { ModelFailure } from '../model/client';
import type { TurnContext } from './turnContext';

/** Attempts for one message before people are told; about two minutes in all. */
export const maxAttempts = 10;
const firstWaitMs = 500;
const longestWaitMs = 32_000;

export interface ModelStepOptions {
  readonly client: ModelClient;
  readonly request: ModelRequest;
  onEvent(event: ModelEvent): void;
  /** A new attempt begins after `waitMs`; what streamed without completing a block is void. */
  onRetry(retry: {
    readonly attempt: number;
    readonly ofAttempts: number;
    readonly waitMs: number;
    readonly reason: string;
  }): void;
  /** Resolves after the wait or as soon as the signal fires. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
  random(): number;
}

/**
 * Resolves when the message is complete. Throws ModelFailure once attempts are used up, when trying again is
 * pointless, or when the stream broke after a block was complete: replaying that could run a tool twice.
 */
export async function modelStep(options: ModelStepOptions): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    let blocks = 0;
    try {
      for await (const event of options.client.stream(options.request)) {
        if (event.type === 'block') blocks += 1;
        options.onEvent(event);
      }
      return;
    } catch (error) {
      if (!(error instanceof ModelFailure)) throw error;
      const ofAttempts = error.mostAttempts ?? maxAttempts;
      const again = error.retryable && blocks === 0 && attempt < ofAttempts && !options.request.signal.aborted;
      if (!again) throw error;
      const waitMs = error.retryAfterMs ?? backOff(attempt, options.random());
      options.onRetry({ attempt: attempt + 1, ofAttempts, waitMs, reason: error.message });
      await options.sleep(waitMs, options.request.signal);
      if (options.request.signal.aborted) throw error;
    }
  }
}

/** Doubling with jitter, in milliseconds. */
function backOff(attempt: number, random: number): number {
  const full = Math.min(firstWaitMs * 2 ** (attempt - 1), longestWaitMs);
  return Math.round(full * (0.5 + random / 2));
}

/** `modelStep` as part of a turn: attempts are published, and a stop ends every wait. */
export async function askModel(
  { services, sessionId, client }: TurnContext,
  asked: Pick<ModelStepOptions, 'request' | 'onEvent'>,
): Promise<void> {
  await modelStep({
    client,
    ...asked,
    onRetry: (retry) => services.sessions.publish(sessionId, { type: 'model.retrying', ...retry }),
    sleep: async (ms, abort) => {
      await delay(ms, undefined, { signal: abort }).catch(() => undefined);
    },
    random: Math.random,
  });
}
