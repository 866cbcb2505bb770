import { EventEmitter } from 'node:events';
import { beforeEach, expect, test, vi } from 'vitest';

/** Stands in for Electron's UtilityProcess and records what is asked of it. */
class RecordedProcess extends EventEmitter {
  pid: number | undefined = 4_711;
  readonly posted: unknown[] = [];
  kills = 0;
  postMessage(message: unknown): void {
    this.posted.push(message);
  }
  kill(): boolean {
    this.kills += 1;
    return true;
  }
}

const recorded = vi.hoisted(() => ({ forks: [] as unknown[][], child: undefined as unknown }));
vi.mock('electron', () => ({
  utilityProcess: {
    fork: (...args: unknown[]) => {
      recorded.forks.push(args);
      return recorded.child;
    },
  },
}));

const { utilityExecutor } = await import('./utilityExecutor');

let child: RecordedProcess;
beforeEach(() => {
  child = new RecordedProcess();
  recorded.child = child;
  recorded.forks.length = 0;
});

const launch = () =>
  utilityExecutor({ modulePath: '/app/executor.mjs', env: { PATH: '/bin', ANTHROPIC_API_KEY: 'sk' } });

test('starts the module with a scrubbed environment', () => {
  launch();
  expect(recorded.forks).toEqual([
    [
      '/app/executor.mjs',
      [],
      {
        env: { PATH: '/bin' },
        execArgv: [],
        serviceName: 'Gatehouse executor',
        stdio: ['ignore', 'ignore', 'inherit'],
      },
    ],
  ]);
});

test('messages go both ways until the end, which is told once', () => {
  const { transport, onExit, pid } = launch();
  const heard: unknown[] = [];
  const closes: string[] = [];
  const exits: unknown[] = [];
  transport.onMessage((message) => heard.push(message));
  transport.onClose((reason) => closes.push(reason));
  onExit((how) => exits.push(how));
  expect(pid).toBe(4_711);
  transport.send({ id: 1 });
  child.emit('message', { id: 1, ok: true });
  child.emit('exit', 9);
  transport.send({ id: 2 });
  child.emit('exit', 9);
  expect(child.posted).toEqual([{ id: 1 }]);
  expect(heard).toEqual([{ id: 1, ok: true }]);
  expect(closes).toEqual(['the executor process ended']);
  expect(exits).toEqual([{ code: 9, signal: null }]);
});

test('kill is polite; force reaches a process that is there, and only that', () => {
  const kill = vi.spyOn(process, 'kill').mockReturnValue(true);
  const executor = launch();
  executor.kill(false);
  executor.kill(true);
  child.pid = undefined;
  executor.kill(true);
  expect(child.kills).toBe(1);
  expect(kill.mock.calls).toEqual([[4_711, 'SIGKILL']]);
  kill.mockRestore();
});
