// One language server: started, greeted, told of files, asked. It ends when anything about it is not as agreed.
import { z } from 'zod';
import type { LanguageServerResult, OperationOf } from '#shared/api/executor';
import { type ConfinedOptions, type ConfinedProcess, startConfined } from '../confinedProcess';
import { diagnosticsOf, hoverOf, locationsOf, symbolsOf } from './answers';
import { ConnectionLost, LanguageConnection, ServerError } from './connection';
import { Documents, uriOf } from './documents';
import { FileChanges } from './fileChanges';
import { type Capabilities, Greeting, greetingFor, workspaceFolders } from './greeting';
import { positionIn } from './position';

type Question = OperationOf<'lsp.query'>;
type Failure = Extract<LanguageServerResult, { kind: 'failure' }>;

/** Without a word about a file for so long, a server that reports by itself has nothing to report. */
const reportWaitMs = 10_000;
/** The first report often knows the syntax only; another one may follow. */
const settleMs = 400;
/** Part of the time to answer that may go by with the server's first look at the project. */
const indexingShare = 0.6;
/** Changes beyond this many: it is told of none and starts anew. */
const mostChanges = 2_000;
const keptErrorChars = 2_000;
/** Files whose reports are kept. */
const mostReports = 500;
const politeMs = 500;

const Report = z.object({ uri: z.string(), diagnostics: z.array(z.unknown()) });
const Progress = z.object({
  token: z.union([z.string(), z.number()]),
  value: z.object({ kind: z.string() }),
});
const Registrations = z.object({ registrations: z.array(z.object({ method: z.string() })) });
const Configuration = z.object({ items: z.array(z.unknown()) });

/** In the sandbox nothing but its own temp folder can be written. */
const cachesInTemp = {
  XDG_CACHE_HOME: '/tmp/.cache',
  GOCACHE: '/tmp/.cache/go-build',
  CARGO_TARGET_DIR: '/tmp/.cache/cargo-target',
};

export interface ServerStart extends Omit<ConfinedOptions, 'channels' | 'variables'> {
  /** The folder as it was asked for; `cwd` is its real path. */
  readonly root: string;
  readonly startTimeoutMs: number;
}

export class LanguageServer {
  /** Why it is gone; undefined while it lives. */
  lost: ConnectionLost | undefined;
  /** Resolves when it is gone. */
  readonly ended: Promise<unknown>;
  private readonly confined: ConfinedProcess;
  private readonly connection: LanguageConnection;
  private readonly documents: Documents;
  private readonly changes: FileChanges;
  private readonly reports = new Map<string, { readonly items: readonly unknown[]; readonly at: number }>();
  private readonly busy = new Set<string | number>();
  private readonly greeted: Promise<Capabilities>;
  private wantsChanges = false;
  private errorText = '';
  private stirred: (() => void)[] = [];
  private queue: Promise<unknown> = Promise.resolve();

  constructor(start: ServerStart) {
    const { root, startTimeoutMs, ...confined } = start;
    const sandboxed = confined.policy.enabled && confined.sandbox.available;
    this.confined = startConfined({ ...confined, variables: sandboxed ? cachesInTemp : {}, channels: 0 });
    this.connection = new LanguageConnection({
      write: (bytes) => void this.confined.child.stdin?.write(bytes),
      onNotification: (method, params) => this.notified(method, params),
      answer: (method, params) => this.answer(method, params, root),
      onLost: (why) => {
        this.lost = why;
        this.stir();
        void this.confined.kill();
      },
    });
    this.documents = new Documents((method, params) => this.connection.notify(method, params));
    this.changes = new FileChanges(confined.cwd);
    this.confined.child.stdout?.on('data', (bytes: Buffer) => this.connection.receive(bytes));
    this.confined.child.stderr?.on('data', (bytes: Buffer) => {
      this.errorText = `${this.errorText}${bytes.toString('utf8')}`.slice(-keptErrorChars);
    });
    this.ended = this.confined.exit.then((code) => {
      const said = this.errorText.trim().split('\n').at(-1) ?? '';
      const how = code === null ? 'it could not be started' : `it ended with exit code ${code}`;
      this.connection.fail(new ConnectionLost('crashed', said === '' ? how : `${how}: ${said.slice(0, 300)}`));
    });
    this.greeted = this.greet(root, startTimeoutMs);
    // Whoever asks hears of it.
    this.greeted.catch(() => undefined);
  }

