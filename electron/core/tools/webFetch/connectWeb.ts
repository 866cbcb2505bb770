// The tools of the web put together with the models of a core.
import type { ModelChoice } from '#shared/session/events';
import type { Models } from '../../model/models';
import { createSearcher, type Searcher } from '../webSearch/searcher';
import { cacheMsFrom } from './pageCache';
import { createPageReader } from './pageReader';
import type { WebFetchOptions } from './webFetch';

export interface WebOptions {
  readonly fetch: WebFetchOptions;
  readonly searcher: Searcher;
}

/** `variables` are those of the environment. */
export function connectWeb(services: {
  readonly models: Models;
  readonly modelOf: (sessionId: string) => ModelChoice;
  readonly variables: Readonly<Record<string, string>>;
  readonly now: () => number;
}): WebOptions {
  const { models, modelOf, variables, now } = services;
  const clientFor = (choice: ModelChoice) => models.clientFor(choice);
  return {
    fetch: {
      askPage: createPageReader({ modelOf, clientFor, offered: async () => (await models.list()).models, now }),
      cacheMs: cacheMsFrom(variables.CLAUDE_CODE_WEBFETCH_CACHE_TTL_MS),
      now,
    },
    searcher: createSearcher({
      hasServer: () => models.connected(),
      isFirstParty: () => models.isFirstParty(),
      modelOf,
      clientFor,
    }),
  };
}
