// What the two tools that ask language servers share: which server, which folder it looks after, words for its answers.
import { dirname } from 'node:path';
import type { LanguageDiagnostic, OperationAnswers } from '#shared/api/executor';
import type { FailureKind } from '#shared/session/toolCall';
import { absolutePath, isInside, shortPath } from '../paths';
import { type CallContext, type CallFact, type CallPlace, ToolFailure } from '../tool';
import { counted } from '../wording';
import { commandLine, languageIds, languageOf, type ServerCommand, type ServerPreferences, serverOf } from './servers';

export interface LanguageOptions {
  /** What the person configured. */
  readonly preferences: () => ServerPreferences;
  readonly isInPath: (program: string) => boolean;
  /** Whether servers run in a sandbox; where they do not, starting one is a command that needs permission. */
  readonly confined: () => boolean;
  /** The folders a session works in, its own first. */
  readonly workingFolders: (sessionId: string) => readonly string[];
  /** Files that were changed in a session, absolute, newest first. */
  readonly recentlyEdited: (sessionId: string) => readonly string[];
}

/** A server takes its time with a large project when it is asked for the first time. */
const answerMs = 60_000;

type Query = Parameters<CallContext['executor']['askLanguageServer']>[0]['query'];
type Answer = OperationAnswers['lsp.query'];

/** One file and the server that knows its language. */
export interface FileAndServer {
  /** Absolute. */
  readonly path: string;
  readonly root: string;
  readonly languageId: string;
  readonly server: ServerCommand;
}

/** Why the tools are not offered; empty when some language has a server. */
export function whyNoServer(options: LanguageOptions): string {
  const found = languageIds.some((languageId) => serverOf(languageId, servers(options)) !== null);
  return found || Object.keys(options.preferences()).length > 0
    ? ''
    : 'No language server was found in PATH. Install one (for example typescript-language-server, pyright, gopls, rust-analyzer or clangd), or name one in the preference lspServers.';
}

/** Words for the model where a file has no server; the server otherwise. */
export function serverFor(
  options: LanguageOptions,
  place: Pick<CallPlace, 'cwd' | 'home' | 'folder' | 'sessionId'>,
  file: string,
): FileAndServer | string {
  const path = absolutePath(file, place);
  const shown = shortPath(path, place.cwd);
  const languageId = languageOf(path);
  if (languageId === null)
    return `${shown} is in no language that a language server is known for. Use Grep and Read instead.`;
  const server = serverOf(languageId, servers(options));
  if (server === null)
    return `No language server for ${languageId} is installed, so nothing can be asked about ${shown}. Use Grep and Read instead.`;
  const folders = [place.folder, ...options.workingFolders(place.sessionId)];
  // The innermost one; a file outside of all has its own folder.
  const [root = dirname(path)] = folders.filter((folder) => isInside(path, folder)).sort((a, b) => b.length - a.length);
  return { path, root, languageId, server };
}

function servers(options: LanguageOptions): Parameters<typeof serverOf>[1] {
  return { preferences: options.preferences(), isInPath: options.isInPath };
}

/** The server reads what lies in its folder; without a sandbox it could do anything, as a command can. */
export function factsOf(options: LanguageOptions, files: readonly FileAndServer[]): readonly CallFact[] {
  const facts = new Map<string, CallFact>();
  const confined = options.confined();
  for (const { path, root, server } of files) {
    for (const read of [path, root]) facts.set(`read ${read}`, { kind: 'path', access: 'read', path: read });
    const command = commandLine(server);
    if (!confined) facts.set(`run ${root} ${command}`, { kind: 'command', command, cwd: root });
  }
  return [...facts.values()];
}

/** Asks about one file. A failure comes as an answer. */
export async function askServer(file: FileAndServer, query: Query, context: CallContext): Promise<Answer> {
  const { path, root, languageId, server } = file;
  return await context.executor.askLanguageServer({
    server: { name: nameOf(server), command: server.command, args: [...server.args] },
    root,
    path,
    languageId,
    query,
    timeoutMs: answerMs,
  });
}

/** A server's program, for people. */
export const nameOf = ({ command }: ServerCommand): string => command.split(/[\\/]/).at(-1) ?? command;

/** A failure as a tool reports it. */
export function serverFailed(failure: Extract<Answer, { kind: 'failure' }>): ToolFailure {
  const { reason, message } = failure;
  const advice = ['crashed', 'timeout', 'badAnswer', 'unsupported'].includes(reason)
    ? ' Use Grep and Read meanwhile.'
    : '';
  return new ToolFailure(kinds[reason] ?? 'tool', `${message}${advice}`, { note: notes[reason] });
}

const kinds: { readonly [R in Extract<Answer, { kind: 'failure' }>['reason']]?: FailureKind } = {
  file: 'notFound',
  timeout: 'timeout',
};

const notes: Readonly<Record<Extract<Answer, { kind: 'failure' }>['reason'], string>> = {
  file: 'file not readable',
  position: 'no such place',
  missing: 'no language server',
  refused: 'not started',
  crashed: 'language server ended',
  timeout: 'language server silent',
  badAnswer: 'language server not understood',
  unsupported: 'not offered by the server',
  serverError: 'refused by the server',
};

/** A path from the current folder; what lies outside of the working folders says so. */
export function shownPath(path: string, place: CallPlace, options: LanguageOptions): string {
  const folders = [place.folder, ...options.workingFolders(place.sessionId)];
  const short = shortPath(path, place.cwd);
  return folders.some((folder) => isInside(path, folder)) ? short : `${path} (outside the working folders)`;
}

/** `3:14 error TS2345: text`, later lines indented. */
export function diagnosticLine({ line, column, severity, code, source, message }: LanguageDiagnostic): string {
  const named = [source, code].filter((part) => part !== '').join(' ');
  return `${line}:${column} ${severity}${named === '' ? '' : ` (${named})`}: ${message.replaceAll('\n', '\n    ')}`;
}

/** `2 errors, 1 warning`, or `no problems`. */
export function countOf(diagnostics: readonly LanguageDiagnostic[]): string {
  const of = (severity: LanguageDiagnostic['severity']) =>
    diagnostics.filter((one) => one.severity === severity).length;
  const parts = [
    [of('error'), 'error'],
    [of('warning'), 'warning'],
    [of('information') + of('hint'), 'hint'],
  ] as const;
  const said = parts.filter(([count]) => count > 0).map(([count, noun]) => counted(count, noun));
  return said.length === 0 ? 'no problems' : said.join(', ');
}

/** Rows for `diagnosticColumns`. */
export const rowsOf = (diagnostics: readonly LanguageDiagnostic[], path: string): string[][] =>
  diagnostics.map((one) => [
    path,
    `${one.line}:${one.column}`,
    one.severity,
    one.message,
    `${one.source} ${one.code}`.trim(),
  ]);

export const diagnosticColumns = ['File', 'Place', 'Severity', 'Message', 'From'];
