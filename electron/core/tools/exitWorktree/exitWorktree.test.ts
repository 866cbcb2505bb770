// Worktrees through the real executor and a real repository.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { prepareWorktrees } from '../../worktrees/excludeWorktrees';
import { isWorktreeName, worktreeAt } from '../../worktrees/worktrees';
import { createEnterWorktreeTool } from '../enterWorktree/enterWorktree';
import { type RealExecutor, startRealExecutor } from '../testing/realExecutor';
import { samplePlace } from '../testing/samplePlace';
import { createExitWorktreeTool } from './exitWorktree';

const enter = createEnterWorktreeTool({ whyNot: () => '', prepare: prepareWorktrees });
const exit = createExitWorktreeTool({ whyNot: () => '' });

describe('names', () => {
  it.each([
    ['tides', true],
    ['Fix-12_b.c', true],
    ['x'.repeat(40), true],
    ['x'.repeat(41), false],
    ['', false],
    ['-b', false],
    ['.git', false],
    ['a..b', false],
    ['a.', false],
    ['a.lock', false],
    ['HEAD', false],
    ['a/b', false],
    ['../a', false],
    ['a b', false],
    ['a;ls', false],
    ['$(ls)', false],
    ['a\nb', false],
    ['ä', false],
  ])('%j: %s', (name, expected) => {
    expect(isWorktreeName(name)).toBe(expected);
  });

  it.each([
    ['/p/.claude/worktrees/a', 'a'],
    ['/p/.claude/worktrees/a/src', 'a'],
    ['/p/.claude/worktrees', undefined],
    ['/p', undefined],
    ['/q/.claude/worktrees/a', undefined],
    ['/p/.claude/worktrees/a b', undefined],
  ])('%s lies in %s', (cwd, name) => {
    expect(worktreeAt('/p', cwd)?.name).toBe(name);
  });
});

it('asks before it deletes what nobody else has, and for nothing else', () => {
  const own = (input: Parameters<typeof exit.checkPermissions>[0]) =>
    exit.checkPermissions(input, samplePlace).behavior;
  expect([
    own({ action: 'keep' }),
    own({ action: 'keep', discard_changes: true }),
    own({ action: 'remove' }),
    own({ action: 'remove', discard_changes: true }),
    enter.checkPermissions({ name: 'a' }, samplePlace).behavior,
  ]).toEqual(['allow', 'allow', 'allow', 'ask', 'passthrough']);
});

it('is not offered where git is missing', () => {
  const without = createEnterWorktreeTool({ whyNot: () => 'No git.', prepare: () => Promise.resolve() });
  expect([without.isEnabled(), without.unavailableReason()]).toEqual([false, 'No git.']);
});

describe('in a repository', () => {
  let real: RealExecutor;
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=T', '-c', 'user.email=t@example.com', ...args], {
      cwd: real.sessions.state(real.sessionId).cwd,
      encoding: 'utf8',
    }).trim();
  const cwd = () => real.sessions.state(real.sessionId).cwd;
  const at = (name: string) => join(real.folder, '.claude', 'worktrees', name);
  const say = async (tool: typeof enter | typeof exit, input: object): Promise<string> => {
    const outcome = await (tool === enter ? real.call(enterAny, input) : real.call(exitAny, input));
    if (outcome.kind !== 'succeeded') return `${outcome.kind}: ${outcome.text}`;
    return outcome.blocks.map((block) => ('text' in block ? block.text : '')).join('');
  };
  let enterAny: Parameters<RealExecutor['call']>[0];
  let exitAny: Parameters<RealExecutor['call']>[0];

  beforeAll(async () => {
    real = await startRealExecutor();
    const { createRegistry } = await import('../registry');
    const registry = createRegistry({ tools: [enter, exit] });
    const [first, second] = ['EnterWorktree', 'ExitWorktree'].map((name) => registry.find(name));
    if (first?.found !== true || second?.found !== true) throw new Error('not in the registry');
    enterAny = first.tool;
    exitAny = second.tool;
  }, 60_000);
  afterAll(() => real.dispose());

  it('needs a repository', async () => {
    expect(await say(enter, { name: 'a' })).toMatch(/^rejected: .* is not the top folder of a git checkout/);
    expect(await say(exit, { action: 'keep' })).toMatch(/^rejected: The session works in no worktree/);
  });

  it('makes one, keeps what is not committed or merged, and removes what is', async () => {
    git('init', '--quiet', '--initial-branch=main');
    await writeFile(join(real.folder, 'a.txt'), 'one\n');
    git('add', '.');
    git('commit', '--quiet', '--message=one');

    expect(await say(enter, { name: 'tides' })).toMatch(/^The worktree is made, on the new branch worktree-tides\./);
    expect([cwd(), git('branch', '--show-current')]).toEqual([at('tides'), 'worktree-tides']);
    expect(await say(enter, { name: 'b' })).toMatch(/^rejected: The session works in the worktree tides already/);

    await writeFile(join(at('tides'), 'b.txt'), 'two\n');
    expect(await say(exit, { action: 'remove' })).toMatch(/^failed: .*not committed\.\n\n\?\? b\.txt/);
    git('add', '.');
    git('commit', '--quiet', '--message=two');
    expect(await say(exit, { action: 'remove' })).toMatch(/^failed: .*no other branch has\.\n\n[0-9a-f]+ two/);
    expect([cwd(), existsSync(at('tides'))]).toEqual([at('tides'), true]);

    git('branch', 'saved');
    expect(await say(exit, { action: 'remove' })).toBe(
      `Commands start in ${real.folder} again. The worktree tides and its branch worktree-tides are deleted.`,
    );
    expect([cwd(), existsSync(at('tides')), git('branch', '--list', 'worktree-*')]).toEqual([real.folder, false, '']);
  });

  it('keeps folder and branch, and does not make them twice', async () => {
    await say(enter, { name: 'kept' });
    expect(await say(exit, { action: 'keep' })).toContain(`kept in ${at('kept')}`);
    expect([cwd(), existsSync(at('kept'))]).toEqual([real.folder, true]);
    expect(await say(enter, { name: 'kept' })).toMatch(/^rejected: .* exists already/);
  });

  it('discards', async () => {
    await say(enter, { name: 'gone' });
    await writeFile(join(at('gone'), 'c.txt'), 'x');
    expect(await say(exit, { action: 'remove', discard_changes: 'true' })).toContain('are deleted');
    expect(existsSync(at('gone'))).toBe(false);
  });

  it('does not follow a link that a repository brings', async () => {
    const other = await startFolder(join(real.folder, 'other'));
    const place = { ...samplePlace, folder: other, cwd: other };
    const inspect = {
      stat: (path: string) =>
        Promise.resolve({
          ...{ kind: 'stat' as const, exists: true, size: 0, mtimeMs: 0, realPath: path, hash: '' },
          type: 'folder' as const,
          isLink: path.endsWith('worktrees'),
        }),
      preview: () => Promise.reject(new Error('not asked')),
    };
    const { FileStates } = await import('../fileStates');
    expect(await enter.validateInput({ name: 'a' }, { ...place, inspect, fileStates: new FileStates() })).toMatchObject(
      { verdict: 'reject', errorCode: 'notFolder' },
    );
  });

  async function startFolder(path: string): Promise<string> {
    await mkdir(join(path, '.claude'), { recursive: true });
    await symlink('/tmp', join(path, '.claude', 'worktrees'));
    return path;
  }
});
