import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { OperationAnswers } from '#shared/api/executor';
import type { LiveEvent, SessionEvent } from '#shared/session/events';
import { BoundedOutput } from '../executor/boundedOutput';
import { openDatabase } from '../sessions/database';
import { SessionService } from '../sessions/service';
import { SessionStore } from '../sessions/store';
import { type RunningCommand, ToolFailure } from '../tools/tool';
import { TaskRegistry, UnknownTask } from './taskRegistry';

type ShellExit = Extract<OperationAnswers['shell.run'], { kind: 'exit' }>;

const exit: ShellExit = {
  kind: 'exit',
  exitCode: 0,
  signal: null,
  timedOut: false,
  aborted: false,
  outputChars: 0,
  durationMs: 1,
  sandboxed: false,
  finalCwd: null,
};

/** A command of which the test says what it prints and how it ends; stopped, it ends at once unless it is `deaf`. */
function fakeCommand(options: { readonly deaf?: true } = {}) {
  const capture = new BoundedOutput();
  const stops: string[] = [];
  let end: (result: OperationAnswers['shell.run']) => void = () => undefined;
  let fail: (error: unknown) => void = () => undefined;
  const ended = new Promise<OperationAnswers['shell.run']>((resolve, reject) => {
    end = (result) => {
      capture.finish(undefined);
      resolve(result);
    };
    fail = reject;
  });
  ended.catch(() => undefined);
  const running: RunningCommand = {
    capture,
    ended,
    stop: () => {
      stops.push('stop');
      if (options.deaf !== true) end({ ...exit, exitCode: null, signal: 'SIGTERM', aborted: true });
    },
    detach: () => stops.push('detach'),
  };
  return { running, capture, stops, end: (change: Partial<ShellExit> = {}) => end({ ...exit, ...change }), fail };
}

let sessions: SessionService;
let registry: TaskRegistry;
let sessionId: string;
let events: SessionEvent['body'][];
let live: LiveEvent[];
let now: number;
const logged: unknown[] = [];

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const { database } = openDatabase({ folder: ':memory:', nativeBinding: undefined });
  now = 1_000;
  sessions = new SessionService(new SessionStore(database, () => undefined), () => now);
  const model = { id: 'test', label: 'Test', scripted: false };
  sessionId = sessions.create({ folder: '/srv/app', title: 'Tasks', mode: 'default', model });
  registry = new TaskRegistry({ sessions, now: () => now, log: { error: (_, error) => logged.push(error) } });
  events = [];
  live = [];
  sessions.listen({
    onEvent: (_, { body }) => events.push(body),
    onLive: (_, event) => live.push(event),
    onListChange: () => undefined,
  });
});

afterEach(() => {
  vi.useRealTimers();
  expect(logged.splice(0)).toEqual([]);
});

const tasks = () => registry.forCall(sessionId, 'call-1');
const adopt = (running: RunningCommand, outputFile: string | null = '/data/out.txt') =>
  tasks().adopt({ command: 'npm run dev', description: 'Start the server', outputFile, running });
const never = new AbortController().signal;

