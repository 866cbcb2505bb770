// @vitest-environment jsdom
import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { SearchHit } from '#shared/api/search';
import { RpcError } from '#shared/rpc/errors';
import { followHost, useApp } from '../../stores/app';
import { usePlace } from '../../stores/place';
import { followSearch } from '../../stores/search';
import { createFakeCore, type FakeCore, type FakeHandlers } from '../../testing/fakeCore';
import { fillBrowserGaps, mountPage } from '../../testing/mountPage';
import { resetStores } from '../../testing/resetStores';
import { SearchPage } from './SearchPage';

const idle = { phase: 'idle', done: 3, conversations: 3, problem: '' } as const;

function hit(change: Partial<SearchHit>): SearchHit {
  return {
    in: { kind: 'session', sessionId: 's1' },
    title: 'Fix the tide',
    folder: '/home/ada/harbor',
    at: 1,
    part: 'message',
    tool: null,
    verdict: null,
    messageId: 'm1',
    callId: null,
    snippet: [
      { text: 'Show the ', hit: false },
      { text: 'tide', hit: true },
      { text: ' of today', hit: false },
    ],
    ...change,
  };
}

const hits = [
  hit({}),
  hit({ in: { kind: 'transcript', id: 't1' }, title: 'Old tides', part: 'answer', messageId: 'm9' }),
  hit({ part: 'output', tool: 'Bash', verdict: 'ask', messageId: 'm2', callId: 'c1' }),
];

let core: FakeCore;
let stop: () => void;

async function start(answers: Partial<FakeHandlers> = {}): Promise<void> {
  core = createFakeCore({
    'search.find': () => ({ hits, total: 7, conversations: 2, state: idle }),
    ...answers,
  });
  followHost();
  stop = followSearch();
  mountPage(<SearchPage />);
  act(() => core.link.start());
  await waitFor(() => expect(useApp.getState().connection.status).toBe('open'));
}

const searches = () => core.calls.filter(({ method }) => method === 'search.find').map(({ params }) => params);
const field = () => screen.getByRole('textbox', { name: 'Search in all conversations' });

beforeEach(() => {
  fillBrowserGaps({ wide: true });
  resetStores();
});

afterEach(() => {
  cleanup();
  stop();
  core.link.dispose();
});

describe('search in everything', () => {
  it('groups hits by conversation, marks the words, and goes to the call', async () => {
    await start();
    screen.getByText(/Find what was said/);
    await userEvent.type(field(), 'tide');
    await screen.findByText('7 finds in 2 conversations');
    expect(screen.getAllByRole('heading', { level: 2 }).map((head) => head.textContent)).toEqual([
      expect.stringContaining('Fix the tide'),
      expect.stringContaining('Old tidesClaude Code'),
    ]);
    const own = within(screen.getByRole('region', { name: 'Fix the tide' }));
    expect(own.getAllByText('tide', { selector: 'mark *' })).toHaveLength(2);
    await userEvent.keyboard('{ArrowDown}{ArrowDown}');
    expect(document.activeElement?.textContent).toContain('Bash');
    await userEvent.keyboard('{Enter}');
    expect(usePlace.getState().wanted).toMatchObject({
      in: { kind: 'session', sessionId: 's1' },
      messageId: 'm2',
      callId: 'c1',
      words: ['tide'],
    });
    expect(useApp.getState()).toMatchObject({ page: 'chat', activeSessionId: 's1' });
  });

  it('asks once the person pauses, and fetches more on demand', async () => {
    await start();
    for (const value of ['t', 'ti', 'tide']) fireEvent.change(field(), { target: { value } });
    await userEvent.click(await screen.findByRole('button', { name: '4 more finds' }));
    await waitFor(() => expect(searches()).toHaveLength(2));
    expect(searches()).toEqual([
      expect.objectContaining({ text: 'tide', from: 0, count: 50 }),
      expect.objectContaining({ text: 'tide', from: 3, count: 50 }),
    ]);
  });

  it('narrows by part, verdict and time', async () => {
    await start();
    await userEvent.type(field(), 'tide');
    await screen.findByText(/7 finds/);
    await userEvent.click(screen.getByRole('button', { name: 'Outputs', pressed: false }));
    await userEvent.click(screen.getByRole('button', { name: 'Verdict' }));
    await userEvent.click(await screen.findByRole('menuitemradio', { name: 'Asked' }));
    await userEvent.click(screen.getByRole('button', { name: 'Time' }));
    await userEvent.click(await screen.findByRole('menuitemradio', { name: 'Last 7 days' }));
    await waitFor(() =>
      expect(searches().at(-1)).toMatchObject({
        filter: { parts: ['output'], verdict: 'ask', since: expect.any(Number), tool: null },
      }),
    );
    expect(screen.getByRole('button', { name: 'Verdict: Asked' })).toBeDefined();
    await userEvent.click(screen.getByRole('button', { name: 'Clear filters' }));
    await waitFor(() =>
      expect(searches().at(-1)).toMatchObject({ filter: { parts: null, verdict: null, since: null } }),
    );
  });

  it('says when nothing is found, and why it may be', async () => {
    await start({ 'search.find': () => ({ hits: [], total: 0, conversations: 0, state: idle }) });
    await userEvent.type(field(), 'zebra');
    await screen.findByText('Nothing has “zebra”.');
  });

  it('tells the cause of a failure and seeks again', async () => {
    await start({
      'search.find': () => {
        throw new RpcError('unavailable', 'The index cannot be read. It is made anew at the next start.');
      },
    });
    await userEvent.type(field(), 'tide');
    await screen.findByText('The index cannot be read. It is made anew at the next start.');
    core.answers = { ...core.answers, 'search.find': () => ({ hits, total: 3, conversations: 2, state: idle }) };
    await userEvent.click(screen.getByRole('button', { name: 'Search again' }));
    await screen.findByText('3 finds in 2 conversations');
  });

  it('shows how far the index is, and seeks again when it is whole', async () => {
    const reading = { phase: 'reading', done: 2, conversations: 90, problem: '' } as const;
    await start({ 'search.find': () => ({ hits: [], total: 0, conversations: 0, state: reading }) });
    await userEvent.type(field(), 'tide');
    await screen.findByText(/2 of 90 conversations/);
    core.answers = { ...core.answers, 'search.find': () => ({ hits, total: 3, conversations: 2, state: idle }) };
    act(() => core.emit('search.state', { ...idle }));
    await screen.findByText('3 finds in 2 conversations');
    expect(screen.queryByText(/of 90/)).toBeNull();
  });
});
