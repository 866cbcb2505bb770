import type { AppContract } from '#shared/api/app';
import type { searchCalls } from '#shared/api/search';
import type { Handlers } from '#shared/rpc/contract';
import { RpcError } from '#shared/rpc/errors';
import type { Connection } from './connection';

type SearchHandlers = Pick<Handlers<AppContract, { readonly connection: Connection }>, keyof typeof searchCalls>;

function notYet(): never {
  throw new RpcError('internal', 'This is not built yet.');
}

export function searchHandlers(): SearchHandlers {
  return {
    'search.find': notYet,
  };
}
