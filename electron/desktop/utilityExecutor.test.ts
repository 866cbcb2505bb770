import { beforeEach, expect, it, vi } from 'vitest';
import { callsOf, resetElectron, utilityProcess } from './testing/electronRecorder';
import { utilityExecutor } from './utilityExecutor';

vi.mock('electron', () => import('./testing/electronRecorder'));
beforeEach(() => resetElectron());

function launch() {
  const executor = utilityExecutor({
    modulePath: '/dist/executor.mjs',
    env: { PATH: '/usr/bin', ANTHROPIC_API_KEY: 'sk-secret', NODE_OPTIONS: '--inspect' },
  });
  const [child] = utilityProcess.children;
  if (child === undefined) throw new Error('nothing was started');
  return { executor, child };
}

it('starts the built executor without keys and without options for Node', () => {
  launch();
  const [[modulePath, args, options] = []] = callsOf('utility.fork');
  expect({ modulePath, args }).toEqual({ modulePath: '/dist/executor.mjs', args: [] });
  expect(options).toMatchObject({ execArgv: [], env: { PATH: '/usr/bin' } });
  expect(JSON.stringify(options)).not.toMatch(/sk-secret|inspect/);
});

it('carries messages both ways until the process ends', () => {
  const { executor, child } = launch();
  const seen: unknown[] = [];
  executor.transport.onMessage((message) => seen.push(message));
  executor.transport.onClose((reason) => seen.push(reason));
  executor.onExit((how) => seen.push(how));
  executor.transport.send({ id: 1 });
  child.emit('message', { ok: 1 });
  child.emit('exit', 137);
  child.emit('message', 'late');
  executor.transport.send('late');
  expect({ pid: executor.pid, posted: child.posted }).toEqual({ pid: 4242, posted: [{ id: 1 }] });
  expect(seen).toEqual([{ ok: 1 }, 'the executor process ended', { code: 137, signal: null }]);
});

it('asks the process to end, and forces it where that is asked for', () => {
  const { executor, child } = launch();
  const kill = vi.spyOn(process, 'kill').mockReturnValue(true);
  executor.kill(false);
  expect({ asked: callsOf('utility.kill').length, forced: kill.mock.calls }).toEqual({ asked: 1, forced: [] });
  executor.kill(true);
  expect(kill.mock.calls).toEqual([[4242, 'SIGKILL']]);
  child.pid = undefined;
  executor.kill(true);
  expect({ asked: callsOf('utility.kill').length, forced: kill.mock.calls.length }).toEqual({ asked: 2, forced: 1 });
  kill.mockRestore();
});
