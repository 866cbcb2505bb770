// @vitest-environment jsdom
import { act, cleanup, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { RulesView } from '#shared/api/permissions';
import { useApp } from '../../stores/app';
import { useRules } from '../../stores/rules';
import { createFakeCore, type FakeCore, hello, noRules } from '../../testing/fakeCore';
import { fillBrowserGaps } from '../../testing/mountPage';
import { resetStores } from '../../testing/resetStores';
import { TooltipProvider } from '../../ui/Tooltip';
import { RulesBanners, waitingWords } from './RulesBanners';
import { StatusTrust } from './StatusTrust';

let core: FakeCore;

beforeEach(() => {
  localStorage.clear();
  fillBrowserGaps({ wide: true });
  resetStores();
  core = createFakeCore();
  act(() => core.link.start());
});
afterEach(() => {
  cleanup();
  core.link.dispose();
});

function show(view: Partial<RulesView>): void {
  useRules.setState({ sessionId: 's1', view: { ...noRules, ...view }, problem: '' });
  render(
    <TooltipProvider>
      <RulesBanners />
      <StatusTrust />
    </TooltipProvider>,
  );
}

const waiting: RulesView['trust'] = {
  folder: '/home/ada/code',
  trusted: false,
  waitingRules: [
    {
      text: 'Bash(make:*)',
      behavior: 'allow',
      source: 'projectSettings',
      file: '/home/ada/code/.claude/settings.json',
      line: 4,
    },
  ],
  waitingDirectories: ['/srv'],
};

describe('a folder that is not trusted', () => {
  it('says what waits, lists it, and trusts only when told to', async () => {
    show({ trust: waiting });
    expect(screen.getByText(/1 rule and 1 folder that would allow something wait/)).toBeDefined();
    await userEvent.click(screen.getByRole('button', { name: 'Show what waits…' }));
    const dialog = screen.getByRole('dialog', { name: 'Do you trust this folder?' });
    expect(within(dialog).getByRole('region', { name: 'Rules that wait' }).textContent).toContain(
      'Bash(make:*) project, line 4',
    );
    expect(within(dialog).getByRole('region', { name: 'Folders that wait' }).textContent).toContain('/srv');
    expect(core.calls).not.toContainEqual(expect.objectContaining({ method: 'permissions.trust' }));
    await userEvent.click(within(dialog).getByRole('button', { name: 'Trust this folder' }));
    expect(core.calls).toContainEqual({ method: 'permissions.trust', params: { sessionId: 's1', trusted: true } });
  });

  it('"Not now" puts the banner aside, and the status bar still says it', async () => {
    show({ trust: waiting });
    await userEvent.click(screen.getByRole('button', { name: 'Show what waits…' }));
    await userEvent.click(screen.getByRole('button', { name: 'Not now' }));
    expect(screen.queryByText(/that would allow something wait/)).toBeNull();
    expect(core.calls).not.toContainEqual(expect.objectContaining({ method: 'permissions.trust' }));
    expect(screen.getByRole('button', { name: 'folder not trusted' })).toBeDefined();
  });

  it('asks anew when something else waits', async () => {
    show({ trust: waiting });
    await userEvent.click(screen.getByRole('button', { name: 'Dismiss' }));
    const more = { ...waiting, waitingDirectories: ['/srv', '/etc'] };
    act(() => useRules.setState({ view: { ...noRules, trust: more } }));
    expect(screen.getByText(/1 rule and 2 folders that would allow something wait/)).toBeDefined();
  });

  it('is not mentioned when nothing waits', () => {
    show({});
    expect(screen.queryByText(/trust/i)).toBeNull();
  });

  it('once trusted, trust can be taken back', async () => {
    show({ trust: { ...waiting, trusted: true, waitingRules: [], waitingDirectories: [] } });
    await userEvent.click(screen.getByRole('button', { name: 'trusted folder' }));
    await userEvent.click(screen.getByRole('button', { name: 'Stop trusting it' }));
    expect(core.calls).toContainEqual({ method: 'permissions.trust', params: { sessionId: 's1', trusted: false } });
  });

  it.each([
    [1, 0, '1 rule'],
    [0, 2, '2 folders'],
    [3, 1, '3 rules and 1 folder'],
    [0, 0, ''],
  ])('%i rules and %i folders are %j', (rules, folders, words) => {
    const [rule] = waiting.waitingRules;
    const waitingRules = rule === undefined ? [] : Array.from({ length: rules }, () => rule);
    expect(waitingWords({ waitingRules, waitingDirectories: Array.from({ length: folders }, () => '/a') })).toBe(words);
  });
});

describe('files in trouble', () => {
  const at = { source: 'userSettings' as const, path: '/home/ada/.claude/settings.json', line: 3, column: 15 };
  beforeEach(() => useApp.setState({ hello }));

  it.each([
    ['broken', 'A settings file cannot be understood:'],
    ['unreadable', 'A settings file cannot be read:'],
    ['ignored', 'A policy file is ignored:'],
    ['read', 'An entry of a settings file is skipped:'],
  ] as const)('%s, with line and column', (state, title) => {
    show({ files: [{ ...at, state, problem: 'A rule must be a text; this entry was skipped.' }] });
    const banner = screen.getByText(title).parentElement;
    expect(banner?.textContent).toContain('settings.json:3:15. A rule must be a text; this entry was skipped.');
  });

  it('a skipped entry can be put aside, a broken file cannot', async () => {
    const problem = 'It is odd.';
    show({
      files: [
        { ...at, state: 'read', problem },
        { ...at, path: '/b', state: 'broken', problem },
      ],
    });
    const [dismiss, ...more] = screen.getAllByRole('button', { name: 'Dismiss' });
    expect(more).toEqual([]);
    if (dismiss !== undefined) await userEvent.click(dismiss);
    expect(screen.queryByText('An entry of a settings file is skipped:')).toBeNull();
    expect(screen.getByText('A settings file cannot be understood:')).toBeDefined();
  });

  it('is silent about files that are well', () => {
    show({
      files: [
        { ...at, state: 'read', problem: '' },
        { ...at, path: '/b', state: 'absent', problem: '' },
      ],
    });
    expect(screen.queryByRole('status')).toBeNull();
  });
});

describe('for a while', () => {
  it('shows a pattern that is denied without asking, and lifts it', async () => {
    show({ denials: [{ pattern: 'Bash(git push)', count: 3, until: Date.now() + 240_500 }] });
    const strip = screen.getByText('Denied without asking:').closest('[role="status"]');
    expect(strip?.textContent).toMatch(/Bash\(git push\).*3 times within five minutes.*4:0\d min left/);
    await userEvent.click(screen.getByRole('button', { name: 'Ask me again' }));
    expect(core.calls).toContainEqual({
      method: 'permissions.liftDenial',
      params: { sessionId: 's1', pattern: 'Bash(git push)' },
    });
  });

  it('shows a rule that ends by itself, and ends it', async () => {
    show({ expiring: [{ text: 'Bash(make:*)', until: null }] });
    expect(screen.getByText('Allowed for a while:').closest('[role="status"]')?.textContent).toContain(
      'Bash(make:*). Until this task ends.',
    );
    await userEvent.click(screen.getByRole('button', { name: 'End now' }));
    expect(core.calls).toContainEqual({
      method: 'permissions.removeRule',
      params: { sessionId: 's1', rule: { text: 'Bash(make:*)', behavior: 'allow', source: 'session' } },
    });
  });

  it('shows nothing that is over', () => {
    const until = Date.now() - 1;
    show({ denials: [{ pattern: 'Edit', count: 3, until }], expiring: [{ text: 'Edit', until }] });
    expect(screen.queryByRole('status')).toBeNull();
  });
});
