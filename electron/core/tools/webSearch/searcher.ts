// Searches through the API's own search tool, in a request of its own: so every search is a call like any other, which rules
// decide about and a person can be asked about before anything leaves this machine.
import { z } from 'zod';
import type { AssistantBlock, ModelChoice } from '#shared/session/events';
import { type ModelClient, ModelFailure } from '../../model/client';
import prompt from './searcher.prompt.md';

/** Searches that one call may make. */
export const maxUses = 8;
const maxTokens = 4_096;
const requestMs = 180_000;
/** More results than a call can use. */
const maxResults = 60;

export interface SearchRequest {
  readonly sessionId: string;
  readonly query: string;
  readonly allowedDomains: readonly string[];
  readonly blockedDomains: readonly string[];
  readonly signal: AbortSignal;
  /** A search has begun. */
  onQuery(query: string): void;
}

export interface FoundPage {
  readonly title: string;
  readonly url: string;
  /** As the server says it, such as `April 30, 2026`; empty where it does not say. */
  readonly age: string;
}

export type SearchOutcome =
  | {
      readonly kind: 'found';
      /** The model's words about what was found. */
      readonly answer: string;
      readonly pages: readonly FoundPage[];
      readonly queries: readonly string[];
      /** Why searches failed, in the server's words. */
      readonly problems: readonly string[];
      readonly model: string;
    }
  | { readonly kind: 'failed'; readonly why: string; readonly next: string };

export interface Searcher {
  /** Why nothing can be searched with this server, in words for people; empty when it can. */
  whyNot(): string;
  /** Throws only when the signal fires. */
  search(request: SearchRequest): Promise<SearchOutcome>;
}

export interface SearcherOptions {
  readonly hasServer: () => boolean;
  readonly isFirstParty: () => boolean;
  readonly modelOf: (sessionId: string) => ModelChoice;
  readonly clientFor: (choice: ModelChoice) => ModelClient;
}

/** Models from before the search tool; all later ones have it. */
const withoutSearch = /^claude-(?:instant|1|2|3-(?:opus|sonnet|haiku))/;

/** Searches with the model of the session. */
export function createSearcher({ hasServer, isFirstParty, modelOf, clientFor }: SearcherOptions): Searcher {
  const whyNot = (): string => {
    if (!hasServer())
      return 'The web is searched by the Anthropic API, and there is no key for it. Put one into Settings.';
    if (!isFirstParty())
      return 'The web is searched by the Anthropic API itself, and the server that is set does not offer that.';
    return '';
  };
  return {
    whyNot,
    async search(request) {
      const why = whyNot();
      const next = 'Use WebFetch if you know a URL, or tell the person.';
      if (why !== '') return { kind: 'failed', why, next };
      const model = modelOf(request.sessionId);
      if (model.scripted)
        return { kind: 'failed', why: 'This session’s model is scripted and cannot search the web.', next };
      if (withoutSearch.test(model.id))
        return { kind: 'failed', why: `${model.label} is too old to search the web.`, next };
      try {
        return await searchWith(clientFor(model), model, request);
      } catch (error) {
        request.signal.throwIfAborted();
        if (error instanceof ModelFailure) return { kind: 'failed', why: error.message, next: error.next };
        throw error;
      }
    },
  };
}

async function searchWith(client: ModelClient, model: ModelChoice, request: SearchRequest): Promise<SearchOutcome> {
  const { query, allowedDomains, blockedDomains, signal } = request;
  const events = client.stream({
    model: model.id,
    system: prompt.trim(),
    tools: [],
    serverTools: [
      {
        type: 'web_search_20250305',
        name: 'web_search',
        max_uses: maxUses,
        ...(allowedDomains.length === 0 ? {} : { allowed_domains: [...allowedDomains] }),
        ...(blockedDomains.length === 0 ? {} : { blocked_domains: [...blockedDomains] }),
      },
    ],
    messages: [{ role: 'user', content: [{ type: 'text', text: `Search the web for: ${query}` }] }],
    maxTokens,
    signal: AbortSignal.any([signal, AbortSignal.timeout(requestMs)]),
  });
  const texts: string[] = [];
  const queries: string[] = [];
  const pages = new Map<string, FoundPage>();
  const problems: string[] = [];
  for await (const event of events) {
    if (event.type === 'finished' && event.stopReason === 'pause_turn')
      problems.push('the server stopped searching before it was done');
    if (event.type !== 'block') continue;
    const { block } = event;
    if (block.type === 'text') texts.push(block.text);
    if (block.type !== 'server') continue;
    const searched = queryIn(block);
    if (searched !== null) {
      queries.push(searched);
      request.onQuery(searched);
      // What was said before a search announces it; what counts comes after the last one.
      texts.length = 0;
    }
    const found = resultsIn(block);
    problems.push(...found.problems);
    for (const page of found.pages) if (pages.size < maxResults && !pages.has(page.url)) pages.set(page.url, page);
  }
  const answer = texts.join('').trim();
  if (queries.length === 0 && pages.size === 0)
    return {
      kind: 'failed',
      why:
        answer === '' ? 'The model did not search.' : `The model did not search, but said: ${answer.slice(0, 1_000)}`,
      next: 'Ask for something that can be looked up.',
    };
  return { kind: 'found', answer, pages: [...pages.values()], queries, problems, model: model.label };
}

type ServerBlock = Extract<AssistantBlock, { type: 'server' }>;

const Query = z.object({
  type: z.literal('server_tool_use'),
  name: z.literal('web_search'),
  input: z.object({ query: z.string() }),
});
const Result = z.object({
  type: z.literal('web_search_result'),
  title: z.string(),
  url: z.string(),
  page_age: z.string().nullish(),
});
const Results = z.object({
  type: z.literal('web_search_tool_result'),
  content: z.union([
    z.array(z.unknown()),
    z.object({ type: z.literal('web_search_tool_result_error'), error_code: z.string() }),
  ]),
});

function queryIn({ block }: ServerBlock): string | null {
  const parsed = Query.safeParse(block);
  return parsed.success ? parsed.data.input.query : null;
}

const errorWords: Readonly<Record<string, string>> = {
  max_uses_exceeded: `more than ${maxUses} searches were wanted`,
  too_many_requests: 'the server gets too many searches now',
  query_too_long: 'the query is too long',
  unavailable: 'the search is not available now',
  invalid_tool_input: 'the query or the domains are not valid',
  request_too_large: 'the request is too large',
};

function resultsIn({ block }: ServerBlock): {
  readonly pages: readonly FoundPage[];
  readonly problems: readonly string[];
} {
  const parsed = Results.safeParse(block);
  if (!parsed.success) return { pages: [], problems: [] };
  const { content } = parsed.data;
  if (!Array.isArray(content)) {
    const code = content.error_code;
    const words = Object.hasOwn(errorWords, code) ? errorWords[code] : undefined;
    return { pages: [], problems: [words ?? code.slice(0, 100)] };
  }
  const pages = content.flatMap((entry): readonly FoundPage[] => {
    const result = Result.safeParse(entry);
    if (!result.success || !/^https?:\/\//i.test(result.data.url)) return [];
    const { title, url, page_age } = result.data;
    return [{ title: oneLine(title), url: oneLine(url), age: oneLine(page_age ?? '') }];
  });
  return { pages, problems: [] };
}

/** A title is a stranger's text: no line breaks, nothing invisible, bounded. */
function oneLine(text: string): string {
  return text
    .replaceAll(/[\p{C}\s]+/gu, ' ')
    .trim()
    .slice(0, 2_000);
}
