// The networks of commands that may reach listed hosts alone: one for all commands of a name, each command with a secret of
// its own by which the proxy knows it.
import { execFile } from 'node:child_process';
import type { RefusedHost, SandboxPolicy } from '#shared/api/executorShell';
import { commandEnvironment, type Environment } from '../../environment';
import type { Dial } from '../../fetch/connect';
import type { Resolve } from '../../fetch/resolve';
import { findProgram, joinPaths, systemPath } from '../../programs';
import { confinedCommand } from '../bubblewrap';
import type { SandboxState } from '../probe';
import { type HostAsk, HostAsks, type HostVerdict } from './hostAsks';
import { type NetworkNamespace, openNetworkNamespace } from './networkNamespace';
import { ProxyClient, proxyEnvironment } from './proxyClient';
import { createProxyServer, type ProxyServer } from './proxyServer';

/** Networks beyond this many end the one that was idle for longest. */
const mostNetworks = 16;
const probeMs = 5_000;
/** What the probe hears from the proxy when it comes without a secret. */
const unknownCaller = '407';

/** What a command needs to run in a listed network. */
export interface NetworkPass {
  /** What the sandbox's command line begins with. */
  readonly enter: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  /** What it was not let to since the last look. */
  takeRefused(): RefusedHost[];
  /** The command has ended: its connections and questions end. Idempotent. */
  end(): void;
}

interface Network {
  readonly namespace: NetworkNamespace;
  readonly proxy: ProxyServer;
  readonly clients: Map<string, ProxyClient>;
}

interface Kept {
  readonly network: Promise<Network>;
  /** Commands in it, and those that are about to join. */
  users: number;
}

export class ListedNetworks {
  /** Why there are none, with the remedy; empty when there are. */
  problem = 'The network of the sandbox has not been tried yet.';
  private readonly asks: HostAsks;
  private readonly networks = new Map<string, Kept>();
  /** Made beforehand, so that a command need not wait. */
  private spare: Promise<Network> | undefined;
  private programs: { readonly bubblewrap: string; readonly nsenter: string; readonly node: string } | undefined;
  private unnamed = 0;
  private disposed = false;

  constructor(
    private readonly options: {
      readonly own: Environment;
      readonly resolve: Resolve;
      readonly dial: Dial;
      readonly onAsk: (ask: HostAsk) => void;
      readonly onGone: (askId: string) => void;
    },
  ) {
    this.asks = new HostAsks({ ask: options.onAsk, gone: options.onGone });
  }

  answer(verdict: HostVerdict & { readonly askId: string }): void {
    this.asks.answer(verdict);
  }

  /** Makes one and looks whether commands in it reach the proxy and nothing else. */
  async probe(sandbox: SandboxState): Promise<void> {
    this.problem = await this.problemOf(sandbox).catch(
      (error: unknown) => `A network for listed hosts could not be made: ${wordsOf(error)}.`,
    );
  }

  /**
   * A command's way into the network of its policy's name, or into one of its own. `streamId` names the command that runs at the time.
   * Rejects with a sentence when there is none.
   */
  async join(
    { networkName: name, ownProxy }: Pick<SandboxPolicy, 'networkName' | 'ownProxy'>,
    streamId: () => string | null,
  ): Promise<NetworkPass> {
    if (this.problem !== '') throw new Error(this.problem);
    this.unnamed += 1;
    const key = name === undefined ? `own ${this.unnamed}` : `of ${name}`;
    const kept = this.kept(key);
    kept.users += 1;
    const network = await this.opened(key, kept);
    const client = new ProxyClient(streamId, ownProxy);
    network.clients.set(client.token, client);
    return {
      enter: network.namespace.enter,
      environment: proxyEnvironment(network.namespace.port, client),
      takeRefused: () => client.takeRefused(),
      end: () => {
        if (!network.clients.delete(client.token)) return;
        client.end();
        kept.users -= 1;
        if (name === undefined) this.close(key);
      },
    };
  }

  dispose(): void {
    this.disposed = true;
    for (const key of [...this.networks.keys()]) this.close(key);
    void this.spare?.then(endNetwork, () => undefined);
  }

  private kept(key: string): Kept {
    const known = this.networks.get(key);
    // The one used last stands last.
    if (known !== undefined) this.networks.delete(key);
    const kept = known ?? { network: this.spare ?? this.make(), users: 0 };
    this.networks.set(key, kept);
    if (known === undefined) {
      this.spare = undefined;
      this.makeRoom(kept);
    }
    return kept;
  }

