import { z } from 'zod';
import type { LanguageServerResult } from '#shared/api/executor';
import type { View } from '#shared/tools/presentation';
import { buildTool } from '../buildTool';
import { rejection } from '../changeTarget';
import { absolutePath, pathField, shortPath } from '../paths';
import { semanticInteger } from '../semanticInput';
import { type CallPlace, type Tool, ToolFailure } from '../tool';
import { counted, grouped, oneLine } from '../wording';
import {
  askServer,
  countOf,
  diagnosticColumns,
  diagnosticLine,
  factsOf,
  type LanguageOptions,
  nameOf,
  rowsOf,
  serverFailed,
  serverFor,
  shownPath,
  whyNoServer,
} from './languages';
import prompt from './lsp.prompt.md';

const operations = ['definition', 'references', 'hover', 'symbols', 'diagnostics'] as const;

const inputSchema = () =>
  z.strictObject({
    operation: z.enum(operations).describe('What to ask.'),
    file_path: pathField().describe('The file.'),
    line: semanticInteger(1).optional().describe('Line of the name, from 1; for definition, references and hover.'),
    symbol: z
      .string()
      .min(1)
      .max(1_000)
      .optional()
      .describe('The name as it is written in that line. Its first occurrence counts.'),
    column: semanticInteger(1)
      .optional()
      .describe('Instead of `symbol`: column of the name, from 1, in UTF-16 code units.'),
  });

export type LspInput = z.infer<ReturnType<typeof inputSchema>>;

type Answer = Exclude<LanguageServerResult, { kind: 'failure' }>;

export interface LspOutput {
  readonly answer: Answer;
  /** The server's program. */
  readonly server: string;
  /** For each place of `locations`, as it is shown. */
  readonly places: readonly string[];
  /** The file as it is shown. */
  readonly file: string;
}

type Query = Parameters<typeof askServer>[1];

/** Asks language servers. */
export function createLspTool(options: LanguageOptions): Tool<LspInput, LspOutput> {
  const reason = () => whyNoServer(options);
  return buildTool<LspInput, LspOutput>({
    name: 'LSP',
    searchHint: 'language server: go to definition, find references, hover types, file outline, diagnostics',
    prompt,
    icon: 'search',
    inputSchema,
    isEnabled: () => reason() === '',
    unavailableReason: reason,
    shouldDefer: true,
    isConcurrencySafe: () => options.confined(),
    isReadOnly: () => options.confined(),
    canBeReadOnly: () => true,
    isSearchOrReadCommand: () => true,
    validateInput(input, context) {
      const found = serverFor(options, context, input.file_path);
      if (typeof found === 'string') return Promise.resolve(rejection('noServer', found));
      const query = queryOf(input);
      return Promise.resolve(typeof query === 'string' ? rejection('noPlace', query) : { verdict: 'ok' });
    },
    facts(input, place) {
      const found = serverFor(options, place, input.file_path);
      // Refused by validation; what it would touch is its file.
      return typeof found === 'string'
        ? [{ kind: 'path', access: 'read', path: absolutePath(input.file_path, place) }]
        : factsOf(options, [found]);
    },
    observableInput: (input, place) => ({ ...input, file_path: absolutePath(input.file_path, place) }),
    async call(input, context) {
      const found = serverFor(options, context, input.file_path);
      const query = queryOf(input);
      if (typeof found === 'string') throw new ToolFailure('notFound', found, { note: 'no language server' });
      if (typeof query === 'string') throw new ToolFailure('input', query);
      const answer = await askServer(found, query, context);
      if (answer.kind === 'failure') throw serverFailed(answer);
      return {
        answer,
        server: nameOf(found.server),
        file: shownPath(found.path, context, options),
        places: answer.kind === 'locations' ? answer.locations.map((one) => shownPath(one.path, context, options)) : [],
      };
    },
    mapResult: (output) => [{ type: 'text', text: textOf(output) }],
    getToolUseSummary: (input, place) => summaryOf(input, place),
    getActivityDescription: (input, place) => `Asking for ${summaryOf(input, place)}`,
    getPath: (input, place) => absolutePath(input.file_path, place),
    extractSearchText: textOf,
    toAutoClassifierInput: (input) => `${input.operation} ${input.file_path}`,
    renderUse: (input, place) => ({
      kind: 'table',
      columns: ['Question', 'File', 'Line', 'Name'],
      rows: [
        [
          input.operation,
          shortPath(absolutePath(input.file_path, place), place.folder),
          input.line === undefined ? '' : String(input.line),
          input.symbol ?? (input.column === undefined ? '' : `column ${input.column}`),
        ],
      ],
    }),
    renderResult: (output) => ({ view: viewOf(output), note: `${noteOf(output)} · ${output.server}` }),
  });
}