describe('a task', () => {
  it('is named, stored and let go of by its call', () => {
    const command = fakeCommand();
    const task = adopt(command.running);
    expect(task).toEqual({
      taskId: 'b1',
      callId: 'call-1',
      command: 'npm run dev',
      description: 'Start the server',
      status: 'running',
      startedAt: 1_000,
      endedAt: null,
      exitCode: null,
      outputFile: '/data/out.txt',
      outputBytes: 0,
      note: '',
    });
    expect([adopt(fakeCommand().running).taskId, command.stops]).toEqual(['b2', ['detach']]);
    expect(
      tasks()
        .list()
        .map(({ taskId }) => taskId),
    ).toEqual(['b1', 'b2']);
    expect([tasks().find('b1'), tasks().find('b3')]).toEqual([task, undefined]);
  });

  it.each<[string, Partial<ShellExit>, object]>([
    ['success', {}, { status: 'completed', exitCode: 0, note: 'exit 0' }],
    ['failure', { exitCode: 3 }, { status: 'failed', exitCode: 3, note: 'exit 3' }],
    [
      'a signal of its own',
      { exitCode: null, signal: 'SIGSEGV' },
      { status: 'failed', exitCode: null, note: 'ended by signal SIGSEGV' },
    ],
    ['exit 143, which is no stop', { exitCode: 143 }, { status: 'failed', exitCode: 143, note: 'exit 143' }],
  ])('ends with %s', async (_, result, expected) => {
    const command = fakeCommand();
    adopt(command.running);
    command.capture.append('12345');
    now = 4_000;
    command.end(result);
    const last = await tasks().wait('b1', { waitMs: 60_000, signal: never });
    expect(last).toMatchObject({ ...expected, endedAt: 4_000, outputBytes: 5 });
    expect([sessions.state(sessionId).tasks.b1, command.stops]).toEqual([last, ['detach']]);
    // The call that waited tells it.
    expect(events.map(({ type }) => type)).toEqual(['task.changed', 'task.changed']);
  });

  it('that ends by itself is told of at the next occasion', async () => {
    const command = fakeCommand();
    adopt(command.running);
    command.end();
    await command.running.ended;
    await Promise.resolve();
    await vi.waitFor(() => expect(events).toHaveLength(3));
    expect(events.at(-1)).toEqual({
      type: 'context.added',
      from: 'background task b1',
      text: 'Background task b1 (npm run dev) is no longer running: exit 0, 0 bytes of output in /data/out.txt. Look at its output only if you need it.',
    });
  });

  it('that could not even start has failed', async () => {
    const command = fakeCommand();
    adopt({ ...command.running, ended: Promise.resolve({ kind: 'failure', reason: 'missing', message: 'No bash.' }) });
    await vi.waitFor(() => expect(tasks().find('b1')).toMatchObject({ status: 'failed', note: 'No bash.' }));
  });

  it.each<['model' | 'person' | 'closing', string, number]>([
    // The model's own call tells it.
    ['model', 'stopped by the model', 0],
    ['person', 'stopped by you', 1],
    ['closing', 'stopped because Gatehouse was closed', 1],
  ])('is stopped once by %s', async (by, note, told) => {
    const command = fakeCommand();
    adopt(command.running);
    const both = await Promise.all([registry.stop(sessionId, 'b1', by), registry.stop(sessionId, 'b1', by)]);
    expect(both.map((task) => [task.status, task.note])).toEqual([
      ['stopped', note],
      ['stopped', note],
    ]);
    expect(events.filter(({ type }) => type === 'task.changed')).toHaveLength(2);
    expect(events.filter(({ type }) => type === 'context.added')).toHaveLength(told);
  });

  it('goes with the executor', async () => {
    const command = fakeCommand();
    adopt(command.running);
    command.fail(new ToolFailure('executor', 'The executor process ended.'));
    expect(await tasks().wait('b1', { waitMs: 60_000, signal: never })).toMatchObject({
      status: 'failed',
      note: 'ended with the executor process',
    });
  });

  it('without a file is stopped at the same limit, and both are told', async () => {
    const command = fakeCommand();
    adopt(command.running, null);
    const mebibyte = 'x'.repeat(1024 * 1024);
    for (let count = 0; count < 65; count += 1) command.capture.append(mebibyte);
    await vi.waitFor(() =>
      expect(tasks().find('b1')).toMatchObject({ status: 'stopped', note: 'output reached 64 MiB' }),
    );
    expect(events.map(({ type }) => type)).toEqual(['task.changed', 'task.changed', 'context.added', 'notice']);
  });
});

describe('waiting', () => {
  it('ends with the task, with the time or with the call', async () => {
    const command = fakeCommand();
    adopt(command.running);
    expect((await tasks().wait('b1', { waitMs: 1, signal: never })).status).toBe('running');
    const abort = new AbortController();
    const aborted = tasks().wait('b1', { waitMs: 60_000, signal: abort.signal });
    abort.abort();
    expect((await aborted).status).toBe('running');
    const waiting = tasks().wait('b1', { waitMs: 60_000, signal: never });
    command.end({ exitCode: 2 });
    expect((await waiting).note).toBe('exit 2');
    expect((await tasks().wait('b1', { waitMs: 60_000, signal: never })).note).toBe('exit 2');
    expect(events.some(({ type }) => type === 'context.added')).toBe(false);
  });

  it('for a task that never was is an error', async () => {
    await expect(tasks().wait('b1', { waitMs: 1, signal: never })).rejects.toThrow(UnknownTask);
    await expect(registry.stop(sessionId, 'b1', 'person')).rejects.toThrow(UnknownTask);
  });
});

