// @vitest-environment jsdom
import { act, cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { FileRestore, RestoreHunk, TimelineEntry } from '#shared/api/changes';
import { RpcError } from '#shared/rpc/errors';
import { emptyState, type SessionState } from '#shared/session/state';
import { followHost, useApp } from '../../stores/app';
import { openChanges, stepsOf, useChanges } from '../../stores/changes';
import { useSession } from '../../stores/session';
import { useToasts } from '../../stores/toasts';
import { createFakeCore, type FakeCore, type FakeHandlers, rehearsal } from '../../testing/fakeCore';
import { fillBrowserGaps, mountPage } from '../../testing/mountPage';
import { resetStores } from '../../testing/resetStores';
import { ChangesPanel } from './ChangesPanel';
import { restoreWords } from './words';

let core: FakeCore;

const called = (method: string) => core.calls.filter((call) => call.method === method).map((call) => call.params);

const content = (hash: string) => ({ hash: hash.repeat(64), bytes: 3, mode: 0o644, kept: true });

function entry(seq: number, part: Partial<TimelineEntry['change']> = {}): TimelineEntry {
  return {
    seq,
    at: seq * 1_000,
    title: part.by?.kind === 'restore' ? 'Restored by you' : 'Edit src/app.ts',
    agentId: null,
    change: {
      changeId: `c${seq}`,
      path: '/srv/app/src/app.ts',
      before: content('a'),
      after: content('b'),
      by: { kind: 'call', callId: `m.${seq}` },
      lines: { added: 1, removed: 1 },
      ...part,
    },
  };
}

const hunk = (hunkId: string, at: number, conflict: RestoreHunk['conflict'] = null): RestoreHunk => ({
  hunkId,
  oldStart: at,
  newStart: at,
  conflict,
  lines: [
    { sign: '-', text: `now ${at}` },
    { sign: '+', text: `then ${at}` },
  ],
});

function file(part: Partial<FileRestore> = {}): FileRestore {
  return {
    path: '/srv/app/src/app.ts',
    state: 'ready',
    hunks: [hunk('h1', 1), hunk('h2', 9)],
    does: 'change',
    added: 2,
    removed: 2,
    binary: false,
    truncated: false,
    problem: '',
    now: 'print',
    ...part,
  };
}

async function start(answers: Partial<FakeHandlers>, state: Partial<SessionState> = {}): Promise<void> {
  fillBrowserGaps({ wide: true });
  core = createFakeCore(answers);
  followHost();
  act(() => core.link.start());
  await waitFor(() => expect(useApp.getState().connection).toEqual({ status: 'open' }));
  useSession.setState({ sessionId: 's1', status: 'ready', state: { ...emptyState(), folder: '/srv/app', ...state } });
  act(() => openChanges('s1'));
  mountPage(<ChangesPanel />);
}

beforeEach(() => {
  localStorage.clear();
  resetStores();
});

afterEach(() => {
  cleanup();
  core.link.dispose();
});

const restoreButton = () => screen.getByRole('button', { name: /^Restore/ });

test('chooses files and places, says in words what will happen, and sends just that', async () => {
  const user = userEvent.setup();
  const conflict = { recorded: ['B'], now: ['mine'], restored: ['b'] };
  const files = [
    file(),
    file({ path: '/srv/app/new.txt', does: 'delete', hunks: [hunk('h3', 1)], added: 0, removed: 1 }),
    file({ path: '/srv/app/both.txt', state: 'conflict', hunks: [hunk('h4', 1, conflict), hunk('h5', 9)] }),
    file({ path: '/srv/app/gone.txt', state: 'lost', hunks: [], does: 'nothing', problem: 'It is no longer kept.' }),
  ];
  await start({
    'changes.list': () => ({ entries: [entry(1), entry(2)], notCovered: [] }),
    'changes.preview': () => ({ files }),
    'changes.restore': () => ({ step: 'r1', changes: [entry(3).change] }),
  });
  const words = () => screen.getByRole('status').textContent;
  await waitFor(() =>
    expect(words()).toBe('Changes 2 files, deletes 1 file, 1 of them only in part. 1 file cannot be restored.'),
  );
  expect(screen.getByRole('checkbox', { name: 'Restore gone.txt' })).toHaveProperty('disabled', true);
  expect(screen.getByText('It is no longer kept.')).toBeTruthy();
  expect(screen.getByText('mine')).toBeTruthy();
  await user.click(screen.getByRole('checkbox', { name: 'Restore this place in src/app.ts, line 9' }));
  await user.click(screen.getByRole('checkbox', { name: 'Restore new.txt' }));
  expect(words()).toBe('Changes 2 files, only in part. 1 file cannot be restored.');
  await user.click(screen.getByRole('checkbox', { name: 'Restore this place in both.txt, line 1' }));
  expect(words()).toBe(
    'Changes 2 files, 1 of them only in part. Overwrites 1 later change. 1 file cannot be restored.',
  );
  await user.click(restoreButton());
  await waitFor(() =>
    expect(called('changes.restore')).toEqual([
      {
        sessionId: 's1',
        target: { kind: 'undo', changeIds: ['c2'] },
        files: [
          { path: '/srv/app/src/app.ts', now: 'print', hunkIds: ['h1'] },
          { path: '/srv/app/both.txt', now: 'print', hunkIds: null },
        ],
      },
    ]),
  );
  await waitFor(() => expect(useToasts.getState().toasts.map(({ title }) => title)).toEqual(['1 file restored.']));
});

test('goes through time by keys: one step, back to before it, what one restore wrote as one line', async () => {
  const user = userEvent.setup();
  const by = { kind: 'restore' as const, step: 'r', of: ['c1'] };
  const entries = [entry(1), entry(2), entry(3, { by }), entry(4, { by, path: '/srv/app/b' })];
  await start({
    'changes.list': () => ({
      entries,
      notCovered: [{ callId: 'm.9', at: 2_500, title: 'Bash rm -rf build', what: 'a command' }],
    }),
    'changes.preview': () => ({ files: [file()] }),
  });
  await waitFor(() => expect(screen.getAllByRole('option')).toHaveLength(3));
  expect(screen.getByRole('option', { name: /2 files/ }).getAttribute('aria-selected')).toBe('true');
  expect(screen.getByRole('listbox')).toBe(document.activeElement);
  await user.keyboard('{ArrowDown}');
  await user.keyboard('{End}');
  await user.click(screen.getByRole('button', { name: 'Back to before it, all 3 steps' }));
  await waitFor(() =>
    expect(called('changes.preview').map((params) => (params as { target: unknown }).target)).toEqual([
      { kind: 'undo', changeIds: ['c3', 'c4'] },
      { kind: 'undo', changeIds: ['c2'] },
      { kind: 'undo', changeIds: ['c1'] },
      { kind: 'before', seq: 1 },
    ]),
  );
  expect(await screen.findByText(/Not covered: 1 call since then/)).toBeTruthy();
  expect(screen.getByRole('slider', { name: 'Go back to' })).toHaveProperty('value', '0');
  await user.keyboard('{Escape}');
  expect(useChanges.getState().sessionId).toBeNull();
});

test('restores nothing while the session is at work, and looks again when it was refused', async () => {
  const user = userEvent.setup();
  let refuse = true;
  await start(
    {
      'changes.list': () => ({ entries: [entry(1)], notCovered: [] }),
      'changes.preview': () => ({ files: [file()] }),
      'changes.restore': () => {
        if (refuse) throw new RpcError('conflict', '/srv/app/src/app.ts has changed since the preview.');
        return { step: 'r', changes: [] };
      },
    },
    { turn: { turnId: 't', startedAt: 1 }, model: rehearsal },
  );
  await screen.findByRole('checkbox', { name: 'Restore src/app.ts' });
  expect(screen.getByRole('status').textContent).toContain('The session is at work.');
  expect(restoreButton()).toHaveProperty('disabled', true);
  await user.keyboard('{Control>}{Enter}{/Control}');
  expect(called('changes.restore')).toEqual([]);
  act(() => useSession.setState(({ state }) => ({ state: { ...state, turn: null } })));
  await user.keyboard('{Control>}{Enter}{/Control}');
  await waitFor(() => expect(called('changes.preview')).toHaveLength(2));
  expect(useToasts.getState().toasts).toMatchObject([{ title: 'Nothing was restored.' }]);
  refuse = false;
});

test('hostile names and lines are shown as they are, and a fault can be tried again', async () => {
  const user = userEvent.setup();
  let fail = true;
  const path = '/srv/app/evil\u202Etxt.exe';
  await start({
    'changes.list': () => {
      if (fail) throw new RpcError('unavailable', 'The disk is away.');
      return { entries: [entry(1, { path })], notCovered: [] };
    },
    'changes.preview': () => ({ files: [file({ path, hunks: [hunk('h', 1)] })] }),
  });
  expect(await screen.findByText('The disk is away.')).toBeTruthy();
  fail = false;
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  const list = await screen.findByRole('list', { name: 'Files' });
  await waitFor(() => expect(within(list).getAllByTitle(/U\+202E/).length).toBeGreaterThan(0));
});

test('steps and words', () => {
  const by = { kind: 'restore' as const, step: 'r', of: [] };
  expect(
    stepsOf([entry(1), entry(2, { by }), entry(3, { by }), entry(4)]).map((step) => [step.key, step.entries.length]),
  ).toEqual([
    ['c1', 1],
    ['r', 2],
    ['c4', 1],
  ]);
  expect(restoreWords([file()], {})).toBe('Nothing is chosen.');
  expect(restoreWords([file({ state: 'conflict' })], {})).toBe('Nothing is chosen. 1 file with a conflict left out.');
  expect(restoreWords([file({ does: 'create' })], { '/srv/app/src/app.ts': 'all' })).toBe('Makes 1 file.');
});
