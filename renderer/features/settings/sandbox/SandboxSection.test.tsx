// @vitest-environment jsdom
import { cleanup, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { SandboxView } from '#shared/api/sandbox';
import { useApp } from '../../../stores/app';
import { useRules } from '../../../stores/rules';
import { useRulesPage } from '../../../stores/rulesPage';
import { useSandbox } from '../../../stores/sandbox';
import { useUi } from '../../../stores/ui';
import { hello, noRules, sandboxView, summary } from '../../../testing/fakeCore';
import { fillBrowserGaps, mountPage } from '../../../testing/mountPage';
import { resetStores } from '../../../testing/resetStores';
import { SandboxSection } from './SandboxSection';

const policy = { kind: 'setting', source: 'policySettings', path: '/etc/claude-code/managed.json', line: 3 } as const;
const user = { kind: 'setting', source: 'userSettings', path: '/home/ada/.claude/settings.json', line: 12 } as const;
const builtIn = { kind: 'builtIn' } as const;

function show(view: SandboxView | null): void {
  useApp.setState({
    hello,
    sandbox: view?.state ?? hello.sandbox,
    activeSessionId: 's1',
    sessions: [summary({ sessionId: 's1', folder: '/home/ada/app' })],
  });
  useSandbox.setState({ sessionId: 's1', view });
  mountPage(<SandboxSection />);
}

const rowsOf = (name: string) =>
  within(screen.getByRole('list', { name }))
    .getAllByRole('listitem')
    .map((row) => row.textContent);

beforeEach(() => {
  localStorage.clear();
  fillBrowserGaps({ wide: true });
  resetStores();
});
afterEach(cleanup);

describe('the sandbox in the settings', () => {
  it('tells each switch with what it means now and where that comes from', () => {
    show({
      ...sandboxView,
      enabled: { on: true, from: policy },
      autoAllow: { on: true, from: user },
      allowOutside: { on: false, from: user },
    });
    expect(rowsOf('Switches')).toEqual([
      'SandboxCommands run in it where there is one.sandbox.enabledpolicy settings /etc/claude-code/managed.json:3on',
      'Refuse commands where there is noneWithout a sandbox commands run unconfined once they are allowed; a banner says so.sandbox.failIfUnavailabledefaultoff',
      'Run without asking in the sandboxA command that no rule speaks of runs at once. Deny rules, ask rules and dangerous commands are asked about as ever.sandbox.autoAllowBashIfSandboxeduser settings ~/.claude/settings.json:12on',
      'Ways out of itThe model cannot ask to run a command outside.sandbox.allowUnsandboxedCommandsuser settings ~/.claude/settings.json:12off',
      'Sockets of other programsSockets in the file system cannot be opened.sandbox.network.allowAllUnixSocketsdefaultoff',
    ]);
  });

  it('lists places, what people set before what is built in, each once', () => {
    show({
      ...sandboxView,
      hidden: [
        { text: '/home/ada/.ssh', from: builtIn },
        { text: '/srv/secrets', from: user },
        { text: '/srv/secrets', from: user },
        { text: '/srv/keys', from: { kind: 'rule', rule: 'Read(//srv/keys)', source: 'userSettings' } },
      ],
    });
    expect(rowsOf('Hidden')).toEqual([
      '/srv/secretsuser settings ~/.claude/settings.json:12',
      '/srv/keysuser rule Read(//srv/keys)',
      '~/.sshbuilt in',
    ]);
  });

  it('names what has no effect, with the reason and the line', async () => {
    show({ ...sandboxView, ignored: [{ setting: 'sandbox.filesystem.allowWrite', why: 'it is no list', from: user }] });
    expect(rowsOf('Settings that have no effect here')).toEqual([
      'sandbox.filesystem.allowWriteuser settings ~/.claude/settings.json:12It is no list.',
    ]);
    await userEvent.click(screen.getByRole('button', { name: '~/.claude/settings.json:12' }));
    expect(useRulesPage.getState()).toMatchObject({ view: 'text', file: user.path, line: 12 });
  });

  it('says what to do where there is no sandbox', () => {
    show({
      ...sandboxView,
      state: { active: false, kind: 'none', network: true, reason: 'bubblewrap is not installed. Install it' },
    });
    expect(screen.getByRole('region', { name: 'Sandbox' }).textContent).toContain(
      'There is no sandboxCommands run unconfined once you or a rule allow them, with all your rights.Why, and what to do. Bubblewrap is not installed. Install it.',
    );
  });

  it('tells of the machine alone while no session is open', () => {
    useApp.setState({ hello, sandbox: hello.sandbox });
    mountPage(<SandboxSection />);
    expect(screen.getByRole('region', { name: 'Sandbox' }).textContent).toContain(
      'Open a session to see what counts in its folder.Commands run in a sandbox: bubblewrap',
    );
    expect(screen.queryByRole('list')).toBeNull();
  });

  it('says why it could not be found out', () => {
    show(null);
    cleanup();
    useSandbox.setState({ problem: 'the settings are being read' });
    mountPage(<SandboxSection />);
    expect(screen.getByRole('alert').textContent).toContain('The settings are being read.');
    expect(screen.getByRole('button', { name: 'Try again' })).toBeDefined();
  });

  it('is where somebody was led to, and can open the settings file', async () => {
    useUi.getState().openSettings('sandbox');
    useRules.setState({
      sessionId: 's1',
      view: { ...noRules, files: [{ source: 'userSettings', path: user.path, state: 'read', problem: '' }] },
    });
    show(sandboxView);
    expect(document.activeElement?.textContent).toBe('Sandbox');
    expect(useUi.getState().settingsSection).toBeNull();
    await userEvent.click(screen.getByRole('button', { name: 'Open my settings file' }));
    expect(useRulesPage.getState()).toMatchObject({ view: 'text', file: user.path, line: null });
  });
});
