// The core's end of the executor: hands out handles that do only what a grant covers.
import { createHmac, randomBytes } from 'node:crypto';
import { resolve, sep } from 'node:path';
import type {
  GrantToken,
  Operation,
  OperationAnswers,
  OperationName,
  OperationOf,
  SandboxPolicy,
} from '#shared/api/executor';
import { CancelSource } from '#shared/rpc/cancel';
import type { CancelSignal } from '#shared/rpc/contract';
import { RpcError } from '#shared/rpc/errors';
import { assertNever } from '#shared/util/assertNever';
import { canonicalJson } from '#shared/util/canonicalJson';
import type { CommandHosts } from '../network/networkAsks';
import type { Grant } from '../permissions/grant';
import { type GrantedExecutor, type Inspector, type RunningCommand, ToolFailure } from '../tools/tool';
import { BoundedOutput } from './boundedOutput';
import { checkCovered, GrantError, mayReachPrivate } from './coverage';
import { answerHosts } from './hostQuestions';
import type { OutputHub } from './outputHub';
import { resolveReal } from './realPath';
import type { ExecutorConnection, ExecutorSupervisor } from './supervisor';

/** Life of a grant token: it is used at once, only a busy machine makes it wait. */
const tokenLifeMs = 60_000;
/** Width that commands see. */
const columns = 120;

/** A command's output file ends here; what is printed beyond is counted. */
const maxFileBytes = 64 * 1024 * 1024;
/** Shorter text goes to the model whole, so that no file is needed, unless the tool says otherwise. */
const usualKeepAbove = 30_000;

export interface HandleOptions {
  readonly signal: AbortSignal;
  readonly policy: SandboxPolicy;
  /** Every piece of output as it comes, beside the hub's viewers. */
  readonly onOutput?: (text: string) => void;
  /** Decides which hosts a command may reach whose policy lists them; left out: none. `text` is the command or code. */
  readonly hosts?: (text: string) => CommandHosts;
  /** Variables for commands beside what every command is given; read when one starts. */
  readonly variables?: () => Promise<Readonly<Record<string, string>>>;
}

export interface ExecutorClient {
  /**
   * The handle of one allowed call. Operations outside the grant throw GrantError; a lost executor throws
   * ToolFailure `executor`; an abort of a file or search operation throws ToolFailure `aborted`, an aborted command
   * answers with `aborted`.
   */
  handleFor(grant: Grant, options: HandleOptions): GrantedExecutor;
  /** Facts and dry runs for validation, never contents, never a write. */
  inspector(): Inspector;
  /** What a session keeps in the executor ends. */
  endSession(sessionId: string): Promise<void>;
}

export interface ExecutorClientOptions {
  readonly supervisor: ExecutorSupervisor;
  readonly outputs: OutputHub;
  /** How `Grant.realPaths` were made; by default links are followed through the deepest existing folder. */
  readonly realPath?: (path: string) => Promise<string>;
  /** Output files may be made below this folder only; left out, nowhere. */
  readonly outputFolder?: string;
}

/** Makes the client of a supervised executor. Viewers of a call's output find it in `outputs` under the call's id. */
export function createExecutorClient(options: ExecutorClientOptions): ExecutorClient {
  const { supervisor, outputs, realPath = resolveReal } = options;

  return {
    handleFor(grant, handle) {
      return {
        async run(operation) {
          if ('keep' in operation && operation.keep !== undefined)
            checkOutputFile(operation.keep.folder, options.outputFolder);
          const real = await checkCovered({ grant, operation, realPath });
          const connection = await supervisor.connection();
          // Sent all the same, it could be done before the executor hears that nobody wants it any more.
          if (handle.signal.aborted) throw interrupted();
          return send(connection, keptTo(operation, real), handle.signal);
        },
        mayReachPrivate: (host) => mayReachPrivate(grant, host),
        async start(command) {
          const { outputFile, keepAboveChars, ...rest } = command;
          const streamId = streamIdOf(grant);
          const text = command.command;
          const variables = (await handle.variables?.()) ?? {};
          const operation: OperationOf<'shell.run'> = {
            op: 'shell.run',
            streamId,
            ...rest,
            columns,
            sandbox: grant.runs === 'outside' ? { ...handle.policy, enabled: false } : handle.policy,
            ...(Object.keys(variables).length === 0 ? {} : { variables }),
            ...outputField({ file: outputFile, keepAboveChars }, options.outputFolder),
          };
          const real = await checkCovered({ grant, operation, realPath });
          const connection = await supervisor.connection();
          return startShell({
            operation: real === undefined ? operation : { ...operation, real },
            streamId,
            text,
            handle,
            outputs,
            connection,
            callId: grant.callId,
            keepAboveChars,
          });
        },
        async startCode(code) {
          const { outputFile, ...rest } = code;
          const streamId = streamIdOf(grant);
          const text = code.code;
          const operation: OperationOf<'repl.run'> = {
            op: 'repl.run',
            streamId,
            ...rest,
            sandbox: handle.policy,
            ...outputField({ file: outputFile }, options.outputFolder),
          };
          await checkCovered({ grant, operation, realPath });
          const connection = await supervisor.connection();
          const { capture, ended } = startStream({
            operation,
            streamId,
            text,
            handle,
            outputs,
            connection,
            callId: grant.callId,
          });
          return { capture, ended };
        },
        async askLanguageServer(question) {
          // The setting is about commands: a server needs nothing that the sandbox keeps from it.
          const enabled = supervisor.sandbox.available;
          const sandbox = { ...handle.policy, enabled, network: 'off' as const, writable: [] };
          const operation: OperationOf<'lsp.query'> = { op: 'lsp.query', ...question, sandbox };
          await checkCovered({ grant, operation, realPath });
          return send(await supervisor.connection(), operation, handle.signal);
        },
      };
    },
    async endSession(sessionId) {
      if (supervisor.state.status !== 'ready') return;
      const { rpc } = await supervisor.connection();
      // An executor that is gone has taken it along.
      await rpc.call('repl.end', { session: sessionId }).catch(() => undefined);
    },
    inspector() {
      return {
        stat: async (path) => send(await supervisor.connection(), { op: 'file.stat', path }),
        preview: async (operation) => send(await supervisor.connection(), { ...operation, dryRun: true }),
      };
    },
  };
}

