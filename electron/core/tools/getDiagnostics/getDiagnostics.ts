import { z } from 'zod';
import type { LanguageDiagnostic } from '#shared/api/executor';
import { buildTool } from '../buildTool';
import { rejection } from '../changeTarget';
import {
  askServer,
  countOf,
  diagnosticColumns,
  diagnosticLine,
  type FileAndServer,
  factsOf,
  type LanguageOptions,
  nameOf,
  rowsOf,
  serverFor,
  shownPath,
  whyNoServer,
} from '../lsp/languages';
import { absolutePath, pathField, shortPath } from '../paths';
import { type CallContext, type CallPlace, type Tool, ToolFailure } from '../tool';
import { counted, grouped } from '../wording';
import prompt from './getDiagnostics.prompt.md';

const mostFiles = 20;
const mostRecent = 10;
/** Calls whose recently edited files are remembered. */
const keptCalls = 100;

const inputSchema = () =>
  z.strictObject({
    file_paths: z
      .array(pathField())
      .min(1)
      .max(mostFiles)
      .optional()
      .describe(`The files, at most ${mostFiles}; left out: those edited in this session, newest first.`),
  });

export type GetDiagnosticsInput = z.infer<ReturnType<typeof inputSchema>>;

interface FileReport {
  readonly file: string;
  /** The server's program; empty where there is none. */
  readonly server: string;
  readonly diagnostics: readonly LanguageDiagnostic[];
  readonly total: number;
  /** Why there is no report, for the model; empty when there is one. */
  readonly problem: string;
}

export type GetDiagnosticsOutput = readonly FileReport[];

/** Gathers what language servers say of files. */
export function createGetDiagnosticsTool(options: LanguageOptions): Tool<GetDiagnosticsInput, GetDiagnosticsOutput> {
  const reason = () => whyNoServer(options);
  // What was decided is what is asked about, also when another file is edited meanwhile.
  const recent = new Map<string, readonly string[]>();
  const recentFiles = ({ sessionId, callId }: CallPlace): readonly string[] => {
    const known = recent.get(callId);
    if (known !== undefined) return known;
    const files = options
      .recentlyEdited(sessionId)
      .filter((path) => path !== '')
      .slice(0, mostRecent);
    recent.set(callId, files);
    const [oldest] = recent.keys();
    if (recent.size > keptCalls && oldest !== undefined) recent.delete(oldest);
    return files;
  };
  const filesOf = (input: GetDiagnosticsInput, place: CallPlace) => [
    ...new Set((input.file_paths ?? recentFiles(place)).map((file) => absolutePath(file, place))),
  ];
  const known = (input: GetDiagnosticsInput, place: CallPlace): readonly FileAndServer[] =>
    filesOf(input, place).flatMap((path) => {
      const found = serverFor(options, place, path);
      return typeof found === 'string' ? [] : [found];
    });

  async function report(path: string, context: CallContext): Promise<FileReport> {
    const found = serverFor(options, context, path);
    const none = { diagnostics: [], total: 0 };
    if (typeof found === 'string') return { ...none, file: shortPath(path, context.cwd), server: '', problem: found };
    const file = shownPath(path, context, options);
    const server = nameOf(found.server);
    const answer = await askServer(found, { kind: 'diagnostics' }, context);
    if (answer.kind === 'failure') return { ...none, file, server, problem: answer.message };
    if (answer.kind !== 'diagnostics') return { ...none, file, server, problem: `${server} gave another answer.` };
    if (!answer.heard)
      return { ...none, file, server, problem: `${server} has not reported on it in time. Ask again in a while.` };
    return { file, server, diagnostics: answer.diagnostics, total: answer.total, problem: '' };
  }

  return buildTool<GetDiagnosticsInput, GetDiagnosticsOutput>({
    name: 'GetDiagnostics',
    searchHint: 'errors and warnings of files from language servers, type check after edits',
    prompt,
    icon: 'checklist',
    inputSchema,
    isEnabled: () => reason() === '',
    unavailableReason: reason,
    shouldDefer: true,
    isConcurrencySafe: () => options.confined(),
    isReadOnly: () => options.confined(),
    canBeReadOnly: () => true,
    isSearchOrReadCommand: () => true,
    validateInput: (input, context) =>
      Promise.resolve(
        filesOf(input, context).length === 0
          ? rejection('nothingEdited', 'No file was edited in this session yet. Name the files in file_paths.')
          : { verdict: 'ok' },
      ),
    facts: (input, place) => [
      ...filesOf(input, place).map((path) => ({ kind: 'path' as const, access: 'read' as const, path })),
      ...factsOf(options, known(input, place)),
    ],
    observableInput: (input, place) => ({ ...input, file_paths: filesOf(input, place) }),
    async call(input, context) {
      const reports: FileReport[] = [];
      // One after the other: most of them go to one server, which takes them in turn anyway.
      for (const path of filesOf(input, context)) {
        if (context.signal.aborted) throw new ToolFailure('aborted', 'Interrupted before all files were looked at.');
        reports.push(await report(path, context));
      }
      return reports;
    },
    mapResult: (reports) => [{ type: 'text', text: reports.map(reportText).join('\n\n') }],
    getToolUseSummary: (input, place) =>
      input.file_paths === undefined
        ? 'edited files'
        : filesOf(input, place)
            .map((path) => shortPath(path, place.folder))
            .join(', '),
    getActivityDescription: () => 'Looking for problems',
    extractSearchText: (reports) => reports.map(reportText).join('\n'),
    toAutoClassifierInput: (input) => (input.file_paths ?? []).join(' '),
    renderUse: (input, place) => ({
      kind: 'files',
      files: filesOf(input, place).map((path) => ({ path: shortPath(path, place.folder) })),
      truncated: false,
    }),
    renderResult: (reports) => ({
      view: {
        kind: 'table',
        columns: diagnosticColumns,
        rows: reports.flatMap((one) =>
          one.problem === '' ? rowsOf(one.diagnostics, one.file) : [[one.file, '', '', one.problem, one.server]],
        ),
      },
      note: [countOf(reports.flatMap((one) => one.diagnostics)), counted(reports.length, 'file')].join(' · '),
    }),
  });
}

function reportText({ file, server, diagnostics, total, problem }: FileReport): string {
  if (problem !== '') return `${file}: ${problem}`;
  if (diagnostics.length === 0) return `${file}, by ${server}: no problems`;
  const rest = total > diagnostics.length ? [`[The first ${diagnostics.length} of ${grouped(total)}.]`] : [];
  return [`${file}, by ${server}: ${countOf(diagnostics)}`, ...diagnostics.map(diagnosticLine), ...rest].join('\n');
}
