// @vitest-environment jsdom
import { act, cleanup, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { TranscriptSummary } from '#shared/api/transcripts';
import { RpcError } from '#shared/rpc/errors';
import { emptyState } from '#shared/session/state';
import { followHost, useApp } from '../../stores/app';
import { useSession } from '../../stores/session';
import { SessionFeed } from '../../stores/sessionFeed';
import { followTranscripts, useTranscripts } from '../../stores/transcripts';
import { createFakeCore, type FakeCore, type FakeHandlers, summary } from '../../testing/fakeCore';
import { fillBrowserGaps, mountPage } from '../../testing/mountPage';
import { resetStores } from '../../testing/resetStores';
import { TranscriptView } from './TranscriptView';

const transcript: TranscriptSummary = {
  id: 't1',
  title: 'Old tides',
  folder: '/home/ada/harbor',
  file: '/home/ada/.claude/projects/x/t1.jsonl',
  bytes: 10,
  updatedAt: 1,
  goesAt: Date.now() + 2.5 * 24 * 3_600_000,
  continuedAs: ['s1'],
};

const state = {
  ...emptyState(),
  title: 'Old tides',
  items: [{ kind: 'user' as const, messageId: 'm1', text: 'When is low water?', at: 1 }],
};

let core: FakeCore;
let feed: SessionFeed;
let stop: () => void;

async function start(answers: Partial<FakeHandlers> = {}): Promise<void> {
  core = createFakeCore({
    'sessions.list': () => ({ sessions: [summary({ sessionId: 's1', title: 'My tides' })] }),
    'transcripts.list': () => ({ transcripts: [transcript], truncated: false }),
    'transcripts.open': () => ({ summary: transcript, state, skipped: 3 }),
    ...answers,
  });
  followHost();
  stop = followTranscripts();
  feed = new SessionFeed();
  mountPage(<TranscriptView />);
  act(() => core.link.start());
  await waitFor(() => expect(useTranscripts.getState().list).toEqual([transcript]));
  await act(() => useTranscripts.getState().show('t1'));
}

beforeEach(() => {
  fillBrowserGaps({ wide: true });
  resetStores();
});

afterEach(() => {
  cleanup();
  stop();
  feed.dispose();
  core.link.dispose();
});

describe('a transcript', () => {
  it('is read like a session, says why it cannot be written, and becomes a session', async () => {
    await start();
    screen.getByRole('log', { name: 'Conversation: Old tides' });
    expect(useSession.getState().state.items).toEqual(state.items);
    const banner = screen.getByRole('region', { name: 'Read-only' });
    expect(banner.textContent).toContain('Claude Code deletes it in 3 days.');
    expect(banner.textContent).toContain('3 lines could not be understood and are left out.');
    expect(banner.textContent).toContain('Continued as “My tides”');
    await userEvent.click(screen.getByRole('button', { name: 'Continue here' }));
    await waitFor(() => expect(useApp.getState().activeSessionId).toBe('continued'));
    expect(useTranscripts.getState().open).toBeNull();
    expect(core.calls).toContainEqual({ method: 'transcripts.continue', params: { id: 't1' } });
  });

  it('says why it cannot be opened, and tries again', async () => {
    await start({
      'transcripts.open': () => {
        throw new RpcError('notFound', 'Claude Code has deleted this transcript.');
      },
    });
    await screen.findByText('Claude Code has deleted this transcript.');
    core.answers = { ...core.answers, 'transcripts.open': () => ({ summary: transcript, state, skipped: 0 }) };
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
    await screen.findByRole('log');
    expect(screen.getByRole('region', { name: 'Read-only' }).textContent).not.toContain('could not be understood');
  });

  it('says when Claude Code has written more, and shows it', async () => {
    await start();
    const later = { ...transcript, updatedAt: 2 };
    const more = {
      ...state,
      items: [...state.items, { kind: 'user' as const, messageId: 'm2', text: 'And high?', at: 2 }],
    };
    core.answers = {
      ...core.answers,
      'transcripts.list': () => ({ transcripts: [later], truncated: false }),
      'transcripts.open': () => ({ summary: later, state: more, skipped: 0 }),
    };
    act(() => core.emit('transcripts.changed', {}));
    await userEvent.click(await screen.findByRole('button', { name: 'Claude Code has written more. Show it' }));
    await waitFor(() => expect(useSession.getState().state.items).toEqual(more.items));
    expect(screen.queryByRole('button', { name: /has written more/ })).toBeNull();
  });

  it('makes room for a session that is opened, and stays away when its answer comes late', async () => {
    let answer: () => void = () => undefined;
    await start();
    core.answers = {
      ...core.answers,
      'transcripts.open': () =>
        new Promise((resolve) => {
          answer = () => resolve({ summary: transcript, state, skipped: 0 });
        }),
    };
    act(() => useApp.getState().openSession('s1'));
    await waitFor(() => expect(useSession.getState().sessionId).toBe('s1'));
    act(() => void useTranscripts.getState().show('t1'));
    await waitFor(() => expect(useTranscripts.getState().open?.id).toBe('t1'));
    act(() => useApp.getState().openSession('s1'));
    await waitFor(() => expect(useSession.getState()).toMatchObject({ sessionId: 's1', status: 'ready' }));
    await act(async () => answer());
    expect(useTranscripts.getState().open).toBeNull();
    expect(useSession.getState().sessionId).toBe('s1');
  });
});
