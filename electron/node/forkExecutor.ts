// Starts the executor as a child process of Node, with Node's own message channel.
import { type ChildProcess, fork } from 'node:child_process';
import type { Transport } from '#shared/rpc/transport';
import { TransportListeners } from '#shared/rpc/transportListeners';
import { launchEnvironment } from '../core/executor/launchEnvironment';
import type { ExecutorProcess } from '../core/ports';

/** Starts the built executor. `env` is the host's environment; only harmless variables of it are passed on. */
export function forkExecutor(options: {
  readonly modulePath: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}): ExecutorProcess {
  const child = fork(options.modulePath, [], {
    env: launchEnvironment(options.env),
    // It passes much text through and keeps little: a small space for new objects spares 20 MB.
    execArgv: ['--max-semi-space-size=2'],
    serialization: 'json',
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    // In a process group of its own: Ctrl-C in the host's terminal must not end it before the host has tidied up.
    detached: true,
  });
  // Errors of a failed start and of writing to a process that is ending; its end is reported by `onExit`.
  child.on('error', () => undefined);
  return {
    pid: child.pid,
    transport: new ChildTransport(child),
    onExit: (listener) => onceGone(child, listener),
    kill: (force) => {
      child.kill(force ? 'SIGKILL' : 'SIGTERM');
    },
  };
}

type ExitListener = Parameters<ExecutorProcess['onExit']>[0];

function onceGone(child: ChildProcess, listener: ExitListener): () => void {
  // Without a pid it never started; then there is an error and no exit.
  if (child.pid === undefined) {
    const timer = setImmediate(() => listener({ code: null, signal: null }));
    return () => clearImmediate(timer);
  }
  if (child.exitCode !== null || child.signalCode !== null) {
    listener({ code: child.exitCode, signal: child.signalCode });
    return () => undefined;
  }
  const onExit = (code: number | null, signal: string | null) => listener({ code, signal });
  child.once('exit', onExit);
  return () => child.off('exit', onExit);
}

class ChildTransport extends TransportListeners implements Transport {
  constructor(private readonly child: ChildProcess) {
    super();
    child.on('message', (message) => this.deliver(message));
    child.once('disconnect', () => this.close('the executor process ended'));
  }

  send(message: unknown): void {
    const open = !this.closed && this.child.connected;
    if (open && isSendable(message)) this.child.send(message, () => undefined);
  }

  override close(reason: string): void {
    super.close(reason);
    if (this.child.connected) this.child.disconnect();
  }
}

function isSendable(message: unknown): message is object {
  return typeof message === 'object' && message !== null;
}
