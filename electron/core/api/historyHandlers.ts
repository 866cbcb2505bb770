import type { AppContract } from '#shared/api/app';
import type { historyCalls } from '#shared/api/history';
import type { Handlers } from '#shared/rpc/contract';
import { RpcError } from '#shared/rpc/errors';

type HistoryHandlers = Pick<Handlers<AppContract, object>, keyof typeof historyCalls>;

function missing(): never {
  throw new RpcError('unavailable', 'This part is not there yet.');
}

export function historyHandlers(): HistoryHandlers {
  return {
    'history.state': missing,
    'history.pause': missing,
    'history.calls': missing,
    'history.usage': missing,
    'history.replay': missing,
    'history.exportReplay': missing,
    'history.explain': missing,
    'history.reach': missing,
    'history.suggest': missing,
  };
}
