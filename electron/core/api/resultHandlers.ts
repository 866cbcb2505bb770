import type { AppContract } from '#shared/api/app';
import type { resultCalls } from '#shared/api/results';
import type { Handlers } from '#shared/rpc/contract';
import { RpcError } from '#shared/rpc/errors';
import type { Connection } from './connection';

type ResultHandlers = Pick<Handlers<AppContract, { readonly connection: Connection }>, keyof typeof resultCalls>;

function notYet(): never {
  throw new RpcError('internal', 'This is not built yet.');
}

export function resultHandlers(): ResultHandlers {
  return {
    'results.list': notYet,
    'results.open': notYet,
    'results.close': notYet,
    'results.rows': notYet,
    'results.rowOfLine': notYet,
    'results.line': notYet,
    'results.search': notYet,
    'results.stopSearch': notYet,
    'results.matches': notYet,
    'results.matchesIn': notYet,
    'results.matchingLines': notYet,
    'results.bytes': notYet,
    'results.image': notYet,
    'results.json': notYet,
    'results.jsonText': notYet,
    'results.table': notYet,
    'results.diff': notYet,
    'results.keep': notYet,
    'results.cleanUpPreview': notYet,
    'results.cleanUp': notYet,
    'results.trash': notYet,
    'results.restore': notYet,
    'results.saveCopy': notYet,
    'results.reveal': notYet,
  };
}
