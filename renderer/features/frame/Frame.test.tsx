// @vitest-environment jsdom
import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { RpcError } from '#shared/rpc/errors';
import { emptyState } from '#shared/session/state';
import { followHost, useApp } from '../../stores/app';
import { followRules } from '../../stores/rules';
import { followSandbox } from '../../stores/sandbox';
import { useSession } from '../../stores/session';
import { SessionFeed } from '../../stores/sessionFeed';
import { useUi } from '../../stores/ui';
import {
  createFakeCore,
  type FakeCore,
  type FakeHandlers,
  hello,
  noRules,
  rehearsal,
  sandboxView,
  summary,
} from '../../testing/fakeCore';
import { fillBrowserGaps, mountPage } from '../../testing/mountPage';
import { resetStores } from '../../testing/resetStores';
import { Frame } from './Frame';

let core: FakeCore;
let feed: SessionFeed;
let stopRules: () => void;
let stopSandbox: () => void;

const sessions = [
  summary({ sessionId: 's1', title: 'Fix the tide', folder: '/code/harbor', activity: 'waiting' }),
  summary({ sessionId: 's2', title: 'Release notes', folder: '/code/tides' }),
];

const state = {
  ...emptyState(),
  seq: 1,
  folder: '/home/ada/code/harbor',
  title: 'Fix the tide',
  model: rehearsal,
  meter: {
    ...emptyState().meter,
    byModel: {
      rehearsal: { inputTokens: 1_000, outputTokens: 400, cacheReadTokens: 17_000, cacheWriteTokens: 0 },
    },
  },
};

async function start(answers: Partial<FakeHandlers> = {}): Promise<void> {
  core = createFakeCore({
    'sessions.list': () => ({ sessions }),
    'sessions.subscribe': () => ({ kind: 'snapshot', state, live: [] }),
    ...answers,
  });
  followHost();
  stopRules = followRules();
  stopSandbox = followSandbox();
  feed = new SessionFeed();
  mountPage(<Frame />);
  act(() => core.link.start());
  await waitFor(() => expect(useApp.getState()).toMatchObject({ connection: { status: 'open' }, models: [rehearsal] }));
}

/** The banner that holds a text. */
async function bannerWith(text: string): Promise<HTMLElement> {
  const banner = (await screen.findByText(text)).closest<HTMLElement>('[role="alert"], [role="status"]');
  if (banner === null) throw new Error(`"${text}" is not in a banner`);
  return banner;
}

async function openFirst(): Promise<void> {
  act(() => useApp.getState().openSession('s1'));
  await waitFor(() => expect(useSession.getState().status).toBe('ready'));
}

beforeEach(() => {
  localStorage.clear();
  fillBrowserGaps({ wide: true });
  resetStores();
});

afterEach(() => {
  cleanup();
  stopRules();
  stopSandbox();
  feed.dispose();
  core.link.dispose();
});

describe('first run', () => {
  it('teaches one action and says who answers', async () => {
    await start({ 'sessions.list': () => ({ sessions: [] }) });
    await screen.findByRole('heading', { name: 'Open a folder to begin' });
    expect(screen.getByRole('button', { name: /Open folder/ })).toBeDefined();
    const model = screen.getByRole('region', { name: 'Model' });
    expect(model.textContent).toContain('Rehearsal model');
    expect(model.textContent).toContain('scripted');
    await userEvent.click(within(model).getByRole('button', { name: 'Add an API key' }));
    expect(useApp.getState().page).toBe('settings');
  });

  it('starts in a recent folder with one click', async () => {
    await start();
    await userEvent.click(await screen.findByRole('button', { name: /harbor\/code\/harbor/ }));
    expect(core.calls).toContainEqual({ method: 'sessions.create', params: { folder: '/code/harbor' } });
  });
});

