// Background tasks and the shell's folder as the model uses them, through the real executor.
import { mkdir, readFile, realpath, rm, stat, symlink } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { BackgroundTask } from '#shared/session/backgroundTask';
import type { SessionEvent } from '#shared/session/events';
import { bashLimits } from './bash/limits';
import { builtInTools } from './builtInTools';
import { createRegistry } from './registry';
import { type Outcome, type RealExecutor, startRealExecutor } from './testing/realExecutor';
import type { AnyTool } from './tool';

let real: RealExecutor;
const events: SessionEvent['body'][] = [];
const registry = createRegistry({
  tools: builtInTools({
    mayGoOnInBackground: (command) => !command.startsWith('sleep'),
    workingFolders: () => [join(real.folder, 'link')],
  }),
});

beforeAll(async () => {
  real = await startRealExecutor();
  real.sessions.listen({
    onEvent: (_, event) => events.push(event.body),
    onLive: () => undefined,
    onListChange: () => undefined,
  });
}, 60_000);
afterAll(() => real.dispose());

function tool(name: string, from = registry): AnyTool {
  const found = from.find(name);
  if (!found.found) throw new Error(found.message);
  return found.tool;
}

const call = (name: string, input: unknown): Promise<Outcome> => real.call(tool(name), input);

function textOf(outcome: Outcome): string {
  if (outcome.kind !== 'succeeded') return `${outcome.kind}: ${outcome.text}`;
  return outcome.blocks
    .map((block) => (block.type === 'image' ? `[${block.mediaType}]` : 'text' in block ? block.text : ''))
    .join('\n');
}

const say = async (name: string, input: unknown): Promise<string> => textOf(await call(name, input));

async function start(command: string): Promise<string> {
  const text = await say('Bash', { command, run_in_background: true });
  return /as task (b\d+)\./.exec(text)?.[1] ?? `no task: ${text}`;
}

function task(taskId: string): BackgroundTask {
  const found = real.sessions.state(real.sessionId).tasks[taskId];
  if (found === undefined) throw new Error(`no task ${taskId}`);
  return found;
}

const toldOf = (taskId: string) =>
  events.flatMap((body) =>
    body.type === 'context.added' && body.from === `background task ${taskId}` ? [body.text] : [],
  );
const statesOf = (taskId: string) =>
  events.flatMap((body) => (body.type === 'task.changed' && body.task.taskId === taskId ? [body.task.status] : []));

async function isAlive(mark: string): Promise<boolean> {
  return !(await say('Bash', { command: `pgrep -f '[${mark.charAt(0)}]${mark.slice(1)}' | grep -v $$` })).startsWith(
    'Exit code 1',
  );
}

const ended = (taskId: string) => call('TaskOutput', { task_id: taskId, timeout: 20_000 });

