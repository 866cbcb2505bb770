// What the parts of a turn share: the session, who answers, and how people and hooks hear of it.
import type { ModelClient } from '../model/client';
import type { PipelineServices } from '../pipeline/services';

export interface TurnContext {
  readonly services: PipelineServices;
  readonly sessionId: string;
  readonly client: ModelClient;
  readonly model: string;
  readonly system: string;
  readonly concurrency: number;
  readonly signal: AbortSignal;
  /** Most tokens that a request to the model may have. */
  contextTokens(): Promise<number>;
  /** Memory for files that calls have just worked on; left out: there is none. */
  memoryNear?(paths: readonly string[]): Promise<readonly { readonly file: string; readonly text: string }[]>;
}

type Place = Pick<TurnContext, 'services' | 'sessionId'>;

/** Tells people a fact and the next step. */
export function notice(place: Place, level: 'info' | 'warning' | 'error', text: string, next = ''): void {
  place.services.sessions.append(place.sessionId, { type: 'notice', level, text, next });
}