describe('sessions list', () => {
  it('shows who needs the person first, and a badge', async () => {
    await start();
    const list = screen.getByRole('complementary', { name: 'Sessions' });
    await within(list).findByText('Fix the tide');
    expect(
      within(list)
        .getAllByRole('heading')
        .map((heading) => heading.textContent),
    ).toEqual(['Needs you', 'January 1970']);
    expect(screen.getByRole('button', { name: 'Chat, 1 session waits for you' })).toBeDefined();
    expect(document.title).toBe('(1) Gatehouse');
  });

  it('filters by title and folder, and says when nothing is left', async () => {
    await start();
    const list = screen.getByRole('complementary', { name: 'Sessions' });
    const field = within(list).getByRole('textbox');
    // Not by a click: without a layout the edge between the panes takes it.
    field.focus();
    await userEvent.keyboard('tides');
    await waitFor(() => expect(within(list).queryByText('Fix the tide')).toBeNull());
    expect(within(list).getByText('Release notes')).toBeDefined();
    await userEvent.keyboard(' zebra');
    await within(list).findByText(/No session has/);
    await userEvent.click(within(list).getByRole('button', { name: 'Show all' }));
    expect(within(list).getByText('Fix the tide')).toBeDefined();
  });

  it('draws of a long list what is in view, and says how long it is', async () => {
    const many = Array.from({ length: 5_000 }, (_, index) =>
      summary({ sessionId: `n${index}`, title: `Number ${index}`, updatedAt: 5_000 - index }),
    );
    await start({ 'sessions.list': () => ({ sessions: many }) });
    const list = screen.getByRole('complementary', { name: 'Sessions' });
    const first = (await within(list).findByText('Number 0')).closest('li');
    expect(first?.getAttribute('aria-setsize')).toBe('5000');
    expect(first?.getAttribute('aria-posinset')).toBe('1');
    expect(within(list).getAllByRole('listitem').length).toBeLessThan(60);
  });

  it('deletes at once and brings back on demand', async () => {
    await start();
    const list = screen.getByRole('complementary', { name: 'Sessions' });
    const row = await within(list).findByRole('button', { name: /^Release notes/ });
    row.focus();
    await userEvent.keyboard('{Delete}');
    await waitFor(() => expect(core.calls).toContainEqual({ method: 'sessions.delete', params: { sessionId: 's2' } }));
    expect(document.activeElement?.textContent).toContain('Fix the tide');
    await userEvent.click(await screen.findByRole('button', { name: 'Undo' }));
    await waitFor(() =>
      expect(core.calls).toContainEqual({ method: 'sessions.undelete', params: { sessionId: 's2' } }),
    );
  });

  it('says why a session at work is not deleted', async () => {
    const answers = {
      'sessions.delete': () => {
        throw new RpcError('conflict', 'The session is still at work. Stop it first, then delete it.');
      },
    };
    await start(answers);
    const list = screen.getByRole('complementary', { name: 'Sessions' });
    (await within(list).findByRole('button', { name: /^Fix the tide/ })).focus();
    await userEvent.keyboard('{Delete}');
    await screen.findByText('The session was not deleted.');
    expect(screen.getByText('The session is still at work. Stop it first, then delete it.')).toBeDefined();
  });

  it('renames', async () => {
    await start();
    const list = screen.getByRole('complementary', { name: 'Sessions' });
    (await within(list).findByRole('button', { name: /^Release notes/ })).focus();
    await userEvent.keyboard('{F2}');
    const field = await screen.findByRole('textbox', { name: 'Title' });
    await userEvent.clear(field);
    expect(screen.getByRole('alert').textContent).toContain('needs a title');
    await userEvent.type(field, 'Notes 4.2{Enter}');
    await waitFor(() =>
      expect(core.calls).toContainEqual({ method: 'sessions.rename', params: { sessionId: 's2', title: 'Notes 4.2' } }),
    );
  });
});

describe('status bar', () => {
  it('tells the conditions of the session', async () => {
    await start({
      'permissions.rules': () => ({
        ...noRules,
        files: [
          { source: 'userSettings', path: '/home/ada/.claude/settings.json', state: 'read', problem: '' },
          { source: 'localSettings', path: '/x/.claude/settings.local.json', state: 'absent', problem: '' },
        ],
        warnings: [
          { rule: { text: 'Write(x)', behavior: 'allow', source: 'userSettings' }, problem: 'never consulted' },
        ],
      }),
    });
    await openFirst();
    const bar = screen.getByRole('contentinfo');
    await within(bar).findByText('1 rule file, 1 warning');
    for (const text of [
      'Default mode',
      'sandbox: bubblewrap, network off',
      'Rehearsal model',
      'scripted',
      '18.4k tokens · $0.00 · cache 94 %',
    ]) {
      expect(within(bar).getByText(text)).toBeDefined();
    }
  });

  it('switches the network of the session', async () => {
    await start();
    await openFirst();
    await userEvent.click(screen.getByRole('button', { name: /sandbox: bubblewrap/ }));
    await userEvent.click(await screen.findByRole('switch', { name: 'Whole network for this session' }));
    await waitFor(() =>
      expect(core.calls).toContainEqual({ method: 'sessions.setNetwork', params: { sessionId: 's1', network: true } }),
    );
  });
});