describe('a command in the background', () => {
  it('answers at once, goes on, and keeps all it prints in its file', async () => {
    const startedAt = Date.now();
    const id = await start('echo one; sleep 0.5; echo two; exit 3');
    expect(Date.now() - startedAt).toBeLessThan(3_000);
    expect(task(id)).toMatchObject({ status: 'running', exitCode: null, endedAt: null, note: '' });
    expect(textOf(await ended(id))).toMatch(
      new RegExp(
        `^Task ${id}: failed \\(exit 3\\) after .*\\nCommand: echo one.*\\nOutput file: .*, 8 bytes\\n\\none\\ntwo$`,
      ),
    );
    expect(await readFile(task(id).outputFile, 'utf8')).toBe('one\ntwo\n');
    expect(statesOf(id)).toEqual(['running', 'failed']);
    // The call that waited has told it already.
    expect(toldOf(id)).toEqual([]);
  });

  it('tells the model and the log when it ends by itself, and starts no turn', async () => {
    const id = await start('sleep 0.3; echo ready');
    await expect.poll(() => task(id).status, { timeout: 10_000 }).toBe('completed');
    expect(toldOf(id)).toEqual([
      `Background task ${id} (sleep 0.3; echo ready) is no longer running: exit 0, 6 bytes of output in ${task(id).outputFile}. Look at its output only if you need it.`,
    ]);
    expect(events.some((body) => body.type === 'turn.started')).toBe(false);
  });

  it('gives new output once, filtered on wish', async () => {
    const id = await start('echo a1; echo b1; echo a2; sleep 600');
    await call('Monitor', { task_id: id, pattern: 'a2' });
    const output = (input: object) => say('TaskOutput', { task_id: id, block: false, ...input });
    expect(await output({ filter: '^a' })).toMatch(/\n\na1\na2\n\[2 lines not matching\]$/);
    expect(await output({})).toMatch(/\n\nNo new output\.$/);
    expect(await say('TaskStop', { shell_id: id })).toMatch(/^Task b\d+: stopped \(stopped by the model\) after/);
    expect(await say('KillShell', { task_id: id })).toMatch(/^It had ended already\.\nTask/);
    expect(statesOf(id)).toEqual(['running', 'stopped']);
  });

  it('names the tasks there are when asked for another', async () => {
    expect(await say('TaskStop', { task_id: 'b99' })).toMatch(
      /^failed: There is no background task b99\. There are: b1, b2/,
    );
    expect(await say('TaskList', {})).toMatch(/^Task b\d+: .*\nCommand: .*\nOutput file: /);
  });

  it('cannot be started where background tasks are switched off', async () => {
    const stated = {
      defaultTimeoutMs: '',
      maxTimeoutMs: '',
      disableBackgroundTasks: '1',
      maintainProjectWorkingDir: '',
      maxOutputLength: '',
    };
    const tools = createRegistry({
      tools: builtInTools({ mayGoOnInBackground: () => true, limits: bashLimits(stated) }),
    });
    const bash = tool('Bash', tools);
    expect(textOf(await real.call(bash, { command: 'echo x', run_in_background: true }))).toMatch(
      /^rejected: .*switched off/,
    );
    expect(textOf(await real.call(bash, { command: 'echo x; sleep 60', timeout: 300 }))).toMatch(
      /^failed: .*stopped at its timeout/,
    );
  });
});

describe('at the timeout', () => {
  it('a command goes on in the background, and says what it printed until then', async () => {
    const outcome = await call('Bash', { command: 'echo begun; read -t 0.9 <> <(:); echo done', timeout: 300 });
    const text = textOf(outcome);
    expect(text).toMatch(
      /^The command was still running at its timeout of 300 ms and was moved to the background as task b\d+; it goes on\.\nIts output is written to \/.*\n.*\n\nOutput until now:\nbegun$/,
    );
    const id = /task (b\d+);/.exec(text)?.[1] ?? '';
    expect(outcome).toMatchObject({
      kind: 'succeeded',
      note: expect.stringMatching(`^moved to the background as ${id} after 300 ms`),
    });
    await expect.poll(() => task(id).status, { timeout: 10_000 }).toBe('completed');
    expect(await readFile(task(id).outputFile, 'utf8')).toBe('begun\ndone\n');
  });

  it('a command that only waits is stopped, with all it started', async () => {
    expect(await say('Bash', { command: 'sleep 71.5', timeout: 300 })).toMatch(
      /^failed: The command was stopped at its timeout of 300 ms/,
    );
    expect(await isAlive('sleep 71.5')).toBe(false);
  });

  it('a command that kills itself did not time out', async () => {
    expect(await say('Bash', { command: 'sleep 0.1; kill -TERM $$', timeout: 5_000 })).toMatch(
      /^failed: (Exit code 143|Ended by signal SIGTERM)\./,
    );
  });

  it('the person who stops the turn stops what runs in it, not what has gone to the background', async () => {
    const id = await start('sleep 72.5');
    const abort = new AbortController();
    const running = real.call(tool('Bash'), { command: 'echo begun; sleep 73.5' }, { signal: abort.signal });
    await expect.poll(() => isAlive('sleep 73.5'), { timeout: 10_000 }).toBe(true);
    abort.abort();
    expect(textOf(await running)).toMatch(/^failed: The command was interrupted by the person/);
    expect([await isAlive('sleep 73.5'), task(id).status]).toEqual([false, 'running']);
    await real.tasks.stop(real.sessionId, id, 'person');
    expect([await isAlive('sleep 72.5'), task(id).status, task(id).note]).toEqual([false, 'stopped', 'stopped by you']);
    expect(toldOf(id)).toHaveLength(1);
  });
});