/** Where it leads is looked at once more when it is done: a command may turn a folder into a link in between. */
function keptTo<O extends Operation>(operation: O, real: string | undefined): O {
  return real === undefined || operation.op === 'file.stat' ? operation : { ...operation, real };
}

interface StreamStart<N extends 'shell.run' | 'repl.run'> {
  readonly operation: OperationOf<N>;
  readonly streamId: string;
  /** What runs, for people. */
  readonly text: string;
  readonly handle: HandleOptions;
  readonly outputs: OutputHub;
  readonly connection: ExecutorConnection;
  readonly callId: string;
  /** Plain text that is no longer is kept whole. */
  readonly keepAboveChars?: number | undefined;
}

function startShell(start: StreamStart<'shell.run'>): RunningCommand {
  const { connection, streamId } = start;
  const { capture, ended, stop, keepOn } = startStream(start);
  return {
    capture,
    ended,
    stop,
    detach() {
      keepOn();
      connection.rpc.call('shell.detach', { streamId }).catch(() => undefined);
    },
  };
}

/** What prints while it runs. `keepOn`: from now on the call's abort does not stop it. */
function startStream<N extends 'shell.run' | 'repl.run'>(
  start: StreamStart<N>,
): {
  readonly capture: BoundedOutput;
  readonly ended: Promise<OperationAnswers[N]>;
  stop(): void;
  keepOn(): void;
} {
  const { operation, streamId, handle, outputs, connection, callId } = start;
  const capture = new BoundedOutput(start.keepAboveChars);
  const stream = outputs.open(callId);
  const stopping = new AbortController();
  const onAbort = (): void => stopping.abort();
  if (handle.signal.aborted) onAbort();
  handle.signal.addEventListener('abort', onAbort, { once: true });
  const unsubscribe = connection.rpc.on('shell.data', (piece) => {
    if (piece.streamId !== streamId) return;
    capture.append(piece.text, piece.from);
    stream.append(piece.text, piece.from);
    handle.onOutput?.(piece.text);
    // The chunk lies in bounded buffers now; a failing acknowledgement means the executor is gone, which `call` reports.
    connection.rpc.call('shell.ack', { streamId, chars: piece.text.length }).catch(() => undefined);
  });
  const stopHosts = answerHosts({ connection, streamId, hosts: handle.hosts?.(start.text) });
  const keepOn = (): void => handle.signal.removeEventListener('abort', onAbort);
  const ended = send(connection, operation, stopping.signal)
    .then((result) => {
      capture.finish(result.kind === 'failure' ? undefined : result.output);
      return result;
    })
    .catch((error: unknown) => {
      throw withOutput(error, start.text, capture);
    })
    .finally(() => {
      unsubscribe();
      stopHosts();
      stream.end();
      keepOn();
    });
  // Whoever awaits it hears of it; nobody awaiting it yet is no fault.
  ended.catch(() => undefined);
  return { capture, ended, stop: () => stopping.abort(), keepOn };
}

const streamIdOf = (grant: Grant): string => `${grant.callId}:${randomBytes(6).toString('hex')}`;

