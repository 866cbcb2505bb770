// What travels over a Transport: request, answer, error, cancel, event. Nothing else is accepted.
import { z } from 'zod';
import { RpcErrorCode } from './errors';

const id = z.number().int().nonnegative();
const name = z.string().min(1).max(100);

export const ClientMessage = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('req'), id, method: name, params: z.unknown() }),
  z.strictObject({ type: z.literal('cancel'), id }),
]);
export type ClientMessage = z.infer<typeof ClientMessage>;

export const ServerMessage = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('ok'), id, answer: z.unknown() }),
  z.strictObject({ type: z.literal('err'), id, code: RpcErrorCode, message: z.string() }),
  z.strictObject({ type: z.literal('evt'), name, payload: z.unknown() }),
]);
export type ServerMessage = z.infer<typeof ServerMessage>;
