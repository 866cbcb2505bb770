import type { AppContract } from '#shared/api/app';
import type { transcriptCalls } from '#shared/api/transcripts';
import type { Handlers } from '#shared/rpc/contract';
import { RpcError } from '#shared/rpc/errors';
import type { Connection } from './connection';

type TranscriptHandlers = Pick<
  Handlers<AppContract, { readonly connection: Connection }>,
  keyof typeof transcriptCalls
>;

function notYet(): never {
  throw new RpcError('internal', 'This is not built yet.');
}

export function transcriptHandlers(): TranscriptHandlers {
  return {
    'transcripts.list': notYet,
    'transcripts.open': notYet,
    'transcripts.continue': notYet,
  };
}
