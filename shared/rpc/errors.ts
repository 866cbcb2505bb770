import { z } from 'zod';

/**
 * The closed list of error codes on the wire.
 * invalid: the request does not fit its schema · unknownMethod · notFound · conflict: the state moved on, for
 * example an ask that somebody else answered · refused: not allowed · unavailable: a part is down, try later ·
 * overloaded: a queue is full · cancelled · internal: a bug.
 */
export const rpcErrorCodes = [
  'invalid',
  'unknownMethod',
  'notFound',
  'conflict',
  'refused',
  'unavailable',
  'overloaded',
  'cancelled',
  'internal',
] as const;

export const RpcErrorCode = z.enum(rpcErrorCodes);
export type RpcErrorCode = z.infer<typeof RpcErrorCode>;

/** An expected failure of a call. The message is shown to people: fact, cause, next step. */
export class RpcError extends Error {
  override readonly name = 'RpcError';
  readonly code: RpcErrorCode;
  constructor(code: RpcErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}
