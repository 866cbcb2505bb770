// @vitest-environment jsdom
// The Hooks page over a core that answers: what it says of hooks, what it sends, what it does not offer.
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { HookEntry, HooksView } from '#shared/api/hooks';
import { RpcError } from '#shared/rpc/errors';
import { emptyState } from '#shared/session/state';
import { followHost, useApp } from '../../stores/app';
import { useSession } from '../../stores/session';
import { createFakeCore, type FakeCore, type FakeHandlers, noHooks } from '../../testing/fakeCore';
import { fillBrowserGaps, mountPage } from '../../testing/mountPage';
import { resetStores } from '../../testing/resetStores';
import { sampleHook } from '../chat/testing/samples';
import { HooksPage } from './HooksPage';

const entry = (change: Partial<HookEntry> = {}): HookEntry => ({
  id: 'h1',
  at: { source: 'userSettings', file: '/home/ada/.claude/settings.json', event: 'PreToolUse', group: 0, index: 0 },
  line: 7,
  matcher: 'Bash',
  type: 'command',
  label: './check.sh --strict',
  json: '{\n  "type": "command",\n  "command": "./check.sh --strict"\n}',
  whole: true,
  condition: '',
  seconds: 600,
  background: false,
  failure: 'passes',
  state: 'active',
  because: '',
  findings: [],
  locked: '',
  ...change,
});

const view = (hooks: readonly HookEntry[], change: Partial<HooksView> = {}): HooksView => ({
  ...noHooks,
  hooks: [...hooks],
  events: [
    {
      name: 'PreToolUse',
      subject: 'tool name',
      examples: ['Bash'],
      handlers: ['command'],
      exitTwo: 'The call does not run.',
      about: 'call',
      textName: '',
    },
    { name: 'Stop', subject: '', examples: [], handlers: ['command'], exitTwo: '', about: 'text', textName: 'Answer' },
  ],
  files: (['userSettings', 'projectSettings'] as const).map((source) => ({
    source,
    path: `/x/${source}.json`,
    exists: true,
    hooks: 1,
    unknown: false,
    waits: false,
    locked: '',
    shared: source === 'projectSettings',
  })),
  ...change,
});

let core: FakeCore;
beforeEach(() => {
  resetStores();
  fillBrowserGaps({ wide: true });
});
afterEach(() => {
  cleanup();
  core.link.dispose();
});

async function start(shown: HooksView, answers: Partial<FakeHandlers> = {}): Promise<void> {
  core = createFakeCore({ 'hooks.list': () => shown, ...answers });
  followHost();
  core.link.start();
  await waitFor(() => expect(useApp.getState().connection.status).toBe('open'));
  useSession.setState({ sessionId: 's', status: 'ready', state: { ...emptyState(), folder: '/srv/app' } });
  mountPage(<HooksPage />);
}
const rows = () => screen.getAllByRole('row').map((row) => row.textContent);

it('lists hooks by event, those of names that are none last, with their state and origin', async () => {
  const broken = 'There is no event “stop”.';
  await start(
    view([
      entry({
        id: 'x',
        at: { ...entry().at, event: 'stop' },
        matcher: '',
        state: 'broken',
        because: broken,
        findings: [{ level: 'error', kind: 'event', text: broken }],
      }),
      entry({ id: 'p', at: { ...entry().at, source: 'projectSettings' }, state: 'waits' }),
      entry(),
    ]),
  );
  await screen.findByRole('grid', { name: 'Hooks' });
  expect(rows()).toEqual([
    'PreToolUse2',
    'Bash./check.sh --strictBashProjectwaits for trust',
    'Bash./check.sh --strictBashUseractive',
    'stopno event1',
    `everything./check.sh --strict${broken}everythingUserbroken`,
  ]);
});

it('teaches where there is none, and says what holds for all', async () => {
  await start(
    view([], {
      disabledBy: { source: 'userSettings', file: '/home/ada/.claude/settings.json', line: 3 },
      managedOnly: true,
    }),
  );
  expect(await screen.findByRole('heading', { name: 'No hooks yet' })).toBeDefined();
  expect(screen.getByText('All hooks are off.').parentElement?.textContent).toContain('~/.claude/settings.json:3');
  expect(screen.getByText('Only hooks of the policy run.')).toBeDefined();
});