/** The question; words for the model when a place is missing. */
function queryOf({ operation, line, symbol, column }: LspInput): Query | string {
  if (operation === 'symbols' || operation === 'diagnostics') return { kind: operation };
  if (line === undefined || (symbol === undefined && column === undefined))
    return `${operation} needs a place: give line, and symbol (the name as it is written in that line) or column.`;
  return { kind: operation, line, column: symbol === undefined ? (column ?? 0) : 0, symbol: symbol ?? '' };
}

function summaryOf({ operation, file_path, line, symbol }: LspInput, place: CallPlace): string {
  const file = shortPath(absolutePath(file_path, place), place.folder);
  const at = line === undefined ? file : `${file}:${line}`;
  return symbol === undefined ? `${operation} in ${at}` : `${operation} of ${oneLine(symbol, 60)} in ${at}`;
}

const left = (shown: number, total: number) =>
  total > shown ? [`[The first ${grouped(shown)} of ${grouped(total)}.]`] : [];

function textOf({ answer, server, places, file }: LspOutput): string {
  switch (answer.kind) {
    case 'locations':
      if (answer.locations.length === 0) return `${server} knows no such place.`;
      return [
        ...answer.locations.map((one, index) => placeText(places[index] ?? one.path, one)),
        ...left(answer.locations.length, answer.total),
      ].join('\n');
    case 'hover':
      return answer.text === '' ? `${server} has nothing to say about this place.` : answer.text;
    case 'symbols':
      if (answer.symbols.length === 0) return `${server} knows no symbols in ${file}.`;
      return [
        ...answer.symbols.map((one) => `${'  '.repeat(one.depth)}${one.symbolKind} ${one.name} (line ${one.line})`),
        ...left(answer.symbols.length, answer.total),
      ].join('\n');
    case 'diagnostics': {
      const { diagnostics, total, heard } = answer;
      if (!heard) return `${server} has not reported on ${file} in time. Ask again in a while.`;
      if (diagnostics.length === 0) return `${server} finds no problems in ${file}.`;
      const lines = diagnostics.map(diagnosticLine);
      return [`${file}, by ${server}: ${countOf(diagnostics)}`, ...lines, ...left(diagnostics.length, total)].join(
        '\n',
      );
    }
  }
}

function placeText(shown: string, { line, column }: { readonly line: number; readonly column: number }): string {
  const outside = / \(outside .*\)$/.exec(shown)?.[0] ?? '';
  return `${shown.slice(0, shown.length - outside.length)}:${line}:${column}${outside}`;
}

function viewOf({ answer, places, file }: LspOutput): View {
  switch (answer.kind) {
    case 'locations':
      return {
        kind: 'table',
        columns: ['File', 'Line', 'Column'],
        rows: answer.locations.map((one, index) => [places[index] ?? one.path, String(one.line), String(one.column)]),
      };
    case 'hover':
      return { kind: 'markdown', text: answer.text };
    case 'symbols':
      return {
        kind: 'table',
        columns: ['Symbol', 'Kind', 'Line'],
        rows: answer.symbols.map((one) => [`${'  '.repeat(one.depth)}${one.name}`, one.symbolKind, String(one.line)]),
      };
    case 'diagnostics':
      return { kind: 'table', columns: diagnosticColumns, rows: rowsOf(answer.diagnostics, file) };
  }
}

function noteOf({ answer }: LspOutput): string {
  switch (answer.kind) {
    case 'locations':
      return counted(answer.total, 'place');
    case 'hover':
      return answer.text === '' ? 'nothing known' : counted(answer.text.length, 'character');
    case 'symbols':
      return counted(answer.total, 'symbol');
    case 'diagnostics':
      return answer.heard ? countOf(answer.diagnostics) : 'no report yet';
  }
}
