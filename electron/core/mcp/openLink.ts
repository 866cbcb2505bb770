// Opens one connection: transport, handshake, what the server may ask of us. The library is loaded with the first server.
import { pathToFileURL } from 'node:url';
import type {
  AuthProvider,
  Client,
  ElicitRequestParams,
  ElicitResult,
  JsonSchemaValidator,
  Transport,
} from '@modelcontextprotocol/client';
import type { McpServerConfig } from '#shared/api/mcp';
import type { CorePorts } from '../ports';
import { boundedFetch } from './boundedFetch';
import { HelperFailed, headersOf } from './headersHelper';
import { serverEnvironment } from './limits';
import type { ServerOutput } from './serverOutput';

/** Pause before a broken stream is opened again, in milliseconds; after two attempts its call fails. */
const reconnectMs = 300;

export interface LinkOptions {
  /** As it is configured. */
  readonly name: string;
  /** Filled in. */
  readonly config: McpServerConfig;
  /** Where a stdio server runs, and the root that servers may ask for. */
  readonly folder: string;
  readonly host: Pick<CorePorts['host'], 'platform' | 'version'>;
  readonly variables: Readonly<Record<string, string>>;
  readonly output: ServerOutput;
  /** For servers over the network. */
  readonly auth: AuthProvider | null;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  elicit(params: ElicitRequestParams): Promise<ElicitResult>;
  /** One of the server's lists changed. */
  onListChanged(list: 'tools' | 'resources' | 'prompts'): void;
  /** The connection is gone; `why` in words, empty when nothing is known. */
  onClosed(why: string): void;
}

export interface Link {
  readonly client: Client;
  /** Ends the connection and, over stdio, the server. */
  close(): Promise<void>;
  /** Whether the process is known to be gone; for networks always false. */
  readonly pid: number | null;
}

/** The process ended, or never began, before it was ready. */
export class ServerEnded extends Error {
  override readonly name = 'ServerEnded';
}

/** Connects and shakes hands. Rejects with the library's errors, or ServerEnded. */
export async function openLink(options: LinkOptions): Promise<Link> {
  const { config, folder, host, timeoutMs, signal } = options;
  const library = await import('@modelcontextprotocol/client');
  signal.throwIfAborted();
  const client = new library.Client(
    { name: 'gatehouse', title: 'Gatehouse', version: host.version },
    {
      capabilities: { roots: {}, elicitation: { form: {}, url: {} } },
      // Results are for the model, not for code: nothing of a server's schemas is compiled.
      jsonSchemaValidator: { getValidator: takenAsItIs },
    },
  );
  client.setRequestHandler('roots/list', () => ({ roots: [{ uri: pathToFileURL(folder).href, name: 'workspace' }] }));
  client.setRequestHandler('elicitation/create', ({ params }) => options.elicit(params));
  for (const list of ['tools', 'resources', 'prompts'] as const)
    client.setNotificationHandler(`notifications/${list}/list_changed`, () => options.onListChanged(list));
  // What does not fit the protocol is skipped, not fatal.
  client.onerror = () => undefined;

  const made = await makeTransport(options).catch((error: unknown) => {
    signal.throwIfAborted();
    throw error instanceof HelperFailed ? new ServerEnded(error.message) : error;
  });
  let connected = false;
  client.onclose = () => {
    if (connected) options.onClosed(made.why());
  };
  const abort = (): void => void made.transport.close();
  signal.addEventListener('abort', abort, { once: true });
  try {
    await client.connect(made.transport, { timeout: timeoutMs, signal });
    signal.throwIfAborted();
  } catch (error) {
    await made.transport.close().catch(() => undefined);
    signal.throwIfAborted();
    const why = made.why();
    throw why === '' ? error : new ServerEnded(why);
  } finally {
    signal.removeEventListener('abort', abort);
  }
  connected = true;
  return {
    client,
    pid: made.pid(),
    async close() {
      connected = false;
      await client.close().catch(() => undefined);
      await made.transport.close().catch(() => undefined);
    },
  };

  async function makeTransport(
    about: LinkOptions,
  ): Promise<{ readonly transport: Transport; why(): string; pid(): number | null }> {
    if (config.type === 'stdio') {
      const { StdioServer } = await import('./runStdioServer');
      const { variables, output } = about;
      const { platform } = host;
      const server = new StdioServer({
        command: config.command,
        args: config.args,
        env: serverEnvironment({ variables, configured: config.env, platform }),
        cwd: folder,
        platform,
        output,
        parse: library.parseJSONRPCMessage,
      });
      return { transport: server, why: () => server.endedBecause, pid: () => server.pid };
    }
    const url = new URL(config.url);
    const { headersHelper: command } = config;
    const printed =
      command === undefined
        ? {}
        : await headersOf({
            ...{ command, folder, signal },
            server: { name: about.name, url: config.url },
            platform: host.platform,
            variables: about.variables,
          });
    const shared = {
      requestInit: { headers: { ...config.headers, ...printed } },
      ...(about.auth === null ? {} : { authProvider: about.auth }),
    };
    const transport =
      config.type === 'sse'
        ? new library.SSEClientTransport(url, { ...shared, fetch: boundedFetch(fetch, () => void client.close()) })
        : new library.StreamableHTTPClientTransport(url, {
            ...shared,
            // A stream of its own may be cut by anything between; one that was to bring an answer tells of the server.
            fetch: boundedFetch(fetch, ({ method, broken }) => {
              if (method === 'POST' && broken) void client.close();
            }),
            onInsufficientScope: 'throw',
            // The server may ask for longer pauses; a call would hang for as long.
            reconnectionScheduler: (reconnect, delay) => {
              const timer = setTimeout(reconnect, Math.min(delay, reconnectMs));
              return () => clearTimeout(timer);
            },
          });
    return { transport, why: () => '', pid: () => null };
  }
}

/** A validator that lets everything through. */
function takenAsItIs<T>(): JsonSchemaValidator<T> {
  return (input) => ({ valid: true, data: input as T, errorMessage: undefined });
}