it('says what went wrong, and tries again', async () => {
  let fails = true;
  await start(view([]), {
    'hooks.list': () => {
      if (fails) throw new RpcError('unavailable', 'Not now.');
      return view([entry()]);
    },
  });
  await screen.findByText('The hooks could not be loaded.');
  fails = false;
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByRole('grid', { name: 'Hooks' })).toBeDefined();
});

it('runs a trial with the very hook and the call that was typed, and shows what it would do', async () => {
  await start(view([entry()]), {
    'hooks.try': () => ({
      fits: true,
      because: '',
      run: sampleHook({ outcome: 'blocked', exitCode: 2, effect: 'blocked: no' }),
      would: ['The call would be refused: no'],
      updatedInput: null,
    }),
  });
  fireEvent.click(await screen.findByText('./check.sh --strict'));
  const trial = within(screen.getByRole('region', { name: 'Test with a past call' }));
  fireEvent.change(trial.getByLabelText('Input, as JSON'), { target: { value: '{' } });
  expect((trial.getByRole('button', { name: 'Run the hook' }) as HTMLButtonElement).disabled).toBe(true);
  fireEvent.change(trial.getByLabelText('Input, as JSON'), { target: { value: '{"command":"ls"}' } });
  fireEvent.click(trial.getByRole('button', { name: 'Run the hook' }));
  expect(await trial.findByText('The call would be refused: no')).toBeDefined();
  expect(core.calls.findLast(({ method }) => method === 'hooks.try')?.params).toEqual({
    sessionId: 's',
    at: entry().at,
    id: 'h1',
    occasion: { kind: 'typed', tool: 'Bash', input: '{"command":"ls"}' },
  });
});

it('offers no trial of a hook that may not run, and no change of one that is locked', async () => {
  await start(view([entry({ state: 'waits', because: 'The folder is not trusted.', locked: 'Not here.' })]));
  fireEvent.click(await screen.findByText('./check.sh --strict'));
  expect(screen.getByRole('region', { name: 'Test with a past call' }).textContent).toContain(
    'It may not run: The folder',
  );
  expect(screen.queryByRole('button', { name: 'Run the hook' })).toBeNull();
  expect((screen.getByRole('button', { name: 'Edit' }) as HTMLButtonElement).disabled).toBe(true);
});

it('saves a changed field as the whole hook, once its effect was shown', async () => {
  await start(view([entry()]), {
    'hooks.preview': () => ({ file: '/home/ada/.claude/settings.json', shared: false, hunks: [], findings: [] }),
    'hooks.save': () => ({ step: { id: 'step', label: '', at: 1, files: ['/home/ada/.claude/settings.json'] } }),
  });
  fireEvent.click(await screen.findByText('./check.sh --strict'));
  fireEvent.click(screen.getByRole('button', { name: 'Edit' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Edit the hook' }));
  await userEvent.click(dialog.getByRole('switch', { name: /Block when it fails/ }));
  const save = dialog.getByRole('button', { name: 'Save' }) as HTMLButtonElement;
  await waitFor(() => expect(save.disabled).toBe(false));
  fireEvent.click(save);
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  const saved = core.calls.findLast(({ method }) => method === 'hooks.save')?.params;
  expect(saved).toMatchObject({ change: { type: 'change', id: 'h1', event: 'PreToolUse', matcher: 'Bash' } });
  expect(JSON.stringify(saved)).toContain('onFailure');
});

it('lists runs of calls and of the session alike', async () => {
  const past = (runId: string, call: { callId: string; title: string; summary: string } | null, seq: number) => ({
    seq,
    call,
    run: sampleHook({ runId, stdin: '' }),
  });
  await start(view([entry()]), {
    'hooks.runs': () => ({
      more: false,
      runs: [past('b', { callId: 'c', title: 'Bash', summary: 'npm test' }, 2), past('a', null, 1)],
    }),
  });
  await userEvent.click(await screen.findByRole('tab', { name: 'Runs' }));
  const list = await screen.findByRole('list', { name: 'Runs' });
  expect(list.textContent).toContain('for the session, no call');
  fireEvent.click(screen.getByRole('button', { name: 'For no call 1' }));
  expect(list.textContent).not.toContain('npm test');
});
