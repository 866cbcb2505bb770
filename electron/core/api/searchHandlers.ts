import type { AppContract } from '#shared/api/app';
import type { searchCalls } from '#shared/api/search';
import type { Handlers } from '#shared/rpc/contract';
import type { Connection } from './connection';
import type { ApiServices } from './services';

type SearchHandlers = Pick<Handlers<AppContract, { readonly connection: Connection }>, keyof typeof searchCalls>;

export function searchHandlers({ reading }: Pick<ApiServices, 'reading'>): SearchHandlers {
  return {
    'search.find': (question) => reading.ask('find', question),
  };
}
