import type { AppContract } from '#shared/api/app';
import type { changeCalls } from '#shared/api/changes';
import type { Handlers } from '#shared/rpc/contract';
import type { Changes } from '../changes/createChanges';
import type { Connection } from './connection';

type ChangeHandlers = Pick<Handlers<AppContract, { readonly connection: Connection }>, keyof typeof changeCalls>;

export function changeHandlers(changes: Changes): ChangeHandlers {
  return {
    'changes.list': ({ sessionId }) => changes.list(sessionId),
    'changes.diff': ({ sessionId, changeId }) => changes.diff(sessionId, changeId),
    'changes.preview': ({ sessionId, target }) => changes.preview(sessionId, target),
    'changes.restore': (request) => changes.restore(request),
  };
}
