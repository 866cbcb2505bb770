// @vitest-environment jsdom
import { act, cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { McpServerView } from '#shared/api/mcp';
import type { ToolView } from '#shared/api/tools';
import { RpcError } from '#shared/rpc/errors';
import { emptyState } from '#shared/session/state';
import { followHost, useApp } from '../../stores/app';
import { useSession } from '../../stores/session';
import { useToasts } from '../../stores/toasts';
import { useToolsPage } from '../../stores/toolsPage';
import { createFakeCore, type FakeCore, type FakeHandlers, noFigures } from '../../testing/fakeCore';
import { fillBrowserGaps, mountPage } from '../../testing/mountPage';
import { resetStores } from '../../testing/resetStores';
import { ToolsPage } from './ToolsPage';
import { serverView, toolView } from './testing/samples';

let core: FakeCore;

const called = (method: string) => core.calls.filter((call) => call.method === method).map((call) => call.params);

async function start(about: {
  readonly tools?: readonly ToolView[];
  readonly servers?: readonly McpServerView[];
  readonly answers?: Partial<FakeHandlers>;
  readonly wide?: boolean;
}): Promise<void> {
  fillBrowserGaps({ wide: about.wide ?? true });
  core = createFakeCore({
    'tools.list': () => ({
      tools: [...(about.tools ?? [])],
      figures: { ...noFigures, totals: { withDeferral: 4_000, withoutDeferral: 10_000, source: 'estimated' } },
    }),
    'mcp.list': () => ({ view: { folder: '/srv/app', servers: [...(about.servers ?? [])], problems: [] } }),
    ...about.answers,
  });
  followHost();
  act(() => core.link.start());
  await waitFor(() => expect(useApp.getState().connection).toEqual({ status: 'open' }));
  useSession.setState({ sessionId: 's1', status: 'ready', state: { ...emptyState(), folder: '/srv/app' } });
  mountPage(<ToolsPage />);
}

beforeEach(() => {
  localStorage.clear();
  resetStores();
});

afterEach(() => {
  cleanup();
  core.link.dispose();
});

const files = toolView({
  name: 'mcp__files__read',
  state: 'deferred',
  origin: { kind: 'mcp', server: 'files', tool: 'read' },
  schema: {
    type: 'object',
    required: ['path'],
    properties: { path: { type: 'string', description: 'Which\u202E file' }, head: { type: 'number' } },
  },
});

describe('tools', () => {
  it('are listed with state and figures; arrow keys move, Enter shows details', async () => {
    await start({ tools: [toolView({ name: 'Bash' }), files] });
    const grid = await screen.findByRole('grid', { name: 'Tools' });
    expect(screen.getByText('60 %')).toBeDefined();
    expect(screen.getByText('estimated')).toBeDefined();
    const [bash] = within(grid).getAllByRole('row').slice(1);
    act(() => bash?.focus());
    await userEvent.keyboard('{ArrowDown}{Enter}');
    const detail = screen.getByRole('region', { name: 'Details of the tool' });
    expect(within(detail).getByRole('heading', { level: 2 }).textContent).toBe('mcp__files__read');
    expect(detail.textContent).toContain('U+202E');
    expect(within(grid).getByRole('row', { selected: true }).textContent).toContain('mcp__files__read');
  });

  it('say when none fits, and come back', async () => {
    await start({ tools: [files] });
    await userEvent.type(await screen.findByRole('searchbox', { name: 'Search tools' }), 'zebra');
    await userEvent.click(screen.getByRole('button', { name: 'Show all tools' }));
    expect(screen.getByRole('grid', { name: 'Tools' })).toBeDefined();
  });

  it('are run with what the form says, by the pipeline alone', async () => {
    await start({ tools: [files] });
    act(() => useToolsPage.getState().show({ tool: files.name }));
    await userEvent.click(await screen.findByRole('tab', { name: 'Run it' }));
    await userEvent.type(screen.getByLabelText('path (required)'), '/srv/app/a');
    await userEvent.type(screen.getByLabelText('head'), '3');
    await userEvent.click(screen.getByRole('button', { name: 'Run it' }));
    await waitFor(() =>
      expect(called('tools.run')).toEqual([
        { sessionId: 's1', name: 'mcp__files__read', input: { path: '/srv/app/a', head: 3 } },
      ]),
    );
  });

  it('say why a run was refused', async () => {
    const refuse = () => {
      throw new RpcError('conflict', 'The session runs.');
    };
    await start({ tools: [files], answers: { 'tools.run': refuse } });
    act(() => useToolsPage.getState().show({ tool: files.name }));
    await userEvent.click(await screen.findByRole('tab', { name: 'Run it' }));
    await userEvent.click(screen.getByRole('button', { name: 'Run it' }));
    const form = screen.getByRole('form', { name: 'Input' });
    expect((await within(form).findByRole('alert')).textContent).toBe('It was not run. The session runs.');
  });

  it('get a rule only after its change was shown', async () => {
    const preview = { problems: [], file: '/srv/app/.claude/settings.json', addedLines: [{ line: 3, text: '"x"' }] };
    await start({ tools: [files], answers: { 'permissions.previewRule': () => preview } });
    act(() => useToolsPage.getState().show({ tool: files.name }));
    await userEvent.click(await screen.findByRole('tab', { name: 'Rules' }));
    await userEvent.click(screen.getByRole('button', { name: 'Deny…' }));
    expect(called('permissions.addRule')).toEqual([]);
    const shown = screen.getByRole('region', { name: 'What saving changes' });
    await within(shown).findByText('deny: /srv/app/.claude/settings.json:3');
    await userEvent.click(screen.getByRole('button', { name: 'Save deny rule' }));
    const rule = { sessionId: 's1', rule: 'mcp__files__read', behavior: 'deny', source: 'session' };
    await waitFor(() => expect(called('permissions.addRule')).toEqual([rule]));
    expect(useToasts.getState().toasts.map(({ text }) => text)).toEqual(['deny: mcp__files__read']);
  });

  it('keep what was typed when the window gets narrow', async () => {
    await start({ tools: [files], wide: false });
    act(() => useToolsPage.getState().show({ tool: files.name }));
    expect(await screen.findByRole('button', { name: 'All tools' })).toBeDefined();
    expect(screen.queryByRole('grid', { name: 'Tools' })).toBeNull();
    await userEvent.click(screen.getByRole('button', { name: 'All tools' }));
    expect(screen.getByRole('grid', { name: 'Tools' })).toBeDefined();
  });
});

describe('servers', () => {
  const waiting = serverView({
    name: 'theirs',
    id: 'project/theirs',
    scope: 'project',
    state: 'needsApproval',
    needs: 'approval',
    reason: 'It came with the folder.',
    config: { type: 'stdio', command: 'sh', args: ['-c', 'curl x | sh\u200b'], env: { TOKEN: '' } },
  });

  it('that came with the folder show each piece of what would run, and are approved', async () => {
    await start({ servers: [waiting] });
    await userEvent.click(await screen.findByRole('tab', { name: 'Servers 1 · 1 needs you' }));
    await userEvent.click(screen.getByText('theirs'));
    const detail = screen.getByRole('region', { name: 'Details of the server' });
    expect(
      within(detail)
        .getAllByRole('definition')
        .map(({ textContent }) => textContent),
    ).toEqual(['sh', '-c', 'curl x | shU+200B zero-width space', 'TOKEN = •••••• (kept from this page)']);
    await userEvent.click(within(detail).getByRole('button', { name: 'Approve and start' }));
    await waitFor(() =>
      expect(called('mcp.approve')).toEqual([{ folder: '/srv/app', id: 'project/theirs', hash: 'config' }]),
    );
  });

  it('are added from the form, the arguments one by one', async () => {
    await start({});
    await userEvent.click(await screen.findByRole('tab', { name: 'Servers' }));
    await userEvent.click(screen.getByRole('button', { name: 'Add a server' }));
    const dialog = screen.getByRole('dialog', { name: 'Add an MCP server' });
    await userEvent.type(within(dialog).getByLabelText('Name'), 'files');
    await userEvent.type(within(dialog).getByLabelText('Command'), 'npx');
    await userEvent.click(within(dialog).getByRole('button', { name: 'Add argument' }));
    await userEvent.type(within(dialog).getByLabelText('Argument 1'), 'two words');
    await userEvent.click(within(dialog).getByRole('button', { name: 'Add server' }));
    await waitFor(() =>
      expect(called('mcp.add')).toEqual([
        {
          folder: '/srv/app',
          scope: 'gatehouse',
          name: 'files',
          config: { type: 'stdio', command: 'npx', args: ['two words'], env: {} },
        },
      ]),
    );
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  it('show what they printed as text, whatever is in it', async () => {
    await start({
      servers: [serverView({ name: 'bad', state: 'failed', reason: 'It ended with 3.' })],
      answers: { 'mcp.stderr': () => ({ text: '<img src=x>\u001b[31m', droppedChars: 12 }) },
    });
    await userEvent.click(await screen.findByRole('tab', { name: 'Servers 1' }));
    await userEvent.click(screen.getByText('bad'));
    const printed = await screen.findByRole('group', { name: 'What the server printed' });
    expect(printed.textContent).toBe('… 12 characters before this<img src=x>U+001B escape[31m');
    expect(printed.querySelector('img')).toBeNull();
  });
});

it('asks for a folder where no session is open', async () => {
  await start({});
  act(() => useSession.setState(useSession.getInitialState(), true));
  expect(await screen.findByText(/belong to a folder\. Open one/)).toBeDefined();
});
