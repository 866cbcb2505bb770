// @vitest-environment jsdom
import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { FolderEntry } from '#shared/api/host';
import { RpcError } from '#shared/rpc/errors';
import { followHost, useApp } from '../../stores/app';
import { useToasts } from '../../stores/toasts';
import { useUi } from '../../stores/ui';
import { createFakeCore, type FakeCore, type FakeHandlers, hello, summary } from '../../testing/fakeCore';
import { fillBrowserGaps, mountPage } from '../../testing/mountPage';
import { resetStores } from '../../testing/resetStores';
import { FolderDialog } from './FolderDialog';
import { openFolder } from './openFolder';

const tree: Readonly<Record<string, readonly string[]>> = {
  '/home/ada': ['/home/ada/.cache', '/home/ada/code', '/home/ada/music'],
  '/home/ada/code': ['/home/ada/code/harbor'],
  '/home/ada/code/harbor': [],
  '/home': ['/home/ada'],
};

function entry(path: string): FolderEntry {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return { name, path, hidden: name.startsWith('.'), repository: name === 'harbor' };
}

const browse: FakeHandlers['host.browse'] = ({ path, showHidden }) => {
  const inside = tree[path];
  if (inside === undefined) throw new RpcError('notFound', `There is no folder ${path}. Check the spelling.`);
  return {
    path,
    parent: path === '/' ? null : path.slice(0, path.lastIndexOf('/')) || '/',
    entries: inside.map(entry).filter(({ hidden }) => showHidden || !hidden),
    truncated: false,
  };
};

let core: FakeCore;

async function start(answers: Partial<FakeHandlers> = {}): Promise<void> {
  core = createFakeCore({ 'host.browse': browse, ...answers });
  followHost();
  act(() => core.link.start());
  await waitFor(() => expect(useApp.getState()).toMatchObject({ connection: { status: 'open' }, sessions: [] }));
}

async function openDialog(answers: Partial<FakeHandlers> = {}): Promise<void> {
  await start(answers);
  useUi.getState().setDialog('folder');
  mountPage(<FolderDialog />);
  await screen.findByRole('list', { name: 'Folders' });
}

const names = () =>
  within(screen.getByRole('list', { name: 'Folders' }))
    .getAllByRole('button')
    .map((button) => button.textContent);

beforeEach(() => {
  localStorage.clear();
  fillBrowserGaps({ wide: true });
  resetStores();
});

afterEach(() => {
  cleanup();
  core.link.dispose();
});