  /** One question after the other. Rejects with ConnectionLost or FileProblem. */
  ask(question: Question): Promise<LanguageServerResult> {
    const mine = this.queue.then(() => this.askNow(question));
    this.queue = mine.catch(() => undefined);
    return mine;
  }

  /** Ends it: politely where there is time. Idempotent. */
  async stop(how: 'politely' | 'at once'): Promise<void> {
    if (how === 'politely' && this.lost === undefined) {
      await this.connection.request('shutdown', null, politeMs).catch(() => undefined);
      this.connection.notify('exit', null);
    }
    this.connection.fail(new ConnectionLost('stopped', 'it was stopped'));
    await this.confined.kill();
  }

  private async greet(root: string, timeoutMs: number): Promise<Capabilities> {
    const answer = await this.connection.request('initialize', greetingFor(root), timeoutMs);
    const greeting = Greeting.safeParse(answer).data;
    if (greeting === undefined || (greeting.capabilities.positionEncoding ?? 'utf-16') !== 'utf-16') {
      const why = new ConnectionLost('badAnswer', 'its greeting was not understood');
      this.connection.fail(why);
      throw why;
    }
    this.connection.notify('initialized', {});
    return greeting.capabilities;
  }

  private async askNow(question: Question): Promise<LanguageServerResult> {
    const { query, path, languageId, timeoutMs } = question;
    const deadline = performance.now() + timeoutMs;
    const left = () => Math.max(1, Math.round(deadline - performance.now()));
    const can = await this.greeted;
    await this.tellChanges();
    await this.documents.refresh();
    const { text, changed } = await this.documents.sync(path, languageId);
    const syncedAt = performance.now();
    await this.indexed(deadline - timeoutMs * (1 - indexingShare));
    const textDocument = { uri: uriOf(path) };
    try {
      switch (query.kind) {
        case 'symbols': {
          if (!can.documentSymbolProvider) return unsupported(question);
          return symbolsOf(await this.connection.request('textDocument/documentSymbol', { textDocument }, left()));
        }
        case 'diagnostics': {
          if (!can.diagnosticProvider) return await this.reported({ path, changed, syncedAt, deadline });
          const answer = await this.connection.request('textDocument/diagnostic', { textDocument }, left());
          return diagnosticsOf(z.object({ items: z.array(z.unknown()) }).safeParse(answer).data?.items, true);
        }
        default: {
          const position = positionIn(text, query);
          if ('kind' in position) return position;
          const place = { textDocument, position };
          if (query.kind === 'hover') {
            if (!can.hoverProvider) return unsupported(question);
            return hoverOf(await this.connection.request('textDocument/hover', place, left()));
          }
          if (query.kind === 'definition') {
            if (!can.definitionProvider) return unsupported(question);
            return locationsOf(await this.connection.request('textDocument/definition', place, left()));
          }
          if (!can.referencesProvider) return unsupported(question);
          const context = { includeDeclaration: true };
          return locationsOf(await this.connection.request('textDocument/references', { ...place, context }, left()));
        }
      }
    } catch (error) {
      if (!(error instanceof ServerError)) throw error;
      return { kind: 'failure', reason: 'serverError', message: `${question.server.name} refused: ${error.message}` };
    }
  }

