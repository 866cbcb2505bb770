// Agents with a worktree of their own: a real repository, the real executor, rules and sandbox of the session.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { type CoreWorld, disposeBuilt, modelText, startWorld, type TestSession } from '../../faults/testing/coreWorld';

let world: CoreWorld;
let session: TestSession;
const identity = ['-c', 'user.name=T', '-c', 'user.email=t@example.com'];
const git = (...args: string[]) =>
  execFileSync('git', [...identity, ...args], { cwd: world.folder, encoding: 'utf8' }).trim();
const start = (more: object = {}) => ({
  name: 'Agent',
  input: { description: 'change it', prompt: 'Change it.', isolation: 'worktree', ...more },
});
const bash = (command: string) => ({ name: 'Bash', input: { command } });
const asks = () =>
  session.events.flatMap(({ body }) =>
    body.type === 'call.asked' && body.ask.kind === 'permission' ? [body.ask] : [],
  );

beforeAll(async () => {
  world = await startWorld({ settings: {} });
  git('init', '--quiet', '--initial-branch=main');
  world.write('project/a.txt', 'one\n');
  world.write('project/.env', 'SECRET=1\n');
  git('add', 'a.txt');
  git('commit', '--quiet', '--message=one');
}, 60_000);
beforeEach(async () => {
  world.settings({});
  session = await world.session();
});
afterAll(async () => {
  expect(world.logFaults()).toEqual([]);
  await world.dispose();
  await disposeBuilt();
});

const worktreeOf = (text: string): string => /kept, because [^:]*: (\S+), branch/.exec(text)?.[1] ?? `none in: ${text}`;

const worktrees = (): readonly string[] =>
  git('worktree', 'list', '--porcelain')
    .split('\n')
    .flatMap((line) => /^worktree (.*)/.exec(line)?.[1] ?? [])
    .sort();

it('asks for the worktree, works in it alone, and says where the changes are', async () => {
  const [call] = await session.turn(
    { calls: [start()] },
    { calls: [{ name: 'Read', input: { file_path: 'a.txt' } }] },
    { calls: [{ name: 'Edit', input: { file_path: 'a.txt', old_string: 'one', new_string: 'two' } }, bash('pwd')] },
    'Changed.',
    'Done.',
  );
  const text = modelText(call);
  const path = worktreeOf(text);
  expect(text).toMatch(/^Changed\.\n*Its worktree is kept, because it has changes that are not committed: /);
  expect(path).toMatch(new RegExp(`^${join(world.folder, '.claude', 'worktrees')}/agent-[0-9a-f]{10}$`));
  expect([readFileSync(join(path, 'a.txt'), 'utf8'), readFileSync(join(world.folder, 'a.txt'), 'utf8')]).toEqual([
    'two\n',
    'one\n',
  ]);
  expect(asks()[0]).toMatchObject({ toolName: 'Agent', agent: null });
  const pwd = session.calls().find(({ name }) => name === 'Bash');
  expect(modelText(pwd)).toBe(path);
  // What git lists of the main checkout stays as it was.
  expect(git('status', '--porcelain')).toBe('?? .env');
});

it('deletes what is clean, branch and all', async () => {
  world.settings({ permissions: { allow: ['Bash(git worktree:*)', 'Bash(git branch:*)'] } });
  const [call] = await session.turn({ calls: [start()] }, { calls: [bash('ls')] }, 'Looked.', 'Done.');
  expect(modelText(call)).toMatch(/^Looked\.\n*It left no changes, so its worktree and branch are deleted\.$/);
  expect(session.calls().map(modelText)[1]).toBe('a.txt');
  expect(asks().map(({ toolName }) => toolName)).toEqual([]);
});

