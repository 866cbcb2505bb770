// @vitest-environment jsdom
import { cleanup, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { SandboxView } from '#shared/api/sandbox';
import { emptyState } from '#shared/session/state';
import { useApp } from '../../stores/app';
import { useRulesPage } from '../../stores/rulesPage';
import { useSandbox } from '../../stores/sandbox';
import { useSession } from '../../stores/session';
import { useUi } from '../../stores/ui';
import { sandboxView } from '../../testing/fakeCore';
import { fillBrowserGaps, mountPage } from '../../testing/mountPage';
import { resetStores } from '../../testing/resetStores';
import { SandboxBanner } from './SandboxBanner';
import { StatusSandbox } from './StatusSandbox';

const file = {
  kind: 'setting',
  source: 'localSettings',
  path: '/srv/app/.claude/settings.local.json',
  line: 7,
} as const;
const none = { active: false, kind: 'none', network: true, reason: 'bubblewrap is not installed' };
const views = {
  confined: sandboxView,
  open: { ...sandboxView, network: { ...sandboxView.network, reach: 'open' } },
  asks: { ...sandboxView, network: { ...sandboxView.network, reach: 'asks' } },
  missing: { ...sandboxView, state: none },
  refused: { ...sandboxView, state: none, failIfUnavailable: { on: true, from: file } },
  off: { ...sandboxView, state: { ...none, reason: 'switched off' }, enabled: { on: false, from: file } },
} as const satisfies Record<string, SandboxView>;

function show(view: SandboxView): void {
  useApp.setState({ sandbox: view.state, activeSessionId: 's1' });
  useSession.setState({ sessionId: 's1', status: 'ready', state: emptyState() });
  useSandbox.setState({ sessionId: 's1', view });
  mountPage(
    <>
      <SandboxBanner />
      <StatusSandbox />
    </>,
  );
}

const open = async (): Promise<HTMLElement> => {
  await userEvent.click(screen.getAllByRole('button').at(-1) ?? document.body);
  return screen.findByRole('dialog', { name: 'Sandbox' });
};

beforeEach(() => {
  localStorage.clear();
  fillBrowserGaps({ wide: true });
  resetStores();
});
afterEach(cleanup);

describe('in the status bar and over the session', () => {
  it.each([
    ['confined', /^sandbox: bubblewrap, network off/, ''],
    ['open', /^sandbox: bubblewrap, network on/, ''],
    ['asks', /^sandbox: bubblewrap, network asks/, ''],
    [
      'missing',
      /^no sandbox$/,
      'There is no sandbox. Bubblewrap is not installed. Commands run unconfined once you or a rule allow them, with all your rights.',
    ],
    [
      'refused',
      /^no commands$/,
      'No command can run. Bubblewrap is not installed. There is no sandbox, and the settings say that commands run in one or not at all.',
    ],
    [
      'off',
      /^sandbox off$/,
      'The sandbox is switched off. By local settings /srv/app/.claude/settings.local.json:7. Commands run unconfined once you or a rule allow them, with all your rights.',
    ],
  ] as const)('%s', (state, name, banner) => {
    show(views[state]);
    expect(screen.getAllByRole('button').at(-1)?.textContent).toMatch(name);
    const shown = screen.queryByRole('status') ?? screen.queryByRole('alert');
    expect(shown?.textContent?.replace('Details', '').trim() ?? '').toBe(banner);
  });

  it('what stops all commands cannot be put aside; the lack of a sandbox can', async () => {
    show(views.refused);
    expect(screen.queryByRole('button', { name: 'Dismiss' })).toBeNull();
    cleanup();
    show(views.missing);
    await userEvent.click(screen.getByRole('button', { name: 'Dismiss' }));
    expect(screen.queryByRole('status')).toBeNull();
    cleanup();
    show(views.refused);
    expect(screen.getByRole('alert').textContent).toContain('No command can run.');
  });

  it('leads to the line that switches it off, and to all of it in the settings', async () => {
    show(views.off);
    await userEvent.click(screen.getByRole('button', { name: '/srv/app/.claude/settings.local.json:7' }));
    expect(useApp.getState().page).toBe('rules');
    expect(useRulesPage.getState()).toMatchObject({ view: 'text', file: file.path, line: 7 });
    useApp.getState().go('chat');
    await userEvent.click(await screen.findByRole('button', { name: 'Details' }));
    expect([useApp.getState().page, useUi.getState().settingsSection]).toEqual(['settings', 'sandbox']);
  });
});

describe('the details', () => {
  it('name a few places and count the rest', async () => {
    const from = { kind: 'builtIn' } as const;
    useApp.setState({ hello: null });
    show({
      ...sandboxView,
      writable: ['/srv/app', '/tmp', '/srv/a', '/srv/b', '/srv/c'].map((text) => ({ text, from })),
      excluded: [{ text: 'docker:*', from: file }],
      allowOutside: { on: false, from: file },
      limits: { memoryBytes: 2 ** 31, processes: 200 },
      network: {
        ...sandboxView.network,
        reach: 'asks',
        problem: 'socat is not installed',
        allowed: [{ text: '*.example.com', from }],
      },
      ignored: [{ setting: 'sandbox.enabled', why: 'not a boolean', from: file }],
    });
    const details = await open();
    const facts = [...details.querySelectorAll('dt')].map((term) => [
      term.textContent,
      term.nextElementSibling?.textContent,
    ]);
    expect(facts).toEqual([
      ['May write', '/srv/app, /tmp, /srv/a and 2 more'],
      ['Read-only', '1 place within these'],
      ['Hidden', '/home/ada/.ssh'],
      ['Hosts', '1 allowed, 0 denied, asks about others'],
      ['Runs outside', 'docker:*'],
      ['Way out', 'None: no command may ask for it'],
      ['Limits', '2 GB of memory · 200 processes'],
    ]);
    expect(details.textContent).toContain('Socat is not installed.');
    expect(details.textContent).toContain('1 setting has no effect here.');
  });

  it('say nothing of places where nothing is confined', async () => {
    show(views.missing);
    const details = await open();
    expect(details.querySelector('dl')).toBeNull();
    expect(screen.queryByRole('switch')).toBeNull();
    expect(details.textContent).toContain('Bubblewrap is not installed.');
  });
});