function outputField(
  {
    file,
    keepAboveChars = usualKeepAbove,
  }: { readonly file: string | null; readonly keepAboveChars?: number | undefined },
  folder: string | undefined,
): Pick<OperationOf<'shell.run'>, 'output'> {
  if (file === null) return {};
  checkOutputFile(file, folder);
  return { output: { file, maxBytes: maxFileBytes, keepAboveChars } };
}

function checkOutputFile(file: string, folder: string | undefined): void {
  if (folder === undefined || !resolve(file).startsWith(folder + sep) || resolve(file) !== file)
    throw new GrantError(`${file} is no place for what Gatehouse keeps.`);
}

/** A lost executor takes nothing along that had been printed before. */
function withOutput(error: unknown, command: string, capture: BoundedOutput): unknown {
  if (!(error instanceof ToolFailure) || error.kind !== 'executor' || capture.totalChars === 0) return error;
  const { text, hiddenChars } = capture.terminal();
  return new ToolFailure('executor', `${error.message}\nOutput until then:\n${capture.plain(4_000)}`, {
    view: { kind: 'terminal', command, output: text, hiddenChars, exitCode: null },
    note: 'executor ended',
  });
}

/** Signs and sends one operation; errors of the wire become ToolFailure. */
async function send<N extends OperationName>(
  connection: ExecutorConnection,
  operation: OperationOf<N>,
  signal?: AbortSignal,
): Promise<OperationAnswers[N]> {
  const cancel = new CancelSource();
  const onAbort = () => cancel.cancel();
  if (signal?.aborted) cancel.cancel();
  signal?.addEventListener('abort', onAbort, { once: true });
  try {
    const params = { grant: mintToken(connection.grantKey, operation), operation };
    return await callers[operation.op as N](connection.rpc, params, { signal: cancel });
  } catch (error) {
    throw await asToolFailure(error, connection);
  } finally {
    signal?.removeEventListener('abort', onAbort);
  }
}

type Caller<N extends OperationName> = (
  rpc: ExecutorConnection['rpc'],
  params: { readonly grant: GrantToken; readonly operation: OperationOf<N> },
  options: { readonly signal: CancelSignal },
) => Promise<OperationAnswers[N]>;

/** Pairs each operation's name with its call, which a type parameter alone cannot do. */
const callers: { readonly [N in OperationName]: Caller<N> } = {
  'shell.run': (rpc, params, options) => rpc.call('shell.run', params, options),
  'file.stat': (rpc, params, options) => rpc.call('file.stat', params, options),
  'file.read': (rpc, params, options) => rpc.call('file.read', params, options),
  'file.write': (rpc, params, options) => rpc.call('file.write', params, options),
  'file.edit': (rpc, params, options) => rpc.call('file.edit', params, options),
  'file.editCell': (rpc, params, options) => rpc.call('file.editCell', params, options),
  'file.list': (rpc, params, options) => rpc.call('file.list', params, options),
  'search.glob': (rpc, params, options) => rpc.call('search.glob', params, options),
  'search.grep': (rpc, params, options) => rpc.call('search.grep', params, options),
  'repl.run': (rpc, params, options) => rpc.call('repl.run', params, options),
  'lsp.query': (rpc, params, options) => rpc.call('lsp.query', params, options),
  'web.fetch': (rpc, params, options) => rpc.call('web.fetch', params, options),
};

/** Proof for the executor that this operation was granted: bound to it, once, for a short time. */
export function mintToken(grantKey: string, operation: Operation): GrantToken {
  const nonce = randomBytes(16).toString('hex');
  const expiresAt = Date.now() + tokenLifeMs;
  const mac = createHmac('sha256', Buffer.from(grantKey, 'hex'))
    .update(canonicalJson({ nonce, expiresAt, operation }))
    .digest('hex');
  return { nonce, expiresAt, mac };
}

function interrupted(): ToolFailure {
  return new ToolFailure('aborted', 'Interrupted before it had finished.');
}

async function asToolFailure(error: unknown, connection: ExecutorConnection): Promise<unknown> {
  if (!(error instanceof RpcError)) return error;
  switch (error.code) {
    case 'unavailable':
      return new ToolFailure(
        'executor',
        `The executor process ended (${await connection.ended}) while this ran. It is being restarted; check what was done before trying again.`,
      );
    case 'cancelled':
      return interrupted();
    case 'overloaded':
      return new ToolFailure(
        'executor',
        'The executor has too much to do at once. Try again when other calls have finished.',
      );
    case 'refused':
    case 'invalid':
    case 'unknownMethod':
    case 'notFound':
    case 'conflict':
    case 'internal':
      return new ToolFailure('internal', `The executor could not do this: ${error.message}`);
    default:
      return assertNever(error.code, 'error code');
  }
}