it.each<[string, string, RegExp]>([
  ['has changed nothing', 'tail -f /dev/null', /It left no changes, so its worktree and branch are deleted\./],
  [
    'has changed something',
    'echo new > b.txt; tail -f /dev/null',
    /Its worktree is kept, because it has changes that are not committed: /,
  ],
])('looks at the worktree of a stopped agent that %s', async (_, command, end) => {
  world.settings({ permissions: { allow: ['Bash'] } });
  const before = worktrees();
  const stopped = session.until(({ type }) => type === 'turn.finished');
  const runs = session.until((body) => {
    if (body.type === 'call.asked') void session.answer(body.ask, { kind: 'allowOnce' });
    return body.type === 'call.started' && session.state().calls[body.callId]?.name === 'Bash';
  });
  await session.send({ calls: [start()] }, { calls: [bash(command)] }, 'Never.');
  await runs;
  const added = worktrees().filter((path) => !before.includes(path));
  expect(added).toHaveLength(1);
  if (command.includes('b.txt'))
    while (!existsSync(join(added[0] ?? '', 'b.txt'))) await new Promise((resolve) => setTimeout(resolve, 10));
  await session.stop();
  await stopped;
  const call = session.calls().find(({ name }) => name === 'Agent');
  expect(call?.status).toBe('interrupted');
  expect(modelText(call)).toMatch(end);
  expect(worktrees()).toEqual(modelText(call).includes('is kept') ? [...before, ...added].sort() : before);
});

it('keeps commits that no other branch has, made within the sandbox', async () => {
  world.settings({ permissions: { allow: ['Bash'] } });
  const commit = `echo new > b.txt && git add b.txt && git ${identity.join(' ')} commit --quiet --message=two && git log --format=%s -1`;
  const [call, made] = await session.turn({ calls: [start()] }, { calls: [bash(commit)] }, 'Did.', 'Done.');
  expect(modelText(made)).toBe('two');
  const path = worktreeOf(modelText(call));
  expect(modelText(call)).toContain('because it has commits that no other branch has');
  const branch = git('-C', path, 'branch', '--show-current');
  expect([git('log', '--format=%s', '-1', branch), git('log', '--format=%s', '-1')]).toEqual(['two', 'one']);
});

it('is bound by what is denied in the main checkout, and by its own folder', async () => {
  world.settings({ permissions: { deny: ['Read(./.env)', 'Edit(a.txt)'], allow: ['Bash'] } });
  const main = (name: string) => join(world.folder, name);
  const [, ...calls] = await session.turn(
    { calls: [start()] },
    {
      calls: [
        { name: 'Read', input: { file_path: main('.env') } },
        { name: 'Read', input: { file_path: 'a.txt' } },
      ],
    },
    { calls: [{ name: 'Edit', input: { file_path: 'a.txt', old_string: 'one', new_string: 'x' } }] },
    { calls: [bash(`echo x > ${main('c.txt')}; echo end`)] },
    'Tried.',
    'Done.',
  );
  expect(calls.map(({ name, status }) => `${name} ${status}`)).toEqual([
    'Read denied',
    'Read succeeded',
    'Edit denied',
    'Bash succeeded',
  ]);
  const sandboxed = session.calls().at(-1);
  if (modelText(sandboxed).includes('Read-only file system')) expect(existsSync(main('c.txt'))).toBe(false);
  else expect(asks().some(({ agent }) => agent !== null)).toBe(true);
  rmSync(main('c.txt'), { force: true });
});

it('goes on in the background, and says at its end what became of the worktree', async () => {
  world.settings({ permissions: { allow: ['Bash'] } });
  const [call] = await session.turn({ calls: [start({ run_in_background: true })] }, 'Answer.', 'Done.');
  const taskId = /as task (\S+?)\./.exec(modelText(call))?.[1] ?? '';
  const search = { calls: [{ name: 'ToolSearch', input: { query: 'select:TaskOutput' } }] };
  const [, output] = await session.turn(
    search,
    { calls: [{ name: 'TaskOutput', input: { task_id: taskId, block: true } }] },
    'Done.',
  );
  expect(modelText(output)).toContain('[It left no changes, so its worktree and branch are deleted.]');
});

it.each<[string, () => Promise<void> | void, object, RegExp]>([
  [
    'the folder of worktrees is a link',
    () => {
      rmSync(join(world.folder, '.claude'), { recursive: true, force: true });
      execFileSync('ln', ['-s', '/tmp', join(world.folder, '.claude')]);
    },
    {},
    /\.claude is a link or no folder, so no worktree is made in it\. Leave `isolation` out\./,
  ],
  [
    'no repository',
    () => {
      rmSync(join(world.folder, '.claude'), { force: true });
      rmSync(join(world.folder, '.git'), { recursive: true });
    },
    {},
    /is not the top folder of a git checkout, so an agent can have no worktree here\. Leave `isolation` out\./,
  ],
])('says what is wrong: %s', async (_, prepare, more, message) => {
  await prepare();
  const [call] = await session.turn({ calls: [start(more)] }, 'Done.');
  expect(modelText(call)).toMatch(message);
});