describe('output', () => {
  it('is told once, without what a filter hides, which counts as told', () => {
    const { running, capture } = fakeCommand();
    adopt(running);
    const read = (filter?: RegExp) =>
      tasks().readNew('b1', { maxChars: 20, ...(filter === undefined ? {} : { filter }) });
    capture.append('one\ntwo\n');
    expect(read(/^o/)).toEqual({ text: 'one', skippedChars: 0, hiddenLines: 2 });
    expect(read()).toEqual({ text: '', skippedChars: 0, hiddenLines: 0 });
    capture.append(`${'x'.repeat(30)}end`);
    expect(read()).toEqual({ text: `${'x'.repeat(17)}end`, skippedChars: 13, hiddenLines: 0 });
    expect(tasks().readNew('b2', { maxChars: 20 })).toBeNull();
  });

  it('is announced at most once a second, with its last line', () => {
    const { running, capture } = fakeCommand();
    adopt(running);
    capture.append('\u001b[31mone\u001b[0m\n');
    capture.append(`two ${'x'.repeat(500)}\n\n`);
    expect(live).toEqual([]);
    vi.advanceTimersByTime(1_000);
    const chars = capture.totalChars;
    expect(live).toEqual([
      { type: 'task.progress', taskId: 'b1', outputChars: chars, lastLine: `two ${'x'.repeat(196)}…` },
    ]);
    expect(sessions.liveText(sessionId)).toEqual(live);
    vi.advanceTimersByTime(10_000);
    expect(live).toHaveLength(1);
  });

  it('is no longer announced once the task has ended', async () => {
    const { running, capture, end } = fakeCommand();
    adopt(running);
    capture.append('a');
    vi.advanceTimersByTime(1_000);
    capture.append('b');
    end();
    await registry.stop(sessionId, 'b1', 'person');
    vi.advanceTimersByTime(10_000);
    expect([live.length, sessions.liveText(sessionId)]).toEqual([1, []]);
  });

  it('of old tasks is left to their files', async () => {
    for (let count = 1; count <= 18; count += 1) {
      const command = fakeCommand();
      adopt(command.running);
      command.end();
      await registry.stop(sessionId, `b${count}`, 'person');
    }
    const kept = tasks()
      .list()
      .map(({ taskId }) => tasks().readNew(taskId, { maxChars: 1 }) !== null);
    expect(kept).toEqual([false, false, ...Array.from({ length: 16 }, () => true)]);
  });
});

describe('the end of the program', () => {
  it('ends all tasks, takes no new ones, and does not wait for ever', async () => {
    const polite = fakeCommand();
    const deaf = fakeCommand({ deaf: true });
    adopt(polite.running);
    adopt(deaf.running);
    const closed = registry.dispose();
    await vi.advanceTimersByTimeAsync(5_000);
    await closed;
    expect([tasks().find('b1')?.status, tasks().find('b2')?.status]).toEqual(['stopped', 'running']);
    expect(() => adopt(fakeCommand().running)).toThrow('Gatehouse is closing.');
  });

  it('that came unseen is made up for when the session is opened again', () => {
    adopt(fakeCommand().running);
    const later = new TaskRegistry({ sessions, now: () => 9_000, log: { error: () => undefined } });
    registry.repair(sessionId);
    expect(sessions.state(sessionId).tasks.b1?.status).toBe('running');
    later.repair(sessionId);
    later.repair(sessionId);
    expect(sessions.state(sessionId).tasks.b1).toMatchObject({
      status: 'stopped',
      endedAt: 9_000,
      note: 'ended with Gatehouse, which was closed or broke off while it ran',
    });
    expect(events.map(({ type }) => type)).toEqual(['task.changed', 'task.changed', 'context.added']);
  });

  it('of a session ends its tasks alone', async () => {
    const model = { id: 'test', label: 'Test', scripted: false };
    const other = sessions.create({ folder: '/srv/b', title: 'Other', mode: 'default', model });
    adopt(fakeCommand().running);
    registry
      .forCall(other, 'c')
      .adopt({ command: 'x', description: '', outputFile: null, running: fakeCommand().running });
    await registry.closeSession(other);
    expect([sessions.state(other).tasks.b1?.status, sessions.state(sessionId).tasks.b1?.status]).toEqual([
      'stopped',
      'running',
    ]);
  });
});