describe('banners', () => {
  it('the connection is lost, with the cause and a way to try now', async () => {
    await start();
    await openFirst();
    act(() => core.goAway('Gatehouse stopped'));
    const banner = await bannerWith('The connection to Gatehouse is lost.');
    expect(banner.textContent).toContain('The connection to Gatehouse is lost. Gatehouse stopped.');
    expect(banner.textContent).toMatch(/Next try in \d+ s/);
    core.comeBack();
    await userEvent.click(within(banner).getByRole('button', { name: 'Try now' }));
    await waitFor(() => expect(screen.queryByText('The connection to Gatehouse is lost.')).toBeNull());
  });

  it('there is no sandbox: why and what follows, dismissed for this session only', async () => {
    const state = { active: false, kind: 'none', network: true, reason: 'bwrap is not installed' };
    await start({
      hello: () => ({ ...hello, sandbox: state }),
      'sandbox.view': () => ({ ...sandboxView, state }),
    });
    expect(screen.queryByText('There is no sandbox.')).toBeNull();
    await openFirst();
    const banner = await bannerWith('There is no sandbox.');
    expect(banner.textContent).toContain(
      'Bwrap is not installed. Commands run unconfined once you or a rule allow them',
    );
    await userEvent.click(screen.getByRole('button', { name: 'Dismiss' }));
    expect(screen.queryByText('There is no sandbox.')).toBeNull();
    act(() => useApp.getState().openSession('s2'));
    expect(await screen.findByText('There is no sandbox.')).toBeDefined();
  });

  it('a settings file is broken, with line and column', async () => {
    await start({
      'permissions.rules': () => ({
        ...noRules,
        files: [
          {
            source: 'projectSettings',
            path: '/home/ada/code/.claude/settings.json',
            state: 'broken',
            line: 14,
            column: 7,
            problem: 'A comma is missing. Its last good rules stay in force.',
          },
        ],
      }),
    });
    await openFirst();
    const banner = await bannerWith('A settings file cannot be understood:');
    expect(banner.textContent).toContain(
      '~/code/.claude/settings.json:14:7. A comma is missing. Its last good rules stay',
    );
  });

  it('the executor restarts, then is down', async () => {
    await start();
    act(() => core.emit('host.executor', { status: 'restarting', detail: 'It ended with signal 9' }));
    await screen.findByText('The executor is restarting.');
    act(() => core.emit('host.executor', { status: 'down', detail: 'It ended five times' }));
    expect((await bannerWith('The executor is down.')).textContent).toContain('It ended five times.');
  });

  it('a session cannot be opened', async () => {
    await start({
      'sessions.subscribe': () => {
        throw new RpcError('notFound', 'It was deleted.');
      },
    });
    act(() => useApp.getState().openSession('s1'));
    expect((await bannerWith('The session could not be opened.')).textContent).toContain('It was deleted.');
  });
});

describe('keys', () => {
  it('Mod+B hides and shows the sessions list', async () => {
    await start();
    fireEvent.keyDown(window, { code: 'KeyB', key: 'b', ctrlKey: true });
    expect(screen.queryByRole('complementary', { name: 'Sessions' })).toBeNull();
    fireEvent.keyDown(window, { code: 'KeyB', key: 'b', ctrlKey: true });
    expect(screen.getByRole('complementary', { name: 'Sessions' })).toBeDefined();
  });

  it('Mod+K opens the palette, which goes to another session', async () => {
    await start();
    fireEvent.keyDown(window, { code: 'KeyK', key: 'k', ctrlKey: true });
    const field = await screen.findByRole('combobox', { name: 'Command palette' });
    expect(document.activeElement).toBe(field);
    await userEvent.type(field, 'notes{Enter}');
    expect(useUi.getState().dialog).toBeNull();
    await waitFor(() => expect(useApp.getState().activeSessionId).toBe('s2'));
  });

  it('F6 goes from pane to pane', async () => {
    await start();
    const at = () => document.activeElement?.closest('[data-pane]')?.tagName;
    fireEvent.keyDown(window, { code: 'F6', key: 'F6' });
    expect(at()).toBe('NAV');
    fireEvent.keyDown(window, { code: 'F6', key: 'F6' });
    expect(at()).toBe('ASIDE');
    fireEvent.keyDown(window, { code: 'F6', key: 'F6', shiftKey: true });
    expect(at()).toBe('NAV');
  });

  it('Mod+Shift+A opens the session that waits', async () => {
    await start();
    act(() => useApp.getState().openSession('s2'));
    fireEvent.keyDown(window, { code: 'KeyA', key: 'A', ctrlKey: true, shiftKey: true });
    expect(useApp.getState().activeSessionId).toBe('s1');
  });
});

describe('narrow windows', () => {
  it('the sessions list lies over the content and goes when one is chosen', async () => {
    fillBrowserGaps({ wide: false });
    await start();
    expect(screen.queryByRole('complementary', { name: 'Sessions' })).toBeNull();
    fireEvent.keyDown(window, { code: 'KeyB', key: 'b', ctrlKey: true });
    const sheet = await screen.findByRole('dialog', { name: 'Sessions' });
    await userEvent.click(within(sheet).getByRole('button', { name: /^Fix the tide/ }));
    await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Sessions' })).toBeNull());
    expect(useApp.getState().activeSessionId).toBe('s1');
  });
});
