// @vitest-environment jsdom
import { act, cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { ResultFile } from '#shared/api/results';
import { RpcError } from '#shared/rpc/errors';
import { followHost, useApp } from '../../stores/app';
import { usePlace } from '../../stores/place';
import { showResultFile, useResultsPage } from '../../stores/resultsPage';
import { useToasts } from '../../stores/toasts';
import { createFakeCore, type FakeCore, type FakeHandlers } from '../../testing/fakeCore';
import { fillBrowserGaps, mountPage } from '../../testing/mountPage';
import { resetStores } from '../../testing/resetStores';
import { ResultsPage } from './ResultsPage';
import { fakeResults, now, resultFile } from './testing/fakeResults';

let core: FakeCore;

const called = (method: string) => core.calls.filter((call) => call.method === method).map((call) => call.params);
const esc = '\u001b';
const log = Array.from({ length: 60 }, (_, at) =>
  at % 10 === 3 ? `${esc}[33mwarn${esc}[0m number ${at + 1}` : `line ${at + 1}`,
).join('\n');

const build = resultFile({ id: 'build' });
const old = resultFile({ id: 'old', modifiedAt: now - 5_000_000, kept: true, session: null });
const theirs = resultFile({
  id: 'theirs',
  origin: 'claudeCode',
  modifiedAt: now - 9_000_000,
  call: { callId: 'g', tool: 'Grep', what: 'moorings' },
  seen: { kind: 'never' },
});
const three = [build, old, theirs];

async function start(files: readonly ResultFile[], answers: Partial<FakeHandlers> = {}, wide = true): Promise<void> {
  localStorage.clear();
  resetStores();
  fillBrowserGaps({ wide });
  core = createFakeCore({ ...fakeResults(files, { build: log, theirs: 'one line' }), ...answers });
  followHost();
  act(() => core.link.start());
  await waitFor(() => expect(useApp.getState().connection).toEqual({ status: 'open' }));
  mountPage(<ResultsPage />);
}

async function grid(): Promise<HTMLElement> {
  const found = await screen.findByLabelText('Results');
  await waitFor(() => expect(found.querySelector('[role="gridcell"]')).not.toBeNull());
  return found;
}

/** Not by a click: where nothing has a size, each one falls on the edge between the panes. */
async function type(field: HTMLElement, text: string): Promise<void> {
  act(() => field.focus());
  await userEvent.keyboard(text);
}
const names = (list: HTMLElement) =>
  [...list.querySelectorAll('[role="row"]')].slice(1).map((row) => row.querySelector('[role="gridcell"]')?.textContent);
const file = () => screen.getByLabelText('File');
/** Found by their places, which is many times faster than by roles. */
const rowsOf = (name: string) => [...screen.getByLabelText(name).querySelectorAll('[role="row"]')];
const lines = (name = 'Text of the file') =>
  rowsOf(name).map((row) => [...row.children].map((cell) => cell.textContent).join(' '));
const selectedLine = () => rowsOf('Text of the file').find((row) => row.ariaSelected === 'true')?.textContent ?? '';

beforeEach(() => {
  // Rows are drawn as far as the scroller's height goes.
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(90);
  Element.prototype.scrollTo = () => undefined;
});

afterEach(() => {
  cleanup();
  core.link.dispose();
  vi.restoreAllMocks();
});

describe('the list', () => {
  test('one tab stop; Space chooses, K keeps what is chosen, Delete asks about it, Enter opens', async () => {
    await start(three);
    const list = await grid();
    expect(names(list)).toEqual(['npm run build', 'npm run old', 'Grep moorings']);
    act(() => list.focus());
    await userEvent.keyboard('[Space]{End}[Space]k');
    await waitFor(() => expect(called('results.keep')).toEqual([{ ids: ['build', 'theirs'], kept: true }]));
    await userEvent.keyboard('{Delete}');
    expect(await screen.findByRole('dialog', { name: 'Clean up results' })).toBeDefined();
    expect(called('results.cleanUpPreview').at(-1)).toMatchObject({ ids: ['build', 'theirs'], olderThanDays: null });
    await userEvent.keyboard('{Escape}');
    await waitFor(() => expect(document.activeElement).toBe(list));
    await userEvent.keyboard('{Home}{Enter}');
    expect(await within(file()).findByLabelText('Text of the file')).toBeDefined();
    await userEvent.keyboard('{Enter}');
    expect(document.activeElement).toBe(screen.getByLabelText('Text of the file'));
  });

  test('is narrowed by words and facets, sorted by its heads, and comes back', async () => {
    await start(three);
    const list = await grid();
    await userEvent.click(screen.getByRole('button', { name: 'Size' }));
    expect(within(list).getByRole('columnheader', { name: 'Size' }).getAttribute('aria-sort')).toBe('descending');
    await userEvent.click(screen.getByRole('button', { name: 'Never read 1' }));
    expect(names(list)).toEqual(['Grep moorings']);
    await type(screen.getByRole('searchbox', { name: 'Find in the list' }), 'zebra');
    await userEvent.click(screen.getByRole('button', { name: 'Show all 3' }));
    expect(names(await grid())).toHaveLength(3);
  });

  test('teaches when there is nothing in it', async () => {
    await start([]);
    expect((await screen.findByText(/longer than 20,000 characters/)).textContent).toContain('kept as a file');
  });

  test('says why it could not be loaded and tries again', async () => {
    const fails = () => {
      throw new RpcError('unavailable', 'The folder cannot be read.');
    };
    await start(three, { 'results.list': fails });
    expect((await screen.findByRole('alert')).textContent).toContain('The folder cannot be read.');
    core.answers = { ...core.answers, ...fakeResults(three) };
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
    expect(names(await grid())).toHaveLength(3);
  });

  test('shows the file of a card as soon as it is known, whatever is filtered', async () => {
    await start(three);
    await grid();
    act(() => useResultsPage.getState().show({ search: 'zebra' }));
    act(() => showResultFile(build.file));
    expect((await within(file()).findByRole('heading', { level: 2 })).textContent).toBe('npm run build');
    act(() => showResultFile('/gone.txt'));
    expect(screen.getByText('That result is not here.')).toBeDefined();
  });
});

describe('the text of a file', () => {
  async function opened(): Promise<void> {
    await start(three);
    await userEvent.click(within(await grid()).getByText('npm run build'));
    await screen.findByLabelText('Text of the file');
  }
  const field = () => screen.getByLabelText('Search in the file');

  test('a search goes to its first match, F3 and Enter lead on and round', async () => {
    await opened();
    await type(field(), 'warn');
    expect(await screen.findByText('1 of 6', { ignore: '.sr-only' })).toBeDefined();
    await userEvent.keyboard('{Enter}{F3}');
    expect(await screen.findByText('3 of 6', { ignore: '.sr-only' })).toBeDefined();
    await waitFor(() =>
      expect(document.querySelector('mark[data-current]')?.closest('[data-row]')?.getAttribute('data-row')).toBe('23'),
    );
    await userEvent.keyboard('{Shift>}{F3}{F3}{F3}{/Shift}');
    expect(await screen.findByText('6 of 6', { ignore: '.sr-only' })).toBeDefined();
    expect(lines().some((line) => line === '54 warn number 54')).toBe(true);
  });

  test('an expression that is none says so, and only matches can be shown', async () => {
    await opened();
    await userEvent.click(screen.getByRole('button', { name: 'Regular expression' }));
    await type(field(), 'number (1');
    expect((await screen.findByRole('alert')).textContent).toBe('The expression ends too early.');
    await type(field(), '|2)4');
    await userEvent.click(screen.getByRole('button', { name: 'Only matches' }));
    await waitFor(() => expect(lines('Lines that match')).toEqual(['14 warn number 14', '24 warn number 24']));
    act(() => screen.getByLabelText('Lines that match').focus());
    await userEvent.keyboard('{End}{Enter}');
    await waitFor(() => expect(selectedLine()).toContain('number 24'));
  });

  test('nothing that matches says so', async () => {
    await opened();
    await type(field(), 'zebra');
    expect(await screen.findByText('no match', { ignore: '.sr-only' })).toBeDefined();
    await userEvent.click(screen.getByRole('button', { name: 'Only matches' }));
    await userEvent.click(await screen.findByRole('button', { name: 'Show all lines' }));
    expect(lines()[0]).toBe('1 line 1');
  });

  test('goes to a line by its number and copies the chosen rows without colours, or raw', async () => {
    const writeText = vi.fn(() => Promise.resolve());
    await opened();
    Object.defineProperty(navigator, 'clipboard', { value: { writeText }, configurable: true });
    act(() => screen.getByLabelText('Text of the file').focus());
    await userEvent.keyboard('{Control>}g{/Control}');
    await userEvent.type(await screen.findByRole('textbox', { name: 'Line' }), '0{Enter}');
    expect((await screen.findByRole('alert')).textContent).toBe('Lines count from 1.');
    await userEvent.clear(screen.getByRole('textbox', { name: 'Line' }));
    await userEvent.type(screen.getByRole('textbox', { name: 'Line' }), '23{Enter}');
    const text = screen.getByLabelText('Text of the file');
    await waitFor(() => expect(document.activeElement).toBe(text));
    await waitFor(() => expect(selectedLine()).toContain('line 23'));
    await userEvent.keyboard('{Shift>}{ArrowDown}{/Shift}{Control>}c{/Control}');
    await waitFor(() => expect(writeText).toHaveBeenCalledWith('line 23\nwarn number 24'));
    await userEvent.keyboard('{Control>}{Shift>}c{/Shift}{/Control}');
    await waitFor(() => expect(writeText).toHaveBeenCalledWith(`line 23\n${esc}[33mwarn${esc}[0m number 24`));
  });

  test('is as it was left when another file was looked at', async () => {
    await opened();
    await type(field(), 'warn');
    await screen.findByText('1 of 6', { ignore: '.sr-only' });
    await userEvent.keyboard('{Enter}');
    await screen.findByText('2 of 6', { ignore: '.sr-only' });
    await userEvent.click(screen.getByText('moorings'));
    await waitFor(() => expect(lines()).toEqual(['1 one line']));
    await userEvent.click(screen.getByText('npm run build'));
    expect(await screen.findByText('2 of 6', { ignore: '.sr-only' })).toBeDefined();
    expect(called('results.close')).toEqual([{ id: 'build' }, { id: 'theirs' }]);
  });

  test('says when the file was written anew, and opens it again', async () => {
    await opened();
    act(() => core.emit('results.fileChanged', { id: 'build', how: 'rewritten', bytes: 5 }));
    await userEvent.click(await screen.findByRole('button', { name: 'Open again' }));
    await waitFor(() => expect(called('results.open')).toHaveLength(2));
    await waitFor(() => expect(screen.queryByText(/has changed since/)).toBeNull());
  });
});

test('a file that is gone says so', async () => {
  await start(three);
  await userEvent.click(within(await grid()).getByText('npm run old'));
  expect((await screen.findByRole('alert')).textContent).toContain('The file is not there any more.');
});

test('the origin leads to the call; a file of Claude Code is only read', async () => {
  const transcript = {
    id: 't1',
    title: 'Flaky CI',
    folder: '/srv/harbor',
    file: '/home/ada/.claude/projects/-srv-harbor/s1.jsonl',
    bytes: 1,
    updatedAt: now,
    goesAt: null,
    continuedAs: [],
  };
  await start(three, { 'transcripts.list': () => ({ transcripts: [transcript], truncated: false }) });
  await userEvent.click(within(await grid()).getByText('npm run build'));
  await userEvent.click(await screen.findByRole('button', { name: 'Go to call' }));
  expect(usePlace.getState().wanted).toMatchObject({ in: { kind: 'session', sessionId: 's1' }, callId: 'call-build' });
  expect(useApp.getState()).toMatchObject({ page: 'chat', activeSessionId: 's1' });
  await userEvent.click(screen.getByText('moorings'));
  expect(await within(file()).findByText('only read')).toBeDefined();
  await userEvent.click(screen.getByRole('button', { name: 'Go to call' }));
  await waitFor(() =>
    expect(usePlace.getState().wanted).toMatchObject({ in: { kind: 'transcript', id: 't1' }, callId: 'g' }),
  );
});

test('two chosen files are compared, the older one first', async () => {
  const hunks = [
    {
      oldStart: 3,
      newStart: 3,
      lines: [
        { sign: '-', text: 'a' },
        { sign: '+', text: 'b' },
      ],
    },
  ] as const;
  await start(three, {
    'results.diff': () => ({
      hunks: hunks.map((hunk) => ({ ...hunk, lines: [...hunk.lines] })),
      added: 1,
      removed: 1,
      truncated: false,
    }),
  });
  const list = await grid();
  act(() => list.focus());
  await userEvent.keyboard('[Space]{End}[Space]');
  await userEvent.click(screen.getByRole('button', { name: 'Compare' }));
  const rows = await screen.findByRole('grid', { name: 'Differences' });
  expect(called('results.diff')).toEqual([{ left: 'theirs', right: 'build' }]);
  expect(
    within(rows)
      .getAllByRole('row')
      .map((row) => row.textContent),
  ).toEqual(['older line 3−removed a', 'newer line 3+added b']);
});

test('a clean-up shows what it takes, moves it and offers to take it back', async () => {
  await start(three, {
    'results.cleanUpPreview': ({ olderThanDays }) => ({
      ids: olderThanDays === null ? ['build'] : [],
      bytes: 4_800_000,
      spared: 1,
      oldest: now,
    }),
    'results.cleanUp': () => ({
      batch: { batchId: 'b1', at: now, files: 1, bytes: 4_800_000, goneAt: now + 1 },
      left: 1,
      problem: 'It is being written.',
    }),
    'results.restore': () => ({ restored: 1, left: 0 }),
  });
  await grid();
  await userEvent.click(screen.getByRole('button', { name: 'Clean up…' }));
  const dialog = await screen.findByRole('dialog', { name: 'Clean up results' });
  expect(await within(dialog).findByText('Nothing fits. 1 kept file stays.')).toBeDefined();
  expect(within(dialog).getByRole<HTMLButtonElement>('button', { name: 'Move to the trash' }).disabled).toBe(true);
  await userEvent.click(within(dialog).getByRole('combobox', { name: 'Age' }));
  await userEvent.click(await screen.findByRole('option', { name: 'of any age' }));
  await userEvent.click(await within(dialog).findByRole('button', { name: 'Move 1 file to the trash' }));
  await waitFor(() => expect(called('results.cleanUp')).toEqual([{ ids: ['build'] }]));
  const [left, moved] = useToasts.getState().toasts;
  expect([left?.title, left?.text]).toEqual(['1 file could not be moved.', 'It is being written.']);
  expect(moved?.title).toBe('1 file moved to the trash.');
  act(() => moved?.action?.run());
  await waitFor(() => expect(called('results.restore')).toEqual([{ batchId: 'b1' }]));
});

test('where there is room for one, the file takes the place of the list and Escape leads back', async () => {
  await start(three, {}, false);
  await userEvent.click(within(await grid()).getByText('npm run build'));
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('button', { name: 'All results' })));
  expect(screen.queryByRole('grid', { name: 'Results' })).toBeNull();
  await userEvent.keyboard('{Escape}');
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('grid', { name: 'Results' })));
});
