// @vitest-environment jsdom
import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ReactElement } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { LintFinding, RuleTest } from '#shared/api/rules';
import { emptyState } from '#shared/session/state';
import { followHost, useApp } from '../../../stores/app';
import { draftOf, editsOf, useRuleDraft } from '../../../stores/ruleDraft';
import { useRulesPage } from '../../../stores/rulesPage';
import { useSession } from '../../../stores/session';
import { useToasts } from '../../../stores/toasts';
import { createFakeCore, type FakeCore, type FakeHandlers } from '../../../testing/fakeCore';
import { fillBrowserGaps, mountPage } from '../../../testing/mountPage';
import { resetStores } from '../../../testing/resetStores';
import { ChecksTab } from './ChecksTab';
import { useLab } from './lab';
import { ReplayTab } from './ReplayTab';
import { SuggestTab } from './SuggestTab';
import { TestsTab } from './TestsTab';
import { TryTab } from './TryTab';
import { asks, pastCall, replay, replayRow, trial } from './testing/samples';

let core: FakeCore;

const called = (method: string) => core.calls.filter((call) => call.method === method).map((call) => call.params);
const staged = () => editsOf(draftOf(useRuleDraft.getState(), 's1'));

async function start(tab: ReactElement, answers: Partial<FakeHandlers>): Promise<void> {
  fillBrowserGaps({ wide: true });
  core = createFakeCore(answers);
  followHost();
  act(() => core.link.start());
  await waitFor(() => expect(useApp.getState().connection).toEqual({ status: 'open' }));
  useSession.setState({ sessionId: 's1', status: 'ready', state: { ...emptyState(), folder: '/srv/app' } });
  useRulesPage.setState({ sessionId: 's1' });
  mountPage(tab);
}

const write = (field: HTMLElement, value: string) => fireEvent.change(field, { target: { value } });

const addGit = { type: 'add', source: 'localSettings', behavior: 'allow', text: 'Bash(git *)' } as const;

beforeEach(() => {
  localStorage.clear();
  sessionStorage.clear();
  resetStores();
  useRulesPage.setState(useRulesPage.getInitialState(), true);
  useRuleDraft.setState(useRuleDraft.getInitialState(), true);
  useLab.setState(useLab.getInitialState(), true);
});

afterEach(() => {
  cleanup();
  core.link.dispose();
  vi.restoreAllMocks();
});

test('tries what is typed, with the unsaved changes, and makes a test and a rule of it', async () => {
  useRuleDraft.getState().add('s1', [addGit]);
  let written: readonly RuleTest[] = [];
  await start(<TryTab />, {
    'rules.try': () => trial({}),
    'rules.setTests': ({ tests }) => {
      written = tests;
      return { file: '/srv/app/.gatehouse/rules.json' };
    },
  });
  expect(screen.getByText('with 1 unsaved change')).toBeDefined();
  write(screen.getByRole('textbox', { name: 'Call' }), 'git push origin main');
  const tree = await screen.findByRole('tree');
  expect(called('rules.try').at(-1)).toEqual({
    sessionId: 's1',
    draft: [addGit],
    call: { kind: 'line', line: 'git push origin main' },
  });
  const lines = within(tree)
    .getAllByRole('treeitem')
    .map((item) => item.textContent);
  expect(lines[0]).toBe('asksbecause ofBash(git push *)project · .claude/settings.json:21');
  expect(lines).toContain('Pre-hook and classifiercannot be toldone hook would run');
  await userEvent.click(screen.getByRole('button', { name: 'Make this a test' }));
  await waitFor(() => expect(written).toHaveLength(1));
  expect(written).toEqual([
    {
      kind: 'call',
      name: 'git push origin main asks',
      tool: 'Bash',
      input: { command: 'git push origin main' },
      mode: 'default',
      expect: 'ask',
    },
  ]);
  await userEvent.click(screen.getByRole('button', { name: 'Make a rule…' }));
  expect(useRulesPage.getState()).toMatchObject({
    tab: 'rule',
    writing: { behavior: 'allow', text: 'Bash(git push origin main)', source: 'localSettings' },
  });
});

test('says what is no call, and tries past calls with their folder', async () => {
  let asked = 0;
  await start(<TryTab />, {
    'rules.try': () => {
      asked += 1;
      return trial({});
    },
    'history.calls': () => ({ calls: [pastCall({ id: '1', cwd: '/srv/other', title: 'npm test' })], inAll: 1 }),
  });
  await userEvent.click(screen.getByRole('button', { name: 'Past call' }));
  await userEvent.click(await screen.findByRole('button', { name: /npm test/ }));
  await waitFor(() => expect(asked).toBeGreaterThan(0));
  expect(called('rules.try').at(-1)).toEqual({
    sessionId: 's1',
    draft: [],
    call: { kind: 'input', tool: 'Bash', input: { command: 'npm test' } },
    cwd: '/srv/other',
  });
});

