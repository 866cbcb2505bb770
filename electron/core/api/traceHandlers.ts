import type { AppContract } from '#shared/api/app';
import type { traceCalls } from '#shared/api/trace';
import type { Handlers } from '#shared/rpc/contract';
import { RpcError } from '#shared/rpc/errors';
import type { Connection } from './connection';

type TraceHandlers = Pick<Handlers<AppContract, { readonly connection: Connection }>, keyof typeof traceCalls>;

function notYet(): never {
  throw new RpcError('internal', 'This is not built yet.');
}

export function traceHandlers(): TraceHandlers {
  return {
    'trace.rows': notYet,
    'trace.call': notYet,
    'trace.totals': notYet,
    'trace.export': notYet,
  };
}