  private async opened(key: string, kept: Kept): Promise<Network> {
    try {
      return await kept.network;
    } catch (error) {
      if (this.networks.get(key) === kept) this.networks.delete(key);
      throw new Error(`A network for listed hosts could not be made: ${wordsOf(error)}.`);
    } finally {
      this.spare ??= this.make();
      this.spare.catch(() => {
        this.spare = undefined;
      });
    }
  }

  private makeRoom(fresh: Kept): void {
    for (const [key, kept] of [...this.networks]) {
      if (this.networks.size <= mostNetworks) return;
      if (kept.users === 0 && kept !== fresh) this.close(key);
    }
  }

  private close(key: string): void {
    const kept = this.networks.get(key);
    this.networks.delete(key);
    void kept?.network.then(endNetwork, () => undefined);
  }

  private async make(): Promise<Network> {
    if (this.programs === undefined || this.disposed) throw new Error('the executor is ending');
    const namespace = await openNetworkNamespace(this.programs);
    const clients = new Map<string, ProxyClient>();
    const { resolve, dial } = this.options;
    const proxy = createProxyServer({
      clientOf: (token) => clients.get(token),
      parts: { asks: this.asks, resolve, dial },
    });
    namespace.onConnection((socket) => proxy.accept(socket));
    const network = { namespace, proxy, clients };
    if (this.disposed) endNetwork(network);
    return network;
  }

  private async problemOf(sandbox: SandboxState): Promise<string> {
    if (!sandbox.available) return sandbox.reason;
    const { own } = this.options;
    const nsenter = findProgram('nsenter', systemPath);
    if (nsenter === undefined)
      return 'Commands cannot be let to single hosts, because nsenter is missing. Install the package "util-linux" and start Gatehouse again.';
    // Inside Electron the running program is no node.
    const node =
      process.versions.electron === undefined
        ? process.execPath
        : findProgram('node', joinPaths(systemPath, own.PATH ?? ''));
    if (node === undefined)
      return 'Commands cannot be let to single hosts, because no node was found in PATH. Install Node.js 20.19 or newer and start Gatehouse again.';
    this.programs = { bubblewrap: sandbox.program, nsenter, node };
    this.spare = this.make();
    const { namespace } = await this.spare;
    const said = await tryOut(sandbox, namespace, own);
    if (said === unknownCaller) return '';
    void this.spare.then(endNetwork, () => undefined);
    this.spare = undefined;
    return said === 'outside'
      ? 'The network for listed hosts let a command past the proxy, so it is not used.'
      : `Commands cannot be let to single hosts here (${said}).`;
  }
}

function endNetwork({ namespace, proxy, clients }: Network): void {
  for (const client of clients.values()) client.end();
  proxy.dispose();
  namespace.close();
}

/** Asks the proxy something, and looks for a way to anything else: nothing but the loopback may have a route. */
const script = `
{ read -r _; while read -r route; do case "$route" in lo*) ;; *) echo outside; exit;; esac; done; } </proc/net/route
while read -r route; do case "$route" in *lo) ;; *) echo outside; exit;; esac; done 2>/dev/null </proc/net/ipv6_route
exec 3<>"/dev/tcp/127.0.0.1/$1" || exit
printf 'CONNECT gatehouse.invalid:80 HTTP/1.1\\r\\nHost: gatehouse.invalid\\r\\n\\r\\n' >&3
read -r _ code _ <&3; echo "$code"`;

function tryOut(
  sandbox: Extract<SandboxState, { available: true }>,
  { enter, port }: NetworkNamespace,
  own: Environment,
): Promise<string> {
  const { file, args, restore } = confinedCommand(sandbox, {
    policy: { enabled: true, network: 'listed', writable: [], hidden: [] },
    cwd: '/',
    env: commandEnvironment({ own, runId: 'probe', sandboxed: true }),
    file: findProgram('bash', joinPaths(systemPath, own.PATH ?? '')) ?? '/bin/bash',
    args: ['-c', script, 'probe', String(port)],
    enter,
  });
  return new Promise((resolve) => {
    execFile(file, args, { timeout: probeMs, killSignal: 'SIGKILL', env: {} }, (error, out, said) => {
      restore();
      const last = said.trim().split('\n').at(-1) ?? '';
      resolve(out.trim() || last || (error === null ? 'no answer came' : error.message));
    });
  });
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