describe('a background task ends', () => {
  it('with everything it started: ports are free again, it is stopped once', async () => {
    const listen = (mark: string) =>
      `node -e 'const s = require("node:net").createServer().listen(0, "127.0.0.1", () => console.log("${mark} " + s.address().port))'`;
    const id = await start(`trap '' TERM; setsid ${listen('one')} & ${listen('two')} & wait`);
    const ports: number[] = [];
    for (const mark of ['one', 'two']) {
      await expect
        .poll(async () => readFile(task(id).outputFile, 'utf8').catch(() => ''), { timeout: 15_000 })
        .toMatch(new RegExp(`${mark} \\d+`));
      ports.push(Number(new RegExp(`${mark} (\\d+)`).exec(await readFile(task(id).outputFile, 'utf8'))?.[1]));
    }
    await Promise.all([real.tasks.stop(real.sessionId, id, 'person'), real.tasks.stop(real.sessionId, id, 'person')]);
    for (const port of ports) {
      await new Promise<void>((resolve, reject) => {
        const server = createServer().once('error', reject);
        server.listen(port, '127.0.0.1', () => server.close(() => resolve()));
      });
    }
    expect(statesOf(id)).toEqual(['running', 'stopped']);
  });

  it('when its output reaches the cap, and person and model are told', async () => {
    const id = await start(
      'yes aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa',
    );
    await expect.poll(() => task(id).status, { timeout: 60_000 }).toBe('stopped');
    expect(task(id).note).toBe('output reached 64 MiB');
    expect((await stat(task(id).outputFile)).size).toBeLessThanOrEqual(64 * 1024 * 1024);
    expect(toldOf(id)).toEqual([expect.stringContaining('output reached 64 MiB')]);
    expect(events.findLast((body) => body.type === 'notice')).toMatchObject({
      level: 'warning',
      text: expect.stringContaining(`Background task ${id} (yes a`),
    });
    expect(await isAlive('yes aaaaaaaaaaaaaaaa')).toBe(false);
  }, 90_000);

  it('with the executor, and is no longer said to run', async () => {
    const id = await start('setsid bash -c "trap \'\' TERM HUP; while :; do sleep 74.5; done"');
    await expect.poll(() => isAlive('sleep 74.5'), { timeout: 10_000 }).toBe(true);
    await real.killExecutor();
    await expect.poll(() => task(id).status, { timeout: 10_000 }).toBe('failed');
    expect(task(id).note).toBe('ended with the executor process');
    expect(await isAlive('sleep 74.5')).toBe(false);
  });
});

describe('Monitor', () => {
  it('waits for a line, also one that is there already, and goes on behind it', async () => {
    const id = await start('echo starting; echo "ready on 1"; sleep 0.4; echo "ready on 2"; sleep 600');
    const seen = () => say('Monitor', { task_id: id, pattern: 'ready on (\\d)', timeout: 10_000 });
    expect(await seen()).toMatch(/^ready on 1\n\nTask b\d+: running for/);
    expect(await seen()).toMatch(/^ready on 2\n/);
    expect(await say('Monitor', { task_id: id, pattern: 'ready', timeout: 200 })).toMatch(
      /^No line matched ready within/,
    );
    await call('TaskStop', { task_id: id });
    expect(await say('Monitor', { task_id: id, pattern: 'ready' })).toMatch(
      /^No line matched ready, and the task has ended/,
    );
  });

  it('takes a prompt without a line end, and gives up on patterns that backtrack without end', async () => {
    const id = await start(`printf 'Password: '; printf '\\n%s' ${'a'.repeat(60)}; printf 'Continue? '; sleep 600`);
    expect(await say('Monitor', { task_id: id, pattern: 'Continue\\?', timeout: 10_000 })).toMatch(/^a+Continue\? \n/);
    const other = await start(`echo ${'a'.repeat(60)}b; sleep 600`);
    expect(await say('Monitor', { task_id: other, pattern: '^(a+)+$', timeout: 10_000 })).toMatch(
      /^failed: This pattern takes too long/,
    );
    await Promise.all([id, other].map((taskId) => call('TaskStop', { task_id: taskId })));
  });

  it.each(['(', 'a'.repeat(2_000), ''])('refuses the pattern %j', async (pattern) => {
    expect(await say('Monitor', { task_id: 'b1', pattern })).toMatch(/^invalid: /);
  });
});

