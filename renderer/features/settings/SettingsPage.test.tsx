// @vitest-environment jsdom

import { act, cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { RpcError } from '#shared/rpc/errors';
import { rehearsalPhrases } from '#shared/session/rehearsal';
import { followHost, useApp } from '../../stores/app';
import {
  createFakeCore,
  type FakeCore,
  type FakeHandlers,
  noKey,
  preferences,
  rehearsal,
} from '../../testing/fakeCore';
import { fillBrowserGaps, mountPage } from '../../testing/mountPage';
import { resetStores } from '../../testing/resetStores';
import { SettingsPage } from './SettingsPage';

let core: FakeCore;

async function start(answers: Partial<FakeHandlers> = {}): Promise<void> {
  core = createFakeCore(answers);
  followHost();
  mountPage(<SettingsPage />);
  act(() => core.link.start());
  await waitFor(() => expect(useApp.getState()).toMatchObject({ preferences: {}, models: [{}] }));
}

const called = (method: string) => core.calls.filter((call) => call.method === method).map((call) => call.params);

beforeEach(() => {
  localStorage.clear();
  fillBrowserGaps({ wide: true });
  resetStores();
});

afterEach(() => {
  cleanup();
  core.link.dispose();
});

describe('API key', () => {
  it('is saved, and the field forgets it', async () => {
    await start({ 'settings.setApiKey': () => ({ key: { ...noKey, source: 'stored', hint: '4321' } }) });
    const field = screen.getByLabelText('API key');
    expect(field.getAttribute('type')).toBe('password');
    await userEvent.type(field, 'sk-ant-7654321{Enter}');
    await screen.findByText('…4321');
    expect(called('settings.setApiKey')).toEqual([{ key: 'sk-ant-7654321', remember: true }]);
    expect(screen.getByLabelText('Another API key')).toHaveProperty('value', '');
    expect(screen.queryByRole('region', { name: 'Rehearsal model' })).toBeNull();
  });

  it('is not sent while it cannot be one', async () => {
    await start();
    await userEvent.type(screen.getByLabelText('API key'), 'short{Enter}');
    expect(screen.getByRole('alert').textContent).toBe('A key has at least 8 characters. Copy the whole key.');
    expect(called('settings.setApiKey')).toEqual([]);
  });

  it('is kept in memory alone where the host cannot keep it, and says so', async () => {
    await start({
      'settings.get': () => ({
        preferences,
        key: { ...noKey, canStore: false, protection: 'There is no keychain here.' },
      }),
    });
    expect(screen.getByRole('switch', { name: 'Remember the key' })).toHaveProperty('disabled', true);
    expect(screen.getByText(/There is no keychain here\. It is kept in memory/)).toBeDefined();
    await userEvent.type(screen.getByLabelText('API key'), 'sk-ant-7654321{Enter}');
    await waitFor(() => expect(called('settings.setApiKey')).toEqual([{ key: 'sk-ant-7654321', remember: false }]));
  });

  it('stays in the field with the cause when it was not taken', async () => {
    await start({
      'settings.setApiKey': () => {
        throw new RpcError('unavailable', 'The keychain is locked. Unlock it and save again.');
      },
    });
    await userEvent.type(screen.getByLabelText('API key'), 'sk-ant-7654321{Enter}');
    expect((await screen.findByRole('alert')).textContent).toBe('The keychain is locked. Unlock it and save again.');
    expect(screen.getByLabelText('API key')).toHaveProperty('value', 'sk-ant-7654321');
  });

  it('is removed', async () => {
    await start({ 'settings.get': () => ({ preferences, key: { ...noKey, source: 'stored', hint: '4321' } }) });
    await userEvent.click(screen.getByRole('button', { name: 'Remove' }));
    await screen.findByText('No key. The rehearsal model answers.');
    expect(called('settings.setApiKey')).toMatchObject([{ key: null }]);
  });

  it('from the environment cannot be removed here', async () => {
    await start({ 'settings.get': () => ({ preferences, key: { ...noKey, source: 'environment', hint: '4321' } }) });
    expect(screen.queryByRole('button', { name: 'Remove' })).toBeNull();
    expect(screen.getByText(/unset the variable/)).toBeDefined();
  });
});

describe('base URL', () => {
  it('is saved when it is an address', async () => {
    await start();
    const field = screen.getByLabelText('Base URL');
    await userEvent.type(field, 'box{Enter}');
    expect(screen.getByRole('alert').textContent).toContain('not an address');
    await userEvent.clear(field);
    await userEvent.type(field, 'http://127.0.0.1:8080{Enter}');
    await waitFor(() => expect(called('settings.setPreferences')).toEqual([{ baseUrl: 'http://127.0.0.1:8080' }]));
  });
});

describe('test of the connection', () => {
  it.each([
    [true, 'Two models answer.', 'It works. Two models answer.'],
    [false, 'The key is not known. Paste another.', 'It does not work. The key is not known. Paste another.'],
  ])('that ends %s', async (ok, message, shown) => {
    await start({ 'settings.testConnection': () => ({ ok, message }) });
    await userEvent.click(screen.getByRole('button', { name: 'Test connection' }));
    await waitFor(() => expect(screen.getAllByRole('status').map((part) => part.textContent)).toContain(shown));
  });
});

describe('the rest', () => {
  it('explains the rehearsal model while there is no key', async () => {
    await start();
    const part = screen.getByRole('region', { name: 'Rehearsal model' });
    expect(
      within(part)
        .getAllByRole('term')
        .map((term) => term.textContent),
    ).toEqual(rehearsalPhrases.map(({ phrase }) => phrase));
  });

  it('changes theme, delay and sending key one by one', async () => {
    await start();
    await userEvent.click(screen.getByRole('radio', { name: 'Dark' }));
    await userEvent.click(screen.getByRole('radio', { name: /and Enter sends/ }));
    const delay = screen.getByLabelText('Delay in milliseconds');
    await userEvent.clear(delay);
    await userEvent.type(delay, '100{Enter}');
    expect(screen.getByRole('alert').textContent).toBe('Write whole milliseconds from 300 to 2,000.');
    await userEvent.clear(delay);
    await userEvent.type(delay, '900{Enter}');
    await waitFor(() =>
      expect(called('settings.setPreferences')).toEqual([
        { theme: 'dark' },
        { sendWith: 'modEnter' },
        { armDelayMs: 900 },
      ]),
    );
  });

  it('says why the models of the server are missing', async () => {
    await start({ 'models.list': () => ({ models: [rehearsal], problem: 'The server did not answer.', windows: {} }) });
    expect(await screen.findByText('The server did not answer.')).toBeDefined();
  });
});

describe('language servers', () => {
  const go = { command: '/opt/go tools/gopls', args: ['-remote=auto'] };
  const named = () => ({ preferences: { ...preferences, lspServers: { go } }, key: noKey });

  it('are listed as they are started, and added with their arguments', async () => {
    await start({ 'settings.get': named });
    const region = screen.getByRole('region', { name: 'Language servers' });
    expect(within(region).getByText("'/opt/go tools/gopls' -remote=auto")).toBeDefined();
    await userEvent.type(within(region).getByLabelText('Language'), 'python');
    await userEvent.type(within(region).getByLabelText('Program and arguments'), 'pylsp --log "a b"{Enter}');
    await waitFor(() =>
      expect(called('settings.setPreferences')).toEqual([
        { lspServers: { go, python: { command: 'pylsp', args: ['--log', 'a b'] } } },
      ]),
    );
    await waitFor(() => expect(within(region).getByLabelText('Language')).toHaveProperty('value', ''));
  });

  it('are removed', async () => {
    await start({ 'settings.get': named });
    await userEvent.click(screen.getByRole('button', { name: 'Remove the server for go' }));
    expect(called('settings.setPreferences')).toEqual([{ lspServers: {} }]);
  });

  it.each([
    ['1x', 'pylsp', 'Write a language id, such as typescript or python.'],
    ['python', 'pylsp "open', 'A quote is open.'],
  ])('say what is wrong with %s: %s', async (language, line, problem) => {
    await start();
    await userEvent.type(screen.getByLabelText('Language'), language);
    await userEvent.type(screen.getByLabelText('Program and arguments'), `${line}{Enter}`);
    expect(screen.getByRole('alert').textContent).toBe(problem);
    expect(called('settings.setPreferences')).toEqual([]);
  });
});