describe('folder dialog', () => {
  it('begins at home, hides hidden folders, marks repositories', async () => {
    await openDialog();
    expect(names()).toEqual(['code', 'music']);
    await userEvent.click(screen.getByRole('switch', { name: 'Show hidden folders' }));
    await waitFor(() => expect(names()).toEqual(['.cache', 'code', 'music']));
    await userEvent.click(screen.getByRole('button', { name: 'code' }));
    await waitFor(() => expect(names()).toEqual(['harborrepository']));
  });

  it('opens the folder that it is in', async () => {
    await openDialog();
    await userEvent.click(screen.getByRole('button', { name: 'code' }));
    await userEvent.click(await screen.findByRole('button', { name: /Open “code”/ }));
    await waitFor(() => expect(useApp.getState().activeSessionId).toBe('new'));
    expect(core.calls).toContainEqual({ method: 'sessions.create', params: { folder: '/home/ada/code' } });
    expect(useUi.getState().dialog).toBeNull();
  });

  it('goes to a typed path, with ~ for home', async () => {
    await openDialog();
    const field = screen.getByLabelText('Path');
    await userEvent.clear(field);
    await userEvent.type(field, 'code{Enter}');
    expect(screen.getByRole('alert').textContent).toContain('starts at the root');
    await userEvent.clear(field);
    await userEvent.type(field, '~/code/harbor{Enter}');
    await screen.findByText(/No folders in here/);
    expect(field).toHaveProperty('value', '/home/ada/code/harbor');
  });

  it('says why a folder cannot be shown and stays where it was', async () => {
    await openDialog();
    const field = screen.getByLabelText('Path');
    await userEvent.clear(field);
    await userEvent.type(field, '/nowhere{Enter}');
    expect((await screen.findByRole('alert')).textContent).toBe('There is no folder /nowhere. Check the spelling.');
    expect(names()).toEqual(['code', 'music']);
    // The same path again is asked again: the folder may be there now.
    await userEvent.type(field, '{Enter}');
    await waitFor(() =>
      expect(core.calls.filter(({ params }) => (params as { path?: string }).path === '/nowhere')).toHaveLength(2),
    );
  });

  it('walks by keyboard', async () => {
    await openDialog();
    screen.getByRole('button', { name: 'code' }).focus();
    await userEvent.keyboard('{ArrowDown}');
    expect(document.activeElement?.textContent).toBe('music');
    await userEvent.keyboard('{Home}{ArrowRight}');
    await waitFor(() => expect(names()).toEqual(['harborrepository']));
    fireEvent.keyDown(screen.getByRole('button', { name: /harbor/ }), { key: 'Backspace' });
    await waitFor(() => expect(names()).toEqual(['code', 'music']));
    fireEvent.keyDown(window, { key: 'Enter', ctrlKey: true });
    await waitFor(() =>
      expect(core.calls).toContainEqual({ method: 'sessions.create', params: { folder: '/home/ada' } }),
    );
  });

  it('opens a typed path at once with Mod+Enter, not the folder in the list', async () => {
    await openDialog();
    const field = screen.getByLabelText('Path');
    await userEvent.clear(field);
    await userEvent.type(field, '~/code');
    fireEvent.keyDown(field, { key: 'Enter', ctrlKey: true });
    await waitFor(() => expect(useApp.getState().activeSessionId).toBe('new'));
    expect(core.calls).toContainEqual({ method: 'sessions.create', params: { folder: '/home/ada/code' } });
  });

  it('cannot open anything while the next folder is on its way', async () => {
    await openDialog();
    core.answers = { ...core.answers, 'host.browse': () => new Promise(() => undefined) };
    await userEvent.click(screen.getByRole('button', { name: 'code' }));
    expect(screen.getByRole('button', { name: /Open “ada”/ })).toHaveProperty('disabled', true);
  });

  it('stays open with the cause when no session can start there', async () => {
    await openDialog({
      'sessions.create': () => {
        throw new RpcError('refused', 'You may not write here. Choose another folder.');
      },
    });
    await userEvent.click(screen.getByRole('button', { name: /Open “ada”/ }));
    expect((await screen.findByRole('alert')).textContent).toBe('You may not write here. Choose another folder.');
    expect(useUi.getState().dialog).toBe('folder');
  });

  it('offers the folders of earlier sessions', async () => {
    await openDialog();
    act(() => useApp.setState({ sessions: [summary({ sessionId: 'a', folder: '/home/ada/code' })] }));
    const recent = screen.getByTitle('/home/ada/code');
    await userEvent.click(recent);
    await waitFor(() => expect(names()).toEqual(['harborrepository']));
  });
});

describe('opening a folder', () => {
  it('shows our own dialog where the host has none', async () => {
    await start();
    await openFolder();
    expect(useUi.getState().dialog).toBe('folder');
  });

  it.each([
    ['chosen', '/srv/app', [{ method: 'sessions.create', params: { folder: '/srv/app' } }]],
    ['cancelled', null, []],
  ])('takes what the system dialog gave: %s', async (_name, path, expected) => {
    await start({
      hello: () => ({ ...hello, capabilities: ['pickFolder'] }),
      'host.pickFolder': () => ({ path }),
    });
    await openFolder();
    expect(core.calls.filter(({ method }) => method === 'sessions.create')).toEqual(expected);
    expect(useUi.getState().dialog).toBeNull();
  });

  it('says why no session began in the chosen folder', async () => {
    await start({
      hello: () => ({ ...hello, capabilities: ['pickFolder'] }),
      'host.pickFolder': () => ({ path: '/root' }),
      'sessions.create': () => {
        throw new RpcError('refused', 'It cannot be read.');
      },
    });
    await openFolder();
    expect(useToasts.getState().toasts).toMatchObject([
      { title: 'No session was started in /root.', text: 'It cannot be read.' },
    ]);
  });
});
