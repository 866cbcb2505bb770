// Where the thread and the core find what replays past calls.
import { RpcError } from '#shared/rpc/errors';
import type { CreateReplayer } from '../pastCalls';

async function missing(): Promise<never> {
  throw new RpcError('unavailable', 'This part is not there yet.');
}

export const createReplayer: CreateReplayer = () => ({
  replay: missing,
  rows: missing,
  usage: missing,
  explain: missing,
  reach: missing,
  suggest: missing,
});
