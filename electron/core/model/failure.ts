// Turns the SDK's errors into words and a verdict on whether to try again.
import { APIConnectionError, APIConnectionTimeoutError, APIError, APIUserAbortError } from '@anthropic-ai/sdk/error';
import { ModelFailure } from './client';

/** Longest wait that a server's `retry-after` may ask for, in milliseconds; beyond it people should know instead. */
const longestRetryAfterMs = 120_000;

/** Explains any error of a model call. `server` is the base URL as people know it. */
export function toModelFailure(error: unknown, server: string): ModelFailure {
  if (error instanceof ModelFailure) return error;
  if (error instanceof APIUserAbortError) {
    return new ModelFailure('The request was stopped.', { next: '', retryable: false });
  }
  if (error instanceof APIConnectionTimeoutError) {
    return new ModelFailure(`${server} did not answer in time.`, {
      next: 'Check the network and the base URL in Settings, then send again.',
      retryable: true,
    });
  }
  if (error instanceof APIConnectionError) {
    return new ModelFailure(`${server} cannot be reached (${causeOf(error)}).`, {
      next: 'Check that the server runs and that the base URL in Settings is right, then send again.',
      retryable: true,
      mostAttempts: 6,
    });
  }
  if (error instanceof APIError) return fromStatus(error, server);
  if (error instanceof Error) {
    return new ModelFailure(`The answer of ${server} broke off (${error.message}).`, {
      next: 'What arrived is kept. Send a message to go on.',
      retryable: true,
    });
  }
  return new ModelFailure(`The model call failed (${String(error)}).`, { next: 'Send again.', retryable: false });
}

/** How a server words that a request is too long. Wordings differ between servers and change, so this is generous. */
const tooLong =
  /prompt is too long|too many (input |prompt )?tokens|context[ _](window|length|limit|size)|maximum context|exceeds? .{0,40}context|request_too_large/i;

/** Error types of an `error` event within a stream for which trying again is pointless. */
const finalTypes: ReadonlySet<string> = new Set([
  'invalid_request_error',
  'authentication_error',
  'permission_error',
  'billing_error',
  'not_found_error',
  'request_too_large',
]);

function fromStatus(error: APIError, server: string): ModelFailure {
  const status: number | undefined = error.status;
  const said = saidBy(error);
  const mayBeTooLong = status === 400 || (status === undefined && error.type !== 'rate_limit_error');
  if (status === 413 || (mayBeTooLong && tooLong.test(said))) {
    return new ModelFailure(`The conversation is too long for ${server} (${said}).`, {
      next: 'Compact the conversation or start a new session.',
      retryable: false,
      kind: 'context_exceeded',
    });
  }
  switch (status) {
    case undefined:
      return new ModelFailure(`${server} broke off with an error: ${said}.`, {
        next: 'What arrived is kept. Send a message to go on.',
        retryable: !finalTypes.has(error.type ?? ''),
        kind: finalTypes.has(error.type ?? '') ? 'invalid_request' : 'server_error',
      });
    case 401:
      return new ModelFailure(`${server} refused the API key (401: ${said}).`, {
        next: 'Put a valid key into Settings, then send again.',
        retryable: false,
        kind: 'authentication_failed',
      });
    case 402:
      return new ModelFailure(`${server} refused because of billing (402: ${said}).`, {
        next: 'Settle the account of this key, then send again.',
        retryable: false,
        kind: 'billing_error',
      });
    case 403:
      return new ModelFailure(`${server} does not permit this with the present key (403: ${said}).`, {
        next: 'Use a key with access to this model, or choose another model.',
        retryable: false,
        kind: 'authentication_failed',
      });
    case 404:
      return new ModelFailure(`${server} does not know this model or address (404: ${said}).`, {
        next: 'Choose another model, or correct the base URL in Settings.',
        retryable: false,
        kind: 'invalid_request',
      });
    case 429:
      return new ModelFailure(`${server} limits requests for this key (429: ${said}).`, {
        next: 'Wait a little and send again.',
        retryable: true,
        retryAfterMs: retryAfterOf(error),
        kind: 'rate_limit',
      });
    case 529:
      return new ModelFailure(`${server} is overloaded (529).`, {
        next: 'Wait a little and send again.',
        retryable: true,
        retryAfterMs: retryAfterOf(error),
        kind: 'server_error',
      });
    default:
      return new ModelFailure(`${server} answered ${status}: ${said}.`, {
        next: status >= 500 ? 'Wait a little and send again.' : 'Correct what the message names, then send again.',
        retryable: status >= 500 || status === 408 || status === 409,
        retryAfterMs: retryAfterOf(error),
        kind: status >= 500 ? 'server_error' : 'invalid_request',
      });
  }
}

/** Seconds, or a date as HTTP allows it too; in milliseconds from now. */
function retryAfterOf(error: APIError): number | null {
  const header = error.headers?.get('retry-after');
  if (header === null || header === undefined) return null;
  const seconds = Number(header);
  const ms = Number.isFinite(seconds) ? seconds * 1_000 : Date.parse(header) - Date.now();
  return Number.isFinite(ms) && ms >= 0 ? Math.min(ms, longestRetryAfterMs) : null;
}

/** The server's own words, in one bounded line. */
function saidBy(error: APIError): string {
  const body = error.error as { error?: { message?: unknown }; message?: unknown } | undefined;
  const message = body?.error?.message ?? body?.message ?? error.message;
  return String(message).replaceAll(/\s+/g, ' ').slice(0, 300).replace(/\.$/, '');
}

function causeOf(error: Error): string {
  let deepest: unknown = error;
  while (deepest instanceof Error && deepest.cause instanceof Error) deepest = deepest.cause;
  if (deepest instanceof Error && 'code' in deepest) return String(deepest.code);
  return deepest instanceof Error ? deepest.message : 'no connection';
}