  /** What the server said by itself about a file. */
  private async reported(about: {
    readonly path: string;
    readonly changed: boolean;
    readonly syncedAt: number;
    readonly deadline: number;
  }): Promise<LanguageServerResult> {
    const uri = uriOf(about.path);
    const known = () => this.reports.get(uri);
    const fresh = () => {
      const report = known();
      return report !== undefined && (!about.changed || report.at >= about.syncedAt);
    };
    const until = Math.min(about.deadline, about.syncedAt + reportWaitMs);
    while (!fresh() && performance.now() < until && this.lost === undefined) await this.stirring(until);
    if (this.lost !== undefined) throw this.lost;
    const heard = fresh();
    // As long as reports keep coming, the last one counts.
    while (about.changed && heard && performance.now() < until) {
      const quiet = (known()?.at ?? 0) + settleMs;
      if (performance.now() >= quiet) break;
      await this.stirring(Math.min(quiet, until));
    }
    return diagnosticsOf(known()?.items, heard);
  }

  private async tellChanges(): Promise<void> {
    if (!this.wantsChanges) return;
    const changes = await this.changes.since();
    if (changes.length === 0) return;
    if (changes.length > mostChanges) {
      const why = new ConnectionLost('stopped', 'so many files have changed that it has to start anew');
      this.connection.fail(why);
      throw why;
    }
    const types = { created: 1, changed: 2, deleted: 3 };
    this.connection.notify('workspace/didChangeWatchedFiles', {
      changes: changes.map(({ path, kind }) => ({ uri: uriOf(path), type: types[kind] })),
    });
  }

  /** Waits for the server's first look at the project, as far as it tells of it. */
  private async indexed(until: number): Promise<void> {
    while (this.busy.size > 0 && performance.now() < until && this.lost === undefined) await this.stirring(until);
  }

  /** Resolves when the server says something, or at a time on the clock of `performance.now()`. */
  private stirring(until: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, Math.max(1, until - performance.now()));
      this.stirred.push(() => {
        clearTimeout(timer);
        resolve();
      });
    });
  }

  private stir(): void {
    const waiting = this.stirred;
    this.stirred = [];
    for (const wake of waiting) wake();
  }

  private notified(method: string, params: unknown): void {
    if (method === 'textDocument/publishDiagnostics') {
      const report = Report.safeParse(params).data;
      if (report === undefined) return;
      this.reports.delete(report.uri);
      this.reports.set(report.uri, { items: report.diagnostics.slice(0, 1_000), at: performance.now() });
      const [oldest] = this.reports.keys();
      if (this.reports.size > mostReports && oldest !== undefined) this.reports.delete(oldest);
      this.stir();
    }
    if (method === '$/progress') {
      const progress = Progress.safeParse(params).data;
      if (progress?.value.kind === 'begin' && this.busy.size < 1_000) this.busy.add(progress.token);
      if (progress?.value.kind === 'end' && this.busy.delete(progress.token)) this.stir();
    }
  }

  private answer(method: string, params: unknown, root: string): { readonly result: unknown } | undefined {
    switch (method) {
      case 'workspace/configuration':
        return { result: (Configuration.safeParse(params).data?.items ?? []).slice(0, 1_000).map(() => null) };
      case 'workspace/workspaceFolders':
        return { result: workspaceFolders(root) };
      case 'client/registerCapability': {
        const asked = Registrations.safeParse(params).data?.registrations ?? [];
        if (!this.wantsChanges && asked.some((one) => one.method === 'workspace/didChangeWatchedFiles')) {
          this.wantsChanges = true;
          // From now on changes count.
          this.queue = this.queue.then(() => this.changes.since()).catch(() => undefined);
        }
        return { result: null };
      }
      case 'client/unregisterCapability':
      case 'window/workDoneProgress/create':
      case 'workspace/diagnostic/refresh':
      case 'workspace/codeLens/refresh':
      case 'workspace/inlayHint/refresh':
      case 'workspace/semanticTokens/refresh':
      case 'window/showMessageRequest':
        return { result: null };
      // Nobody may change files through a question.
      case 'workspace/applyEdit':
        return { result: { applied: false, failureReason: 'Gatehouse only reads.' } };
      default:
        return undefined;
    }
  }
}

function unsupported({ server, query }: Question): Failure {
  return { kind: 'failure', reason: 'unsupported', message: `${server.name} does not offer ${query.kind}.` };
}
