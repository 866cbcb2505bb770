import type { AppContract } from '#shared/api/app';
import type { searchCalls } from '#shared/api/search';
import type { Handlers } from '#shared/rpc/contract';
import type { ConversationReading } from '../search/worker/messages';
import type { Connection } from './connection';

type SearchHandlers = Pick<Handlers<AppContract, { readonly connection: Connection }>, keyof typeof searchCalls>;

export function searchHandlers({ reading }: { readonly reading: ConversationReading }): SearchHandlers {
  return {
    'search.find': (question) => reading.ask('find', question),
  };
}
