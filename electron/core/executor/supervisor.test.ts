import { afterEach, expect, test } from 'vitest';
import { executorContract } from '#shared/api/executor';
import type { ExecutorState } from '#shared/api/host';
import { RpcError } from '#shared/rpc/errors';
import { createLinkedPair } from '#shared/rpc/linkedPair';
import { serve } from '#shared/rpc/peer';
import type { ExecutorProcess, Log } from '../ports';
import { ExecutorSupervisor, type SupervisorTiming } from './supervisor';

const log: Log = { info: () => undefined, warn: () => undefined, error: () => undefined };
const quick: SupervisorTiming = {
  backOff: 1,
  stableAfter: 60_000,
  startTimeout: 1_000,
  heartbeat: 60_000,
  stopGrace: 200,
};

/** A process of which the test decides how it behaves. `start: 'never'` leaves the first call unanswered. */
function fakeProcess(how: {
  readonly start: 'ready' | 'fail' | 'never';
  readonly deaf?: boolean;
  readonly silent?: () => boolean;
}) {
  const [core, own] = createLinkedPair();
  const listeners = new Set<(end: { code: number | null; signal: string | null }) => void>();
  const kills: boolean[] = [];
  const end = (code: number | null, signal: string | null) => {
    own.close('gone');
    for (const listener of [...listeners]) listener({ code, signal });
    listeners.clear();
  };
  const refuse = () => {
    throw new RpcError('refused', 'not in this test');
  };
  serve({
    contract: executorContract,
    transport: own,
    context: {},
    onBug: () => undefined,
    handlers: {
      'executor.start': () => {
        if (how.start === 'fail') {
          end(1, null);
          return refuse();
        }
        if (how.start === 'never') return new Promise<never>(() => undefined);
        return { pid: 1, sandbox: { available: true, kind: 'bubblewrap', reason: '', noListed: '' } };
      },
      'executor.ping': () => (how.silent?.() ? new Promise<never>(() => undefined) : {}),
      'shell.run': refuse,
      'shell.ack': refuse,
      'shell.detach': refuse,
      'file.stat': refuse,
      'file.read': refuse,
      'file.write': refuse,
      'file.edit': refuse,
      'file.editCell': refuse,
      'file.list': refuse,
      'search.glob': refuse,
      'search.grep': refuse,
      'repl.run': refuse,
      'repl.end': refuse,
      'network.answer': refuse,
      'lsp.query': refuse,
      'web.fetch': refuse,
    },
  });
  const process: ExecutorProcess = {
    pid: 1,
    transport: core,
    onExit: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    kill: (force) => {
      kills.push(force);
      if (force) end(null, 'SIGKILL');
      else if (how.deaf !== true) end(0, null);
    },
  };
  return { process, kills, end };
}

type Fake = ReturnType<typeof fakeProcess>;

let supervisor: ExecutorSupervisor;
afterEach(() => supervisor.dispose());

function supervise(how: (index: number) => Parameters<typeof fakeProcess>[0], timing: Partial<SupervisorTiming> = {}) {
  const started: Fake[] = [];
  const states: ExecutorState[] = [];
  supervisor = new ExecutorSupervisor({
    launch: () => {
      const fake = fakeProcess(how(started.length));
      started.push(fake);
      return fake.process;
    },
    log,
    timing: { ...quick, ...timing },
  });
  supervisor.onState((state) => states.push(state));
  return { started, states };
}

const became = (status: ExecutorState['status']) =>
  new Promise<ExecutorState>((resolve) => {
    const stop = supervisor.onState((state) => {
      if (state.status !== status) return;
      stop();
      resolve(state);
    });
  });

