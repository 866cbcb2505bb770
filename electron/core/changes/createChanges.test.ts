import { readdirSync, statSync } from 'node:fs';
import { link, lstat, mkdir, readFile, rename, rm, symlink, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { RestoreTarget } from '#shared/api/changes';
import { writeNote } from './pending';
import { changesWorld } from './testing/changesWorld';

type World = Awaited<ReturnType<typeof changesWorld>>;
const worlds: World[] = [];

async function world(...more: Parameters<typeof changesWorld>): Promise<World> {
  const made = await changesWorld(...more);
  worlds.push(made);
  return made;
}

afterEach(async () => {
  for (const made of worlds.splice(0)) await made.dispose();
});

const ids = (made: World) => made.recorded().map(({ changeId }) => changeId);
const undo = (...changeIds: string[]): RestoreTarget => ({ kind: 'undo', changeIds });
const last = (made: World) => undo(ids(made).at(-1) ?? '');

describe('what is recorded', () => {
  it('has both sides, the mode and the call, before the call ends', async () => {
    const at = await world();
    await at.hand('run.sh', 'one\r\n');
    await at.chmod('run.sh', 0o750);
    await at.tool('run.sh', 'two\r\n');
    const [change] = at.recorded();
    expect(change).toMatchObject({ path: at.path('run.sh'), by: { kind: 'call', callId: 'm.1' } });
    expect(change?.before).toMatchObject({ bytes: 5, mode: 0o750, kept: true });
    expect(await readFile(join(at.history, change?.before?.hash ?? ''), 'utf8')).toBe('one\r\n');
    expect(readdirSync(join(at.history, 'pending'))).toEqual([]);
    for (const name of readdirSync(at.history)) {
      const { mode } = statSync(join(at.history, name));
      expect(mode & 0o077).toBe(0);
    }
  });

  it('is found by a program that starts after the last one ended between write and record', async () => {
    const at = await world();
    await at.tool('a', 'one');
    await expect(at.tool('a', 'two', { dies: true })).rejects.toThrow('the executor ended');
    expect(at.recorded()).toHaveLength(1);
    const next = at.start();
    const { entries } = await next.changes.list(at.sessionId);
    expect(entries.map(({ change }) => change.before === null)).toEqual([true, false]);
    expect((await at.start().changes.list(at.sessionId)).entries).toHaveLength(2);
    expect(readdirSync(join(at.history, 'pending'))).toEqual([]);
  });

  it('has what a restore had written when the program was killed in its middle, and nothing of it lies about', async () => {
    const at = await world();
    for (const name of ['a', 'b']) {
      await at.hand(name, 'old');
      await at.tool(name, 'new');
    }
    const by = { kind: 'restore' as const, step: 'r', of: [] };
    const changes = at.recorded().map(({ path, before, after }, index) => ({
      changeId: `k${index}`,
      path,
      before: after,
      after: before,
      lines: null,
      by,
    }));
    // The first file was in place, the second not yet.
    await at.hand('a', 'old');
    await at.hand('.gatehouse-0123456789abcdef.tmp', 'old');
    await at.hand('mine.tmp', 'keep me');
    const leftovers = [at.path('.gatehouse-0123456789abcdef.tmp'), at.path('mine.tmp')];
    await writeNote(at.history, 'r', { changes, leftovers });
    const next = at.start();
    const { entries } = await next.changes.list(at.sessionId);
    expect(entries.map(({ change }) => change.changeId).slice(2)).toEqual(['k0']);
    expect(readdirSync(at.folder).sort()).toEqual(['a', 'b', 'mine.tmp']);
    Object.assign(at, next);
    await at.takeBack({ kind: 'redo', step: 'r' });
    expect([await at.read('a'), await at.read('b')]).toEqual(['new', 'new']);
  });

  it('drops the oldest content over the bound, and says so', async () => {
    const at = await world({ maxBytes: 100 });
    for (let count = 0; count < 5; count += 1) await at.tool('a', `${count}`.repeat(40));
    await at.changes.dispose();
    const { entries } = await at.changes.list(at.sessionId);
    expect(entries.map(({ change }) => change.before === null || change.before.kept)).toContain(false);
    expect(entries.at(-1)?.change).toMatchObject({ before: { kept: true }, after: { kept: true } });
    const notices = at.sessions.state(at.sessionId).items.filter(({ kind }) => kind === 'notice');
    expect(notices).toHaveLength(1);
    const { files } = await at.changes.preview(at.sessionId, { kind: 'undo', changeIds: ids(at).slice(1, 2) });
    expect(files).toMatchObject([{ state: 'lost', problem: expect.stringContaining('no longer kept') }]);
  });
});

describe('taking back', () => {
  it.each([
    ['text', 'one\ntwo\n', 'one\nTWO\n'],
    ['CRLF and a byte order mark', '\u00ef\u00bb\u00bfone\r\ntwo\r\n', '\u00ef\u00bb\u00bfone\r\n2\r\n'],
    ['no end of line', 'one', 'two'],
    ['bytes that are no text', '\x00\xff\x01', '\x00\xfe\x01\x02'],
    ['an empty file', '', 'x'],
  ])('gives %s back to the byte, and back again', async (_name, before, after) => {
    const at = await world();
    await at.tool('f', before);
    await at.chmod('f', 0o640);
    await at.tool('f', after);
    const first = await at.takeBack(last(at));
    expect(first.files).toMatchObject([{ state: 'ready', does: 'change' }]);
    expect([await at.read('f'), await at.mode('f')]).toEqual([before, 0o640]);
    const second = await at.takeBack({ kind: 'redo', step: first.step });
    expect(await at.read('f')).toBe(after);
    await at.takeBack({ kind: 'redo', step: second.step });
    expect(await at.read('f')).toBe(before);
    expect(at.recorded().map(({ by }) => by.kind)).toEqual(['call', 'call', 'restore', 'restore', 'restore']);
    expect(readdirSync(at.folder)).toEqual(['f']);
  });

  it('deletes what was created and makes what was deleted, with its folders and mode', async () => {
    const at = await world();
    await at.tool('deep/er/new.txt', 'x\n');
    await at.chmod('deep/er/new.txt', 0o755);
    await at.tool('deep/er/new.txt', 'y\n');
    const { step, files } = await at.takeBack({ kind: 'before', seq: 0 });
    expect(files).toMatchObject([{ state: 'ready', does: 'delete', removed: 1 }]);
    expect(await at.read('deep/er/new.txt')).toBeNull();
    await rm(at.path('deep'), { recursive: true });
    await at.takeBack({ kind: 'redo', step });
    expect([await at.read('deep/er/new.txt'), await at.mode('deep/er/new.txt')]).toEqual(['y\n', 0o755]);
  });

  it('keeps what a person changed elsewhere in the file since', async () => {
    const at = await world();
    await at.hand('f', 'a\nb\nc\nd\ne\n');
    await at.tool('f', 'a\nB\nc\nd\ne\n');
    await at.hand('f', 'a\nB\nc\nd\nE\n');
    const { files } = await at.takeBack(last(at));
    expect(files).toMatchObject([{ state: 'merged', added: 1, removed: 1 }]);
    expect(await at.read('f')).toBe('a\nb\nc\nd\nE\n');
  });

  it('takes one change out from under a later one', async () => {
    const at = await world();
    await at.hand('f', 'a\nb\nc\nd\ne\n');
    await at.tool('f', 'A\nb\nc\nd\ne\n');
    await at.tool('f', 'A\nb\nc\nd\nE\n');
    const { files } = await at.takeBack(undo(ids(at)[0] ?? ''));
    expect(files).toMatchObject([{ state: 'ready' }]);
    expect(await at.read('f')).toBe('a\nb\nc\nd\nE\n');
  });

  it('shows a conflict with all three texts and writes it only when its hunk is chosen', async () => {
    const at = await world();
    await at.hand('f', 'a\nb\nc\nd\ne\nf\ng\n');
    await at.tool('f', 'a\nB\nc\nd\ne\nf\nG\n');
    await at.hand('f', 'a\nmine\nc\nd\ne\nf\nG\n');
    const target = last(at);
    const { files } = await at.changes.preview(at.sessionId, target);
    expect(files).toMatchObject([
      {
        state: 'conflict',
        hunks: [{ conflict: { recorded: ['B'], now: ['mine'], restored: ['b'] } }, { conflict: null }],
      },
    ]);
    const [file] = files;
    const pick = async (index: number) =>
      at.changes.restore({
        sessionId: at.sessionId,
        target,
        files: [{ path: file?.path ?? '', now: file?.now ?? '', hunkIds: [file?.hunks[index]?.hunkId ?? ''] }],
      });
    await pick(1);
    expect(await at.read('f')).toBe('a\nmine\nc\nd\ne\nf\ng\n');
    await expect(pick(0)).rejects.toMatchObject({ code: 'conflict' });
    const again = (await at.changes.preview(at.sessionId, target)).files[0];
    await at.changes.restore({
      sessionId: at.sessionId,
      target,
      files: [
        { path: again?.path ?? '', now: again?.now ?? '', hunkIds: again?.hunks.map(({ hunkId }) => hunkId) ?? [] },
      ],
    });
    expect(await at.read('f')).toBe('a\nb\nc\nd\ne\nf\ng\n');
  });

  it('goes back to a moment, and says when that undoes work by hand in between', async () => {
    const at = await world();
    await at.tool('f', '1\n');
    await at.hand('f', '1\nby hand\n');
    await at.tool('f', '2\n');
    await at.tool('g', 'g\n');
    const { entries } = await at.changes.list(at.sessionId);
    const { files } = await at.takeBack({ kind: 'before', seq: entries[1]?.seq ?? 0 });
    expect(files.map(({ does, problem }) => [does, problem])).toEqual([
      ['change', ''],
      ['delete', ''],
    ]);
    expect([await at.read('f'), await at.read('g')]).toEqual(['1\nby hand\n', null]);
    const all = await at.changes.preview(at.sessionId, { kind: 'before', seq: entries[0]?.seq ?? 0 });
    expect(all.files).toMatchObject([{ problem: expect.stringContaining('by hand') }, { state: 'same' }]);
  });

  it('tells the model which files are not as it left them', async () => {
    const at = await world();
    await at.tool('f', 'x');
    await at.takeBack(last(at));
    const told = at.sessions.eventsSince(at.sessionId, 0).at(-1)?.body;
    expect(told).toMatchObject({ type: 'context.added', text: expect.stringContaining(`- ${at.path('f')} (deleted)`) });
  });
});

describe('a restore that is refused changes nothing', () => {
  it('while a turn or a sub-agent runs, or somebody else works in the session', async () => {
    let elsewhere = false;
    const at = await world({ heldElsewhere: () => elsewhere });
    await at.tool('f', 'x');
    const model = { id: 'm', label: 'M', scripted: false };
    at.sessions.append(at.sessionId, { type: 'turn.started', turnId: 't', model });
    await expect(at.takeBack(last(at))).rejects.toMatchObject({ code: 'conflict' });
    at.sessions.append(at.sessionId, { type: 'turn.finished', turnId: 't', outcome: 'done' });
    elsewhere = true;
    await expect(at.takeBack(last(at))).rejects.toMatchObject({ code: 'conflict' });
    expect(await at.read('f')).toBe('x');
    elsewhere = false;
    await at.takeBack(last(at));
    expect(await at.read('f')).toBeNull();
  });

  it('is not refused because another program has written to the session meanwhile', async () => {
    const at = await world();
    await at.tool('f', 'x');
    const other = at.start();
    other.sessions.append(at.sessionId, { type: 'session.renamed', title: 'Elsewhere' });
    await at.takeBack(last(at));
    expect(await at.read('f')).toBeNull();
    expect(at.sessions.state(at.sessionId).title).toBe('Elsewhere');
  });

  it('when one of several files has changed since the preview, or cannot be written', async () => {
    const at = await world();
    for (const name of ['a', 'b', 'c']) await at.tool(name, `${name}1`);
    for (const name of ['a', 'b', 'c']) await at.tool(name, `${name}2`);
    const target = undo(...ids(at).slice(3));
    const files = (await at.changes.preview(at.sessionId, target)).files.map(({ path, now }) => ({
      path,
      now,
      hunkIds: null,
    }));
    await at.hand('c', 'other');
    const restore = () => at.changes.restore({ sessionId: at.sessionId, target, files });
    await expect(restore()).rejects.toMatchObject({ code: 'conflict' });
    expect(await Promise.all(['a', 'b', 'c'].map(at.read))).toEqual(['a2', 'b2', 'other']);
    expect(readdirSync(at.folder).sort()).toEqual(['a', 'b', 'c']);
    expect(at.recorded()).toHaveLength(6);
  });

  it('when the session cannot be written to: the files are as before, inode and all', async () => {
    const at = await world();
    await at.tool('a', '1');
    await at.tool('a', '2');
    const { ino } = await lstat(at.path('a'));
    at.failOn('restore');
    await expect(at.takeBack(last(at))).rejects.toThrow();
    expect(await at.read('a')).toBe('2');
    expect((await lstat(at.path('a'))).ino).toBe(ino);
    expect([readdirSync(at.folder), readdirSync(join(at.history, 'pending'))]).toEqual([['a'], []]);
  });

  it('through links: of the file, of its folder, and where Gatehouse itself keeps things', async () => {
    const at = await world();
    await at.tool('dir/f', '1');
    await at.tool('dir/f', '2');
    const target = last(at);
    await writeFile(join(at.root, 'secret'), '2');
    await unlink(at.path('dir/f'));
    await symlink(join(at.root, 'secret'), at.path('dir/f'));
    expect((await at.takeBack(target)).files).toMatchObject([
      { state: 'lost', problem: expect.stringContaining('link') },
    ]);
    await unlink(at.path('dir/f'));
    await link(join(at.root, 'secret'), at.path('dir/f'));
    await at.takeBack(target);
    expect(await readFile(join(at.root, 'secret'), 'utf8')).toBe('2');
    await rename(at.path('dir'), join(at.root, 'moved'));
    await symlink(join(at.root, 'moved'), at.path('dir'));
    expect((await at.takeBack(target)).files).toMatchObject([{ state: 'lost' }]);
    await mkdir(join(at.root, 'data', 'x'), { recursive: true });
    await at.tool('../data/x/f', 'x');
    expect((await at.takeBack(last(at))).files).toMatchObject([
      { state: 'lost', problem: 'Gatehouse restores nothing here.' },
    ]);
  });

  it('for files that are not part of it and hunks that do not exist', async () => {
    const at = await world();
    await at.tool('f', 'x');
    const target = last(at);
    const [file] = (await at.changes.preview(at.sessionId, target)).files;
    const one = (path: string, hunkIds: string[] | null) =>
      at.changes.restore({ sessionId: at.sessionId, target, files: [{ path, now: file?.now ?? '', hunkIds }] });
    await expect(one('/etc/passwd', null)).rejects.toMatchObject({ code: 'invalid' });
    await expect(one(at.path('f'), ['no'])).rejects.toMatchObject({ code: 'conflict' });
    await expect(one(at.path('f'), [])).rejects.toMatchObject({ code: 'invalid' });
    expect(await at.read('f')).toBe('x');
  });
});

it('says which calls it knows nothing about', async () => {
  const at = await world({ isReadOnly: (_session, call) => call.callId === 'ls' });
  const presentation = { title: 'Bash', summary: 'rm x', activity: '', icon: 'terminal' as const };
  const trace = {
    step: 'execution' as const,
    startedAt: 0,
    endedAt: 1,
    waitedMs: 0,
    outcome: 'passed' as const,
    note: '',
  };
  const add = (callId: string, name: string, ran: boolean) => {
    const { sessions, sessionId } = at;
    sessions.append(sessionId, { type: 'call.created', callId, messageId: 'm', name, input: {}, presentation });
    if (ran) sessions.append(sessionId, { type: 'call.stepEnded', callId, trace });
    const end = { status: ran ? ('succeeded' as const) : ('denied' as const), content: [], view: null, note: '' };
    sessions.append(sessionId, { type: 'call.finished', callId, ...end });
  };
  add('rm', 'Bash', true);
  add('ls', 'Bash', true);
  add('no', 'Bash', false);
  add('read', 'Read', true);
  add('mcp', 'mcp__x__y', true);
  const { notCovered } = await at.changes.list(at.sessionId);
  expect(notCovered.map(({ callId, what, title }) => [callId, what, title])).toEqual([
    ['rm', 'a command', 'Bash rm x'],
    ['mcp', 'a server’s tool', 'Bash rm x'],
  ]);
});
