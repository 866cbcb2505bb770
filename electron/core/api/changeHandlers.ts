import type { AppContract } from '#shared/api/app';
import type { changeCalls } from '#shared/api/changes';
import type { Handlers } from '#shared/rpc/contract';
import { RpcError } from '#shared/rpc/errors';
import type { Connection } from './connection';

type ChangeHandlers = Pick<Handlers<AppContract, { readonly connection: Connection }>, keyof typeof changeCalls>;

function notYet(): never {
  throw new RpcError('internal', 'This is not built yet.');
}

export function changeHandlers(): ChangeHandlers {
  return {
    'changes.list': notYet,
    'changes.diff': notYet,
    'changes.preview': notYet,
    'changes.restore': notYet,
  };
}