test('starts on first use, once', async () => {
  const { started, states } = supervise(() => ({ start: 'ready' }));
  const probes: boolean[] = [];
  supervisor.onSandbox((sandbox) => probes.push(sandbox.available));
  expect(supervisor.state.status).toBe('idle');
  expect(started.length).toBe(0);
  const [one, two] = await Promise.all([supervisor.connection(), supervisor.connection()]);
  expect(one).toBe(two);
  expect(started.length).toBe(1);
  expect(states.map(({ status }) => status)).toEqual(['restarting', 'ready']);
  expect(probes).toEqual([true]);
  expect(supervisor.sandbox).toEqual({ available: true, kind: 'bubblewrap', reason: '', noListed: '' });
});

test('a process that ends is replaced, its calls fail, the key is new', async () => {
  const { started } = supervise(() => ({ start: 'ready' }));
  const first = await supervisor.connection();
  const ready = became('ready');
  started[0]?.end(null, 'SIGKILL');
  expect(await first.ended).toBe('signal SIGKILL');
  await expect(first.rpc.call('executor.ping', {})).rejects.toMatchObject({ code: 'unavailable' });
  await ready;
  const second = await supervisor.connection();
  expect(started.length).toBe(2);
  expect(second.grantKey).not.toBe(first.grantKey);
});

test('gives up after five restarts in a row, says so, and starts again when told', async () => {
  let broken = true;
  const { started } = supervise(() => ({ start: broken ? 'fail' : 'ready' }));
  await expect(supervisor.connection()).rejects.toMatchObject({ name: 'ToolFailure', kind: 'executor' });
  expect(started.length).toBe(6);
  expect(supervisor.state).toMatchObject({ status: 'down', detail: expect.stringContaining('6 times in a row') });
  await expect(supervisor.connection()).rejects.toMatchObject({ kind: 'executor' });
  expect(started.length).toBe(6);
  broken = false;
  await supervisor.start();
  expect(supervisor.state.status).toBe('ready');
});

test('a long life ends the row of failures', async () => {
  const { started } = supervise(() => ({ start: 'ready' }), { stableAfter: 0 });
  await supervisor.start();
  for (let index = 0; index < 10; index += 1) {
    const ready = became('ready');
    started[index]?.end(1, null);
    await ready;
  }
  expect(started.length).toBe(11);
});

test('a process that does not answer at the start is killed and replaced', async () => {
  const { started } = supervise((index) => ({ start: index === 0 ? 'never' : 'ready' }), { startTimeout: 30 });
  await supervisor.start();
  expect(started.length).toBe(2);
  expect(started[0]?.kills[0]).toBe(true);
});

test('silence is reported and nothing else', async () => {
  let silent = true;
  const { started, states } = supervise(() => ({ start: 'ready', silent: () => silent }), { heartbeat: 15 });
  await supervisor.start();
  const reported = became('ready');
  expect((await reported).detail).toMatch(/has not answered for/);
  silent = false;
  expect(started[0]?.kills).toEqual([]);
  expect(states.every(({ status }) => status !== 'down')).toBe(true);
});

test.each([
  { name: 'polite', deaf: false, kills: [false] },
  { name: 'deaf', deaf: true, kills: [false, true] },
])('dispose waits for a $name process', async ({ deaf, kills }) => {
  const { started } = supervise(() => ({ start: 'ready', deaf }), { stopGrace: 20 });
  await supervisor.start();
  await supervisor.dispose();
  expect(started[0]?.kills).toEqual(kills);
  await expect(supervisor.connection()).rejects.toMatchObject({ kind: 'executor' });
});

test('dispose does not wait for a start that hangs or is put off', async () => {
  const hanging = supervise(() => ({ start: 'never' }), { startTimeout: 60_000 });
  const starting = supervisor.start().catch((error: unknown) => error);
  await supervisor.dispose();
  expect(await starting).toMatchObject({ kind: 'executor' });
  expect(hanging.started[0]?.kills[0]).toBe(true);
  const { started } = supervise(() => ({ start: 'fail' }), { backOff: 60_000 });
  const putOff = supervisor.start().catch((error: unknown) => error);
  await became('restarting');
  await supervisor.dispose();
  expect(await putOff).toMatchObject({ kind: 'executor' });
  expect(started.length).toBeLessThanOrEqual(1);
});
