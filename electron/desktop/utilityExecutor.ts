// Starts the executor as Electron's utility process.
import { type UtilityProcess, utilityProcess } from 'electron';
import type { Transport } from '#shared/rpc/transport';
import { TransportListeners } from '#shared/rpc/transportListeners';
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
    transport: new UtilityTransport(child),
    onExit(listener) {
      // Electron tells no signal; a forced end shows in the code.
      const onExit = (code: number) => listener({ code, signal: null });
      child.once('exit', onExit);
      return () => child.off('exit', onExit);
    },
    kill(force) {
      if (!force) child.kill();
      // Electron forgets the number when the process ends.
      else if (child.pid !== undefined) process.kill(child.pid, 'SIGKILL');
    },
  };
}

class UtilityTransport extends TransportListeners implements Transport {
  constructor(private readonly child: UtilityProcess) {
    super();
    child.on('message', (message: unknown) => this.deliver(message));
    child.once('exit', () => this.close('the executor process ended'));
  }

  send(message: unknown): void {
    if (!this.closed) this.child.postMessage(message);
  }
}
