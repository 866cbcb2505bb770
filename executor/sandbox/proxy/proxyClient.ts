// One command as the proxy knows it: by a secret of its own that it finds in its environment.
import { randomBytes } from 'node:crypto';
import type { SandboxPolicy } from '#shared/api/executor';
import { maxRefusedHosts, type RefusedHost } from '#shared/api/executorShell';

/** Connections that one command may have at a time. */
const mostOpen = 256;

export class ProxyClient {
  readonly token = randomBytes(24).toString('hex');
  private readonly ending = new AbortController();
  private readonly refusedHosts = new Map<string, RefusedHost>();
  private open = 0;

  /** `streamId` names the command that runs now; null: none does. */
  constructor(
    readonly streamId: () => string | null,
    readonly ownProxy?: SandboxPolicy['ownProxy'],
  ) {}

  /** Fires when the command has ended. */
  get ended(): AbortSignal {
    return this.ending.signal;
  }

  /** What the command was not let to since the last look. */
  takeRefused(): RefusedHost[] {
    const refused = [...this.refusedHosts.values()];
    this.refusedHosts.clear();
    return refused;
  }

  noteRefused(refused: RefusedHost): void {
    if (this.refusedHosts.size < maxRefusedHosts) this.refusedHosts.set(`${refused.host} ${refused.port}`, refused);
  }

  /** False: it has too many connections already. Otherwise to be followed by `left`. */
  entered(): boolean {
    if (this.open >= mostOpen || this.ending.signal.aborted) return false;
    this.open += 1;
    return true;
  }

  left(): void {
    this.open -= 1;
  }

  end(): void {
    this.ending.abort();
  }
}

/** Variables that programs find the proxy by. Most know one spelling only; `localhost` is the command's own network. */
export function proxyEnvironment(port: number, { token }: ProxyClient): Record<string, string> {
  const url = `http://gatehouse:${token}@127.0.0.1:${port}`;
  const direct = 'localhost,127.0.0.1,::1';
  return {
    HTTP_PROXY: url,
    http_proxy: url,
    HTTPS_PROXY: url,
    https_proxy: url,
    ALL_PROXY: url,
    all_proxy: url,
    NO_PROXY: direct,
    no_proxy: direct,
    // Node's own fetch looks at the variables only when told to.
    NODE_USE_ENV_PROXY: '1',
  };
}
