// @vitest-environment jsdom
import { act, cleanup, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { McpServerView } from '#shared/api/mcp';
import type { Brought, RulesView } from '#shared/api/permissions';
import { useApp } from '../../stores/app';
import { useCommands } from '../../stores/commands';
import { useRules } from '../../stores/rules';
import { useSession } from '../../stores/session';
import { createFakeCore, type FakeCore, hello, noRules } from '../../testing/fakeCore';
import { fillBrowserGaps } from '../../testing/mountPage';
import { resetStores } from '../../testing/resetStores';
import { TooltipProvider } from '../../ui/Tooltip';
import { RulesBanners } from './RulesBanners';
import { StatusTrust } from './StatusTrust';
import { waitingWords } from './trustWords';

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
  waitingMore: [],
  changed: false,
  freshTexts: [],
};

const brought = (kind: Brought['kind'], text: string): Brought => ({
  kind,
  text,
  source: 'projectSettings',
  line: 7,
  fresh: false,
});

const server: McpServerView = {
  id: 'project/evil',
  name: 'evil',
  scope: 'project',
  file: '/home/ada/code/.mcp.json',
  editable: true,
  config: { type: 'stdio', command: 'npx', args: ['evil'], env: {} },
  configHash: 'x',
  target: 'npx evil',
  state: 'needsApproval',
  reason: 'It came with the folder, which you do not trust yet.',
  needs: 'trust',
  version: '',
  instructions: '',
  tools: [],
  problems: [],
  resources: false,
  prompts: false,
  connectedAt: null,
  signedIn: false,
};

describe('a folder that is not trusted', () => {
  it('says what waits, lists it, and trusts only when told to', async () => {
    show({ trust: waiting });
    expect(screen.getByText(/1 rule and 1 folder wait until you trust it/)).toBeDefined();
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
    expect(screen.queryByText(/wait until you trust it/)).toBeNull();
    expect(core.calls).not.toContainEqual(expect.objectContaining({ method: 'permissions.trust' }));
    expect(screen.getByRole('button', { name: 'folder not trusted' })).toBeDefined();
  });

  it('asks anew when something else waits', async () => {
    show({ trust: waiting });
    await userEvent.click(screen.getByRole('button', { name: 'Dismiss' }));
    const more = { ...waiting, waitingDirectories: ['/srv', '/etc'] };
    act(() => useRules.setState({ view: { ...noRules, trust: more } }));
    expect(screen.getByText(/1 rule and 2 folders wait until you trust it/)).toBeDefined();
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
    [1, 0, 0, '1 rule'],
    [0, 2, 0, '2 folders'],
    [3, 1, 0, '3 rules and 1 folder'],
    [0, 0, 1, '1 hook'],
    [1, 1, 2, '1 rule, 1 folder and 2 hooks'],
    [0, 0, 0, ''],
  ])('%i rules, %i folders and %i hooks are %j', (rules, folders, hooks, words) => {
    const [rule] = waiting.waitingRules;
    const waitingRules = rule === undefined ? [] : Array.from({ length: rules }, () => rule);
    const waitingDirectories = Array.from({ length: folders }, () => '/a');
    const waitingMore = Array.from({ length: hooks }, () => brought('hook', 'Stop: ./run'));
    expect(waitingWords({ waitingRules, waitingDirectories, waitingMore })).toBe(words);
  });

  it('lists every kind of thing with its place, and what is never used apart', async () => {
    const view = { folder: waiting.folder, servers: [server], problems: [] };
    core.answers = { ...core.answers, 'mcp.list': () => ({ view }) };
    useSession.setState({ sessionId: 's1' });
    useCommands.setState({ sessionId: 's1', waiting: ['/home/ada/code/CLAUDE.md'] });
    show({
      trust: {
        ...waiting,
        waitingMore: [
          brought('hook', 'PreToolUse: ./check --all'),
          brought('sandbox', 'sandbox.enabled: false'),
          brought('mode', 'permissions.defaultMode: acceptEdits'),
          brought('unused', 'apiKeyHelper: ./key'),
        ],
      },
    });
    await screen.findByText(
      /1 rule, 1 folder, 1 hook, 1 MCP server, 1 opening of the sandbox, 1 other setting and 1 file of instructions wait/,
    );
    await userEvent.click(screen.getByRole('button', { name: 'Show what waits…' }));
    const [whole, ...parts] = screen.getAllByRole('region');
    expect(whole?.getAttribute('aria-label')).toBe('What the folder would do');
    const regions = parts.map((region) => region.textContent);
    expect(regions).toEqual([
      'Would run without askingBash(make:*) project, line 4',
      'Would run by themselves, outside the sandbox./check --all hook for PreToolUse, line 7',
      'Could be started, each after a word of yoursnpx evil evil',
      'Would open the sandboxsandbox.enabled: false project, line 7',
      'Would change how sessions work herepermissions.defaultMode: acceptEdits project, line 7',
      'Would become working folders/srv',
      'Would be read as instructions; commands, skills and agents bring rules and hooks of their ownCLAUDE.md',
      'Never has an effect here, trusted or notapiKeyHelper: ./key project, line 7',
    ]);
  });

  it('says that a trusted folder has changed, and marks what is new', async () => {
    const more = [brought('hook', 'Stop: ./old'), { ...brought('hook', 'Stop: ./new'), fresh: true }];
    show({ trust: { ...waiting, changed: true, freshTexts: ['/srv'], waitingMore: more } });
    expect(screen.getByText(/^2 things are new, so nothing of it counts until you have looked/)).toBeDefined();
    expect(screen.getByRole('button', { name: 'trusted folder changed' })).toBeDefined();
    await userEvent.click(screen.getByRole('button', { name: 'Show what waits…' }));
    const dialog = screen.getByRole('dialog', { name: 'Do you still trust this folder?' });
    const items = within(dialog)
      .getAllByRole('listitem')
      .map((item) => item.textContent);
    expect(items).toEqual([
      'Bash(make:*) project, line 4',
      'new ./new hook for Stop, line 7',
      './old hook for Stop, line 7',
      'new /srv',
    ]);
    await userEvent.click(within(dialog).getByRole('button', { name: 'Trust it as it is now' }));
    expect(core.calls).toContainEqual({ method: 'permissions.trust', params: { sessionId: 's1', trusted: true } });
  });

  it('counts what nobody would read to the end', async () => {
    const [rule] = waiting.waitingRules;
    const waitingRules = Array.from({ length: 530 }, (_, at) => ({
      ...rule,
      text: `Bash(${at})`,
      behavior: 'allow' as const,
      source: 'projectSettings' as const,
    }));
    show({ trust: { ...waiting, waitingRules } });
    await userEvent.click(screen.getByRole('button', { name: 'Show what waits…' }));
    const items = within(screen.getByRole('region', { name: 'Rules that wait' })).getAllByRole('listitem');
    expect([items.length, items.at(-1)?.textContent]).toEqual([501, 'and 30 more']);
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
