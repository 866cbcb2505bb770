import { z } from 'zod';
import type { View } from '#shared/tools/presentation';
import { buildTool } from '../buildTool';
import { searchTool } from '../loading';
import { semanticNumber } from '../semanticInput';
import { ToolFailure } from '../tool';
import { counted, oneLine } from '../wording';
import { readQuery, searchTools } from './search';
import prompt from './toolSearch.prompt.md';

/** Tools that a search with words or a prefix loads unless it says otherwise. */
const usualResults = 5;
/** More at once would take the room that deferring them has won. */
const mostResults = 20;

const inputSchema = () =>
  z.strictObject({
    query: z
      .string()
      .trim()
      .min(1, 'expected some text')
      .max(500)
      .describe('`select:Name,Name`, the start of MCP names such as `mcp__github`, or words to look for.'),
    max_results: semanticNumber(z.number().int().min(1).max(mostResults))
      .default(usualResults)
      .describe(`Most tools to load, 1 to ${mostResults}; 5 by default. Names that were selected do not count.`),
  });

export type ToolSearchInput = z.infer<ReturnType<typeof inputSchema>>;

interface Found {
  readonly name: string;
  readonly hint: string;
}

export interface ToolSearchOutput {
  /** Loaded from now on. */
  readonly loaded: readonly Found[];
  /** Asked for by name or by a word that must be in it, but there all the time. */
  readonly there: readonly string[];
  /** Asked for by name, and not there. */
  readonly unknown: readonly string[];
  /** Fitting tools beyond the limit. */
  readonly more: number;
}

/** Loads deferred tools: its result refers to them, which is what the rest of the program goes by. */
export const toolSearchTool = buildTool<ToolSearchInput, ToolSearchOutput>({
  name: searchTool,
  searchHint: 'find and load tools',
  prompt,
  icon: 'search',
  inputSchema,
  isReadOnly: () => true,
  canBeReadOnly: () => true,
  isConcurrencySafe: () => true,
  isSearchOrReadCommand: () => true,
  facts: () => [],
  checkPermissions: () => ({
    behavior: 'allow',
    detail: 'It only shows the model a tool; calls of it are judged as ever.',
  }),
  call(input, { pool }) {
    if (pool === undefined) throw new ToolFailure('internal', 'There are no tools to search here.');
    const query = readQuery(input.query);
    const others = pool.tools.filter((tool) => tool.name !== searchTool);
    // Loose words would fit half of what is there; what has a demanded word is meant, loaded or not.
    const demands = query.kind !== 'words' || query.required.length > 0;
    const found = searchTools(demands ? others : others.filter(pool.isDeferrable), query);
    const most = query.kind === 'select' ? mostResults : input.max_results;
    const fitting = found.filter(pool.isDeferrable);
    return Promise.resolve({
      loaded: fitting.slice(0, most).map((tool) => ({ name: tool.name, hint: oneLine(tool.searchHint, 100) })),
      there: found
        .filter((tool) => !pool.isDeferrable(tool))
        .slice(0, most)
        .map((tool) => tool.name),
      unknown:
        query.kind === 'select'
          ? query.names.filter((name) => searchTools(found, { kind: 'select', names: [name] }).length === 0)
          : [],
      more: Math.max(0, fitting.length - most),
    });
  },
  mapResult: (output, input) => [
    { type: 'text', text: inWords(output, input) },
    ...output.loaded.map(({ name }) => ({ type: 'tool_reference' as const, name })),
  ],
  getToolUseSummary: ({ query }) => oneLine(query, 80),
  getActivityDescription: ({ query }) => `Looking for tools: ${oneLine(query, 60)}`,
  extractSearchText: ({ loaded }) => loaded.map(({ name }) => name).join('\n'),
  toAutoClassifierInput: ({ query }) => query,
  renderUse: ({ query }) => ({ kind: 'text', text: query }),
  renderResult: (output, input) => ({
    view: picture(output, input),
    note: counted(output.loaded.length, 'tool loaded', 'tools loaded'),
  }),
});

/** For the model. */
function inWords({ loaded, there, unknown, more }: ToolSearchOutput, { query }: ToolSearchInput): string {
  const texts: string[] = [];
  if (loaded.length > 0) {
    texts.push(
      `Loaded: ${loaded.map(({ name }) => name).join(', ')}. You have their descriptions and inputs now; call them as any other tool.`,
    );
  }
  if (more > 0)
    texts.push(`${counted(more, 'more tool')} would fit. Say more words, select names, or raise max_results.`);
  if (there.length > 0) texts.push(`Loaded all the time: ${there.join(', ')}. Call them without a search.`);
  if (unknown.length > 0)
    texts.push(`There is no tool called ${unknown.map((name) => oneLine(name, 80)).join(' or ')}.`);
  if (texts.length === 0) {
    texts.push(
      `No tool fits “${oneLine(query, 80)}”. Try other words, or select names from the list in your instructions.`,
    );
  }
  return texts.join('\n');
}

function picture(output: ToolSearchOutput, input: ToolSearchInput): View {
  const { loaded } = output;
  if (loaded.length === 0) return { kind: 'text', text: inWords(output, input) };
  return { kind: 'table', columns: ['Tool', 'What for'], rows: loaded.map(({ name, hint }) => [name, hint]) };
}
