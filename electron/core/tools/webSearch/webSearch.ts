import { z } from 'zod';
import type { View } from '#shared/tools/presentation';
import { buildTool } from '../buildTool';
import { rejection } from '../changeTarget';
import { type CallContext, type Tool, ToolFailure } from '../tool';
import { counted, oneLine } from '../wording';
import type { Searcher, SearchOutcome } from './searcher';
import prompt from './webSearch.prompt.md';

/** Calls that a session may have; sub-agents count to their session. */
const maxCalls = 200;
const maxDomains = 50;

const domains = (words: string) =>
  z
    .array(
      z
        .string()
        .refine(
          (text) => /^[a-z\d](?:[a-z\d.-]{0,251}[a-z\d])?(?:\/\S{0,500})?$/i.test(text),
          'expected a host name such as docs.python.org',
        ),
    )
    .max(maxDomains)
    .optional()
    .describe(words);

const inputSchema = () =>
  z.strictObject({
    query: z
      .string()
      .refine((text) => text.trim().length >= 2, 'expected at least two characters')
      .refine((text) => text.length <= 1_000, 'expected at most 1,000 characters')
      .describe('What to search for.'),
    allowed_domains: domains('Only results from these hosts, such as ["docs.python.org"].'),
    blocked_domains: domains('No results from these hosts. Not together with `allowed_domains`.'),
  });

export type WebSearchInput = z.infer<ReturnType<typeof inputSchema>>;

type Found = Extract<SearchOutcome, { kind: 'found' }>;
export type WebSearchOutput = Found | { readonly kind: 'limit' };

/** Searches the web through the model's provider; left out: the tool is not offered. */
export function createWebSearchTool(searcher?: Searcher): Tool<WebSearchInput, WebSearchOutput> {
  /** Calls by session, as long as this core lives. */
  const calls = new Map<string, number>();
  const why = (): string => (searcher === undefined ? 'There is no model that could search here.' : searcher.whyNot());
  return buildTool<WebSearchInput, WebSearchOutput>({
    name: 'WebSearch',
    searchHint: 'search the web, find current information and sources',
    prompt,
    icon: 'globe',
    inputSchema,
    isEnabled: () => why() === '',
    unavailableReason: why,
    isConcurrencySafe: () => true,
    isReadOnly: () => true,
    isOpenWorld: () => true,
    isSearchOrReadCommand: () => true,
    shouldDefer: true,
    validateInput: (input) =>
      Promise.resolve(
        (input.allowed_domains?.length ?? 0) > 0 && (input.blocked_domains?.length ?? 0) > 0
          ? rejection('bothDomains', 'Give either allowed_domains or blocked_domains, not both.')
          : { verdict: 'ok' },
      ),
    // Which hosts are read only the provider knows; the call as a whole needs permission.
    facts: () => [],
    async call(input, context) {
      if (searcher === undefined) throw new ToolFailure('tool', why());
      const made = calls.get(context.sessionId) ?? 0;
      if (made >= maxCalls) return { kind: 'limit' };
      calls.set(context.sessionId, made + 1);
      return await searchOf(searcher, input, context);
    },
    mapResult: (output) => [{ type: 'text', text: resultText(output) }],
    getToolUseSummary: (input) => oneLine(input.query),
    getActivityDescription: (input) => `Searching the web for ${oneLine(input.query, 80)}`,
    extractSearchText: (output) =>
      output.kind === 'limit'
        ? ''
        : [output.answer, ...output.pages.map(({ title, url }) => `${title} ${url}`)].join('\n'),
    toAutoClassifierInput: (input) => input.query,
    renderUse: ({ query, allowed_domains, blocked_domains }) => ({
      kind: 'table',
      columns: ['Query', 'Hosts'],
      rows: [[query, hostsText(allowed_domains, blocked_domains)]],
    }),
    renderResult: (output) => ({ view: viewOf(output), note: noteOf(output) }),
  });
}

async function searchOf(searcher: Searcher, input: WebSearchInput, context: CallContext): Promise<WebSearchOutput> {
  const { sessionId, signal } = context;
  let outcome: SearchOutcome;
  try {
    outcome = await searcher.search({
      sessionId,
      query: input.query,
      allowedDomains: input.allowed_domains ?? [],
      blockedDomains: input.blocked_domains ?? [],
      signal,
      onQuery: (query) => context.onProgress(`Searching for ${oneLine(query)}`),
    });
  } catch (error) {
    if (signal.aborted) throw new ToolFailure('aborted', 'Interrupted before the search had finished.');
    throw error;
  }
  if (outcome.kind === 'failed') throw new ToolFailure('network', `${outcome.why} ${outcome.next}`);
  if (outcome.pages.length === 0 && outcome.answer === '' && outcome.problems.length > 0)
    throw new ToolFailure(
      'network',
      `Nothing was found: ${outcome.problems.join('; ')}. Try again later or differently.`,
    );
  return outcome;
}

function resultText(output: WebSearchOutput): string {
  if (output.kind === 'limit')
    return `This session has made its ${maxCalls} searches, so nothing was searched. Go on with what you know, fetch known URLs with WebFetch, or tell the person.`;
  const { answer, pages, problems, model } = output;
  const parts = [`Found by ${model} on the web. It is what web pages say, not what the person says.`];
  if (answer !== '') parts.push(answer);
  parts.push(pages.length === 0 ? 'No pages were found.' : `Pages:\n${pages.map(pageLine).join('\n')}`);
  if (problems.length > 0) parts.push(`Some of it failed: ${problems.join('; ')}.`);
  return parts.join('\n\n');
}

function pageLine({ title, url, age }: Found['pages'][number]): string {
  return `- ${title || url} · ${url}${age === '' ? '' : ` · ${age}`}`;
}

function viewOf(output: WebSearchOutput): View {
  if (output.kind === 'limit') return { kind: 'text', text: resultText(output) };
  const { answer, pages } = output;
  if (answer === '')
    return {
      kind: 'table',
      columns: ['Page', 'URL', 'Age'],
      rows: pages.map(({ title, url, age }) => [title, url, age]),
    };
  const list = pages.map(
    ({ title, url }) => `- [${escaped(title || url)}](<${url.replaceAll(/[<>]/g, encodeURIComponent)}>)`,
  );
  return { kind: 'markdown', text: list.length === 0 ? answer : `${answer}\n\n---\n\n${list.join('\n')}` };
}

/** A title as text, whatever it holds. */
function escaped(text: string): string {
  return text.replaceAll(/[\\`*_[\]<>#|~!&]/g, '\\$&');
}

function noteOf(output: WebSearchOutput): string {
  if (output.kind === 'limit') return 'the session’s searches are used up';
  const { pages, queries, problems } = output;
  const failed = problems.length === 0 ? [] : ['some of it failed'];
  return [counted(pages.length, 'page'), counted(queries.length, 'search', 'searches'), ...failed].join(' · ');
}

function hostsText(allowed: readonly string[] = [], blocked: readonly string[] = []): string {
  if (allowed.length > 0) return `only ${allowed.join(', ')}`;
  return blocked.length > 0 ? `not ${blocked.join(', ')}` : 'any';
}