test('replays the draft: headline, matrix, calls with their reasons, each with why before and after', async () => {
  useRuleDraft.getState().add('s1', [addGit]);
  const force = replayRow({
    call: pastCall({ id: '7', title: 'git push --force origin main' }),
    before: 'deny',
    danger: { score: 80, reason: 'rewrites a shared branch' },
  });
  await start(<ReplayTab />, {
    'history.replay': ({ filter }) => replay({ rows: filter.before === 'ask' ? [] : [force], rowsInAll: 217 }),
    'history.explain': ({ draft }) => (draft.length === 0 ? asks : { ...asks, behavior: 'allow' }),
  });
  expect(
    await screen.findByText(
      'Over 30 days, 8,412 calls: 202 prompts fewer, 3 newly allowed, 0 newly denied, 54 undetermined',
    ),
  ).toBeDefined();
  expect(screen.getByText('54: the mode of that moment is not known')).toBeDefined();
  const table = screen.getByRole('table', { name: 'Calls by their verdict before and after the changes' });
  expect(
    within(table)
      .getAllByRole('row')
      .slice(1)
      .map((row) => row.textContent),
  ).toEqual(['was allow6,920120', 'was ask2141,0880', 'was deny30121']);
  await userEvent.click(within(table).getByRole('button', { name: '214 calls: was ask, now allow' }));
  await waitFor(() =>
    expect(called('history.replay').at(-1)).toMatchObject({ filter: { text: '', before: 'ask', after: 'allow' } }),
  );
  await userEvent.click(screen.getByRole('button', { name: 'Show all changes' }));
  await userEvent.click(await screen.findByRole('button', { name: /git push --force/ }));
  const before = await screen.findByRole('tree', { name: 'Why, without the changes' });
  const after = await screen.findByRole('tree', { name: 'Why, with the changes' });
  expect([before, after].map((tree) => within(tree).getAllByRole('treeitem')[0]?.textContent?.slice(0, 7))).toEqual([
    'asksbec',
    'allowed',
  ]);
  expect(screen.getByText('Rewrites a shared branch')).toBeDefined();
});

test('decides the past anew with each change of the draft, and forgets an older answer', async () => {
  const late: (() => void)[] = [];
  await start(<ReplayTab />, {
    'history.replay': ({ draft }) =>
      draft.length === 0
        ? new Promise((resolve) => late.push(() => resolve(replay({ calls: 1 }))))
        : replay({ calls: 2 }),
  });
  await waitFor(() => expect(late).toHaveLength(1));
  act(() => useRuleDraft.getState().add('s1', [addGit]));
  expect(await screen.findByText(/^Over 30 days, 2 calls/)).toBeDefined();
  for (const answer of late) answer();
  await act(() => Promise.resolve());
  expect(screen.getByText(/^Over 30 days, 2 calls/)).toBeDefined();
});

test('tells how far the reading is, and pauses it', async () => {
  await start(<ReplayTab />, {
    'history.state': () => ({
      phase: 'reading',
      files: 40,
      filesDone: 10,
      bytes: 1_000,
      bytesDone: 250,
      calls: 100,
      sessions: 5,
      skipped: 0,
      problem: '',
      folder: '/home/p/.claude/projects',
    }),
    'history.replay': () => replay({}),
  });
  expect((await screen.findByRole('progressbar')).getAttribute('aria-valuenow')).toBe('25');
  await userEvent.click(screen.getByRole('button', { name: 'Pause' }));
  await waitFor(() => expect(called('history.pause')).toEqual([{ paused: true }]));
});

test('without any past calls says what will be read', async () => {
  await start(<ReplayTab />, {
    'history.replay': () =>
      replay({
        calls: 0,
        undetermined: [],
        matrix: {
          allow: { allow: 0, ask: 0, deny: 0 },
          ask: { allow: 0, ask: 0, deny: 0 },
          deny: { allow: 0, ask: 0, deny: 0 },
        },
      }),
  });
  expect(await screen.findByText('No past calls yet')).toBeDefined();
  expect(screen.getByText(/in \/home\/p\/\.claude\/projects are read/)).toBeDefined();
});

const push: RuleTest = {
  kind: 'call',
  name: 'pushes ask',
  tool: 'Bash',
  input: { command: 'git push' },
  expect: 'ask',
};

