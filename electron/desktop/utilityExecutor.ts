// Starts the executor as Electron's utility process.
import { type UtilityProcess, utilityProcess } from 'electron';
import type { Transport } from '#shared/rpc/transport';
import { launchEnvironment } from '../core/executor/launchEnvironment';
import type { ExecutorProcess } from '../core/ports';

/** Starts the built executor. `env` is the host's environment; only harmless variables of it are passed on. */
export function utilityExecutor(options: {
  readonly modulePath: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}): ExecutorProcess {
  const child = utilityProcess.fork(options.modulePath, [], {
    env: launchEnvironment(options.env),
    execArgv: [],
    serviceName: 'Gatehouse executor',
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return {
    get pid() {
      return child.pid;
    },
    transport: utilityTransport(child),
    onExit(listener) {
      // Electron tells no signal; a forced end shows in the code.
      const onExit = (code: number) => listener({ code, signal: null });
      child.once('exit', onExit);
      return () => child.off('exit', onExit);
    },
    kill(force) {
      if (force && child.pid !== undefined) process.kill(child.pid, 'SIGKILL');
      else child.kill();
    },
  };
}

function utilityTransport(child: UtilityProcess): Transport {
  const closeListeners = new Set<(reason: string) => void>();
  let closed = false;
  const close = (reason: string) => {
    if (closed) return;
    closed = true;
    for (const listener of [...closeListeners]) listener(reason);
  };
  child.once('exit', () => close('the executor process ended'));
  return {
    send(message) {
      if (!closed) child.postMessage(message);
    },
    onMessage(listener) {
      const onMessage = (message: unknown) => {
        if (!closed) listener(message);
      };
      child.on('message', onMessage);
      return () => child.off('message', onMessage);
    },
    onClose(listener) {
      closeListeners.add(listener);
      return () => closeListeners.delete(listener);
    },
    close,
  };
}