describe('the folder of the next command', () => {
  const cwd = () => real.sessions.state(real.sessionId).cwd;
  const run = (command: string, how: object = {}) => say('Bash', { command, ...how });

  beforeAll(async () => {
    await mkdir(join(real.folder, 'sub/deep'), { recursive: true });
    await mkdir(join(real.folder, 'other'));
    await symlink('other', join(real.folder, 'link'));
  });

  it('is where the last one ended, whatever its exit code', async () => {
    await run('cd sub; exit 3');
    expect([cwd(), await run('pwd')]).toEqual([join(real.folder, 'sub'), join(real.folder, 'sub')]);
    expect(await run('cd deep && pwd')).toBe(join(real.folder, 'sub/deep'));
    expect(await run('cd ../.. && pwd')).toBe(real.folder);
    expect(cwd()).toBe(real.folder);
  });

  it('is spelled from the session folder, or from the additional folder where it lies in that alone', async () => {
    expect(await run('cd link && pwd')).toBe(join(real.folder, 'link'));
    expect(cwd()).toBe(join(real.folder, 'other'));
    await run('cd ..');
  });

  it('goes back to the session folder from outside, and says so', async () => {
    await run('cd sub');
    expect(await run('cd /; echo x')).toBe(`x\n\nShell cwd was reset to ${real.folder}`);
    expect(cwd()).toBe(real.folder);
    expect(await run('cd /; false')).toBe(
      `failed: Exit code 1.\n\n(no output)\n\nShell cwd was reset to ${real.folder}`,
    );
    expect(await run('pwd')).toBe(real.folder);
  });

  it('is not moved by a command in the background, nor by one that went there', async () => {
    const id = await start('cd sub; echo x');
    await ended(id);
    const moved = await run('cd sub; read -t 0.8 <> <(:); echo x', { timeout: 200 });
    const movedId = /task (b\d+);/.exec(moved)?.[1] ?? '';
    await ended(movedId);
    expect([task(id).status, task(movedId).status, cwd()]).toEqual(['completed', 'completed', real.folder]);
  });

  it('does not strand the session in a folder that is gone', async () => {
    await mkdir(join(real.folder, 'gone'));
    await run('cd gone');
    await rm(join(real.folder, 'gone'), { recursive: true });
    expect(await run('echo x')).toMatch(
      new RegExp(`^failed: .*gone.*\\nShell cwd was reset to ${real.folder}\\. The command was not run\\.$`),
    );
    expect(await run('pwd')).toBe(real.folder);
  });

  it('stays the session folder where that is switched off', async () => {
    const stated = {
      defaultTimeoutMs: '',
      maxTimeoutMs: '',
      disableBackgroundTasks: '',
      maintainProjectWorkingDir: '1',
      maxOutputLength: '',
    };
    const bash = tool('Bash', createRegistry({ tools: builtInTools({ limits: bashLimits(stated) }) }));
    expect(textOf(await real.call(bash, { command: 'cd sub; pwd' }))).toBe(await realpath(join(real.folder, 'sub')));
    expect(cwd()).toBe(real.folder);
  });
});

it('all tasks end when the program does', async () => {
  const id = await start('trap "" TERM; while :; do sleep 75.5; done');
  await expect.poll(() => isAlive('sleep 75.5'), { timeout: 10_000 }).toBe(true);
  await real.tasks.dispose();
  expect([task(id).status, task(id).note]).toEqual(['stopped', 'stopped because Gatehouse was closed']);
  expect(await isAlive('sleep 75.5')).toBe(false);
});