test('runs the tests, names what fails, adds and deletes', async () => {
  let tests: readonly RuleTest[] = [push];
  await start(<TestsTab />, {
    'rules.tests': () => ({
      file: '/srv/app/.claude/gatehouse.tests.json',
      problem: '',
      results: tests.map((one) => ({
        test: one,
        passed: one !== push,
        problem: one === push ? 'allowed by Bash(git *)' : '',
      })),
    }),
    'rules.try': ({ call }) => trial({ input: { command: call.kind === 'line' ? call.line : '' } }),
    'rules.setTests': (change) => {
      tests = change.tests;
      return { file: '' };
    },
  });
  expect(await screen.findByText('1 of 1 test fails')).toBeDefined();
  expect(screen.getByText('allowed by Bash(git *)')).toBeDefined();
  await userEvent.click(screen.getByRole('button', { name: 'Add test' }));
  const form = screen.getByRole('form', { name: 'New test' });
  await userEvent.click(within(form).getByRole('button', { name: 'What a rule matches' }));
  write(within(form).getByRole('textbox', { name: 'Rule' }), 'Bash(npm *)');
  write(within(form).getByRole('textbox', { name: /^Must match/ }), 'npm test\nnpm ci');
  await userEvent.click(within(form).getByRole('button', { name: 'Add test' }));
  await waitFor(() =>
    expect(tests).toEqual([
      push,
      { kind: 'rule', name: 'Bash(npm *)', rule: 'Bash(npm *)', match: ['npm test', 'npm ci'], notMatch: [] },
    ]),
  );
  await userEvent.click(await screen.findByRole('button', { name: 'Delete Bash(npm *)' }));
  await waitFor(() => expect(tests).toHaveLength(1));
  act(() => useToasts.getState().toasts.at(-1)?.action?.run());
  await waitFor(() => expect(tests).toHaveLength(2));
});

test('suggests rules with what they cover, narrower and wider', async () => {
  const worst = replayRow({
    call: pastCall({ id: '3', title: 'npm publish' }),
    danger: { score: 60, reason: 'publishes' },
  });
  await start(<SuggestTab />, {
    'history.suggest': () => ({
      asked: 90,
      suggestions: [
        {
          rules: ['Bash(npm run *)'],
          behavior: 'allow',
          source: 'localSettings',
          edits: [{ type: 'add', source: 'localSettings', behavior: 'allow', text: 'Bash(npm run *)' }],
          reach: { covers: 40, overReach: 0, covered: [], worst: [worst] },
          because: 'scripts of this package',
          variants: [
            { rules: ['Bash(npm run test)'], covers: 25, overReach: 0 },
            { rules: ['Bash(npm run *)'], covers: 40, overReach: 0 },
            { rules: ['Bash(npm *)'], covers: 52, overReach: 3 },
          ],
        },
      ],
    }),
  });
  expect(await screen.findByText('40 prompts fewer')).toBeDefined();
  expect(screen.getByText('publishes')).toBeDefined();
  await userEvent.click(screen.getByRole('button', { name: 'Wider' }));
  expect(screen.getByText('52 prompts fewer')).toBeDefined();
  expect(screen.getByText(/3 more that were refused or are dangerous/)).toBeDefined();
  await userEvent.click(screen.getByRole('button', { name: 'Narrower' }));
  await userEvent.click(screen.getByRole('button', { name: 'Narrower' }));
  await userEvent.click(screen.getByRole('button', { name: 'Add to the draft' }));
  expect(staged()).toEqual([{ type: 'add', source: 'localSettings', behavior: 'allow', text: 'Bash(npm run test)' }]);
});

test('groups remarks by kind, the worst first, and mends what is safe in one step', async () => {
  const ref = (text: string) => ({ text, behavior: 'allow', source: 'localSettings' }) as const;
  const finding = (part: Pick<LintFinding, 'kind' | 'severity' | 'rule'> & Partial<LintFinding>): LintFinding => ({
    file: '/srv/app/.claude/settings.local.json',
    line: 3,
    message: part.kind,
    other: null,
    fix: null,
    ...part,
  });
  const remove = (text: string, safe: boolean) => ({
    label: 'Remove it',
    edits: [{ type: 'remove' as const, rule: ref(text) }],
    safe,
  });
  await start(<ChecksTab />, {});
  act(() =>
    useRulesPage.setState({
      findings: [
        finding({ kind: 'overBroad', severity: 'warning', rule: ref('Bash') }),
        finding({ kind: 'duplicate', severity: 'hint', rule: ref('Bash(a)'), fix: remove('Bash(a)', true) }),
        finding({ kind: 'duplicate', severity: 'hint', rule: ref('Bash(b)'), fix: remove('Bash(b)', true) }),
        finding({ kind: 'subsumed', severity: 'hint', rule: ref('Bash(a)'), fix: remove('Bash(a)', true) }),
        finding({ kind: 'credential', severity: 'error', rule: ref('Bash(x)'), fix: remove('Bash(x)', false) }),
      ],
    }),
  );
  const groups = () => [...document.querySelectorAll('summary')].map((summary) => summary.textContent);
  expect(groups()).toEqual(['Holds a credential1', 'Very broad1', 'Duplicates2', 'Covered by another rule1']);
  expect(screen.getByText('1 error, 1 warning, 3 hints')).toBeDefined();
  await userEvent.click(screen.getByRole('button', { name: 'Clean up 4' }));
  expect(groups()).toEqual(['Holds a credential1', 'Duplicates2', 'Covered by another rule1']);
  await userEvent.click(screen.getByRole('button', { name: 'Mend all that is safe' }));
  expect(staged()).toEqual([
    { type: 'remove', rule: ref('Bash(a)') },
    { type: 'remove', rule: ref('Bash(b)') },
  ]);
  expect(draftOf(useRuleDraft.getState(), 's1').steps).toHaveLength(1);
});
