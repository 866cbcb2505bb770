// @vitest-environment jsdom
import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { DraftedRule, RuleStep, StepsView } from '#shared/api/rules';
import { RpcError } from '#shared/rpc/errors';
import { useRuleDraft } from '../../stores/ruleDraft';
import { useRulesPage } from '../../stores/rulesPage';
import { useToasts } from '../../stores/toasts';
import type { FakeCore, FakeHandlers } from '../../testing/fakeCore';
import { mountPage } from '../../testing/mountPage';
import { RulesPage } from './RulesPage';
import { drafted, previewOf, ref } from './testing/samples';
import { staged, startRules } from './testing/startRules';

let core: FakeCore;

const called = (method: string) => core.calls.filter((call) => call.method === method).map((call) => call.params);
const step: RuleStep = { id: 'step1', label: 'remove Bash(a) from user', at: 1, files: [] };

async function start(rules: readonly DraftedRule[], answers: Partial<FakeHandlers> = {}): Promise<HTMLElement> {
  core = await startRules({ 'rules.preview': () => previewOf(rules), ...answers });
  mountPage(<RulesPage />);
  if (rules.length === 0) return screen.findByText('Everything asks');
  const grid = await screen.findByRole('grid', { name: 'Rules' });
  await within(grid).findAllByRole('gridcell');
  return grid;
}

beforeEach(() => {
  // Rows are drawn as far as the scroller's height goes.
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(400);
  Element.prototype.scrollTo = () => undefined;
});

afterEach(() => {
  cleanup();
  core.link.dispose();
  vi.restoreAllMocks();
});

const a = ref('allow', 'Bash(a)', 'userSettings', 4);
const b = ref('allow', 'Bash(b)', 'userSettings', 5);
const c = ref('deny', 'Bash(c)', 'policySettings', 3);
const three = [drafted(a), drafted(b), drafted(c)];

const rowTexts = (grid: HTMLElement) =>
  within(grid)
    .getAllByRole('row')
    .slice(1)
    .map((row) => row.textContent ?? '');
const cursorText = (grid: HTMLElement) =>
  document.getElementById(grid.getAttribute('aria-activedescendant') ?? '')?.textContent ?? '';

test('one tab stop; arrows, Home and End move, Space and Shift choose, Delete takes out what is not locked', async () => {
  const grid = await start(three);
  expect(rowTexts(grid).map((text) => text.replace(/\d*–.*/, ''))).toEqual(
    [
      'policy · managed by the administrator, 1 rule',
      'denyBash(c)policy3',
      'project · shared with the team, no rules/srv/app/.claude/settings.json',
      'local · only you, this project, no rules/srv/app/.claude/settings.local.json',
      'user · all your projects, 2 rules~/.claude/settings.json',
      'allowBash(a)user4',
      'allowBash(b)user5',
      'session · kept in memory, no rules',
    ].map((text) => expect.stringContaining(text.replace(/\d$/, ''))),
  );
  act(() => grid.focus());
  await userEvent.keyboard('{End}{ArrowUp}');
  expect(cursorText(grid)).toContain('Bash(b)');
  await userEvent.keyboard('{Shift>}{ArrowUp}{/Shift}');
  expect(screen.getByText('2 rules chosen')).toBeDefined();
  await userEvent.keyboard('{Home}{ArrowDown}[Space]');
  expect(screen.getByText('3 rules chosen')).toBeDefined();
  await userEvent.keyboard('{Delete}');
  expect(staged()).toEqual([
    { type: 'remove', rule: a },
    { type: 'remove', rule: b },
  ]);
  expect(useToasts.getState().toasts[0]?.title).toBe('1 rule is locked and stayed as it is.');
  await waitFor(() => expect(document.activeElement).toBe(grid));
});

test('Mod+A chooses all; M asks where they shall go, and what is locked is only copied', async () => {
  const grid = await start(three);
  act(() => grid.focus());
  await userEvent.keyboard('{Control>}a{/Control}m');
  await userEvent.click(await screen.findByRole('menuitem', { name: /^project/ }));
  expect(staged()).toEqual([
    { type: 'move', rule: a, to: 'projectSettings' },
    { type: 'move', rule: b, to: 'projectSettings' },
  ]);
  act(() => useRuleDraft.getState().clear('s1'));
  await userEvent.keyboard('{Control>}a{/Control}');
  await userEvent.click(screen.getByRole('button', { name: 'Copy to…' }));
  await userEvent.click(await screen.findByRole('menuitem', { name: /^session/ }));
  expect(staged().map((edit) => edit.type)).toEqual(['copy', 'copy', 'copy']);
});

test('dragging a row onto a source moves it there, with a control key it is copied', async () => {
  const grid = await start(three);
  const line = (text: RegExp) => within(grid).getByRole('row', { name: text });
  const dataTransfer = { setData: () => undefined, effectAllowed: 'none' };
  fireEvent.dragStart(line(/Bash\(a\)/), { dataTransfer });
  fireEvent.dragOver(line(/^project/), { dataTransfer });
  expect(screen.getByText('Drop to move to project')).toBeDefined();
  fireEvent.drop(line(/^project/), { dataTransfer });
  expect(staged()).toEqual([{ type: 'move', rule: a, to: 'projectSettings' }]);
  fireEvent.dragStart(line(/Bash\(c\)/), { dataTransfer });
  fireEvent.drop(line(/^local/), { dataTransfer });
  expect(staged().at(-1)).toEqual({ type: 'copy', rule: c, to: 'localSettings' });
  fireEvent.dragStart(line(/Bash\(b\)/), { dataTransfer });
  fireEvent.drop(line(/^user/), { dataTransfer });
  fireEvent.drop(line(/administrator/), { dataTransfer });
  expect(staged()).toHaveLength(2);
});

test('undo and redo are about the draft first, then about what was written', async () => {
  let steps: StepsView = { undo: step, redo: null, recent: [step] };
  const grid = await start(three, {
    'rules.steps': () => steps,
    'rules.undo': () => {
      steps = { undo: null, redo: step, recent: [step] };
      return steps;
    },
  });
  act(() => grid.focus());
  await userEvent.keyboard('{End}{ArrowUp}{Delete}');
  expect(staged()).toHaveLength(1);
  await userEvent.keyboard('{Control>}z{/Control}');
  expect(staged()).toHaveLength(0);
  await userEvent.keyboard('{Control>}{Shift>}z{/Shift}{/Control}');
  expect(staged()).toHaveLength(1);
  await userEvent.keyboard('{Control>}zz{/Control}');
  await waitFor(() => expect(called('rules.undo')).toEqual([{ step: 'step1' }]));
  await waitFor(() => expect(useRulesPage.getState().steps.redo).toEqual(step));
  // In a field it is the field's own.
  await userEvent.click(screen.getByRole('searchbox', { name: 'Filter rules' }));
  await userEvent.keyboard('{Control>}z{/Control}');
  expect(called('rules.undo')).toHaveLength(1);
});

test('a shared file is shown before it is written; what fails keeps the draft; what is saved can be undone', async () => {
  let answer: () => { step: RuleStep } = () => {
    throw new RpcError('conflict', 'Bash(a) has gone from the file meanwhile.');
  };
  const before = '{\n  "permissions": {}\n}\n';
  const after = before.replace('{}', '{ "allow": ["Bash(a)"] }');
  const grid = await start(three, {
    'rules.preview': ({ draft }) =>
      previewOf(three, {
        files:
          draft.length === 0
            ? []
            : [{ source: 'projectSettings', path: '/srv/app/.claude/settings.json', shared: true, before, after }],
      }),
    'rules.save': () => answer(),
    'rules.undo': () => ({ undo: null, redo: null, recent: [] }),
  });
  act(() => useRuleDraft.getState().add('s1', [{ type: 'move', rule: a, to: 'projectSettings' }]));
  expect(await screen.findByText('1 unsaved change')).toBeDefined();
  await screen.findByRole('button', { name: /^Save…/ });
  act(() => grid.focus());
  await userEvent.keyboard('{Control>}s{/Control}');
  const dialog = await screen.findByRole('dialog', { name: 'Save 1 change' });
  expect(dialog.textContent).toContain('shared with everybody who works on this project');
  expect(dialog.textContent).toContain('"allow": ["Bash(a)"]');
  await userEvent.click(within(dialog).getByRole('button', { name: 'Save' }));
  await waitFor(() =>
    expect(useToasts.getState().toasts.at(-1)).toMatchObject({
      level: 'error',
      title: 'Nothing was saved; the draft is kept.',
    }),
  );
  expect(staged()).toHaveLength(1);
  answer = () => ({ step });
  await userEvent.keyboard('{Control>}s{/Control}');
  await waitFor(() => expect(staged()).toEqual([]));
  expect(screen.queryByRole('dialog')).toBeNull();
  const saved = useToasts.getState().toasts.at(-1);
  expect(saved).toMatchObject({ title: 'Saved.', action: { label: 'Undo' } });
  act(() => saved?.action?.run());
  await waitFor(() => expect(called('rules.undo')).toEqual([{ step: 'step1' }]));
});

test('a change that cannot be made is said, and is left out by itself', async () => {
  await start(three, {
    'rules.preview': ({ draft }) =>
      previewOf(three, {
        problems: draft.flatMap((edit, at) => (edit.type === 'move' ? [{ edit: at, problem: 'it is gone' }] : [])),
      }),
  });
  act(() =>
    useRuleDraft.getState().add('s1', [
      { type: 'remove', rule: b },
      { type: 'move', rule: a, to: 'localSettings' },
    ]),
  );
  expect(await screen.findByText(/1 change cannot be made/)).toBeDefined();
  await userEvent.click(screen.getByRole('button', { name: 'Review' }));
  const dialog = await screen.findByRole('dialog');
  expect(within(dialog).getByRole('alert').textContent).toBe('It cannot be made. It is gone.');
  expect(within(dialog).getByRole('button', { name: 'Save' }).hasAttribute('disabled')).toBe(true);
  await userEvent.click(within(dialog).getByRole('button', { name: /^Leave out: move Bash\(a\)/ }));
  expect(staged()).toEqual([{ type: 'remove', rule: b }]);
});

test('discarding can be taken back', async () => {
  await start(three);
  act(() => useRuleDraft.getState().add('s1', [{ type: 'remove', rule: b }]));
  await userEvent.click(await screen.findByRole('button', { name: 'Discard' }));
  expect(staged()).toEqual([]);
  act(() => useToasts.getState().toasts.at(-1)?.action?.run());
  expect(staged()).toEqual([{ type: 'remove', rule: b }]);
});

test('draft states are words; what the draft takes out is struck through and can be kept', async () => {
  const grid = await start([drafted(a, { state: 'moved' }), drafted(c, { held: 'It waits for trust.' })]);
  act(() => useRuleDraft.getState().add('s1', [{ type: 'remove', rule: b }]));
  const gone = await within(grid).findByRole('row', { name: /removed.*Bash\(b\)/ });
  expect(gone.querySelector('.line-through')?.textContent).toBe('Bash(b)');
  expect(
    within(grid)
      .getByRole('row', { name: /moved.*Bash\(a\)/ })
      .querySelector('.line-through'),
  ).toBeNull();
  const held = within(grid).getByRole('row', { name: /Bash\(c\)/ });
  expect(held.querySelector('.line-through')?.textContent).toBe('Bash(c)');
  expect(held.textContent).toContain('It waits for trust.');
  await userEvent.click(gone);
  await userEvent.click(screen.getByRole('button', { name: 'Keep it' }));
  expect(staged()).toEqual([]);
});

test('E edits in place: the form has the focus, Escape gives it back', async () => {
  const grid = await start(three);
  act(() => grid.focus());
  await userEvent.keyboard('{End}{ArrowUp}e');
  const field = await screen.findByRole('textbox', { name: 'Rule' });
  expect(document.activeElement).toBe(field);
  await userEvent.keyboard('{Escape}');
  await waitFor(() => expect(document.activeElement).toBe(grid));
  expect(screen.queryByRole('textbox', { name: 'Rule' })).toBeNull();
});

test('ten thousand rules: only what is in sight is drawn, and the keys reach the end', async () => {
  const many = Array.from({ length: 10_000 }, (_, at) =>
    drafted(ref('allow', `Bash(task ${at} *)`, 'userSettings', at + 4)),
  );
  const grid = await start(many);
  expect(grid.getAttribute('aria-rowcount')).toBe('10005');
  expect(within(grid).getAllByRole('row').length).toBeLessThan(60);
  act(() => grid.focus());
  await userEvent.keyboard('{End}{ArrowUp}');
  expect(cursorText(grid)).toContain('Bash(task 9999 *)');
  await userEvent.keyboard('{Control>}a{/Control}{Delete}');
  expect(staged()).toEqual([]);
  expect(useToasts.getState().toasts.at(-1)?.title).toBe('10,000 changes more are too many at once.');
});

test('filters: chips and words, and one press shows all again', async () => {
  const grid = await start(three);
  await userEvent.click(screen.getByRole('button', { name: 'deny 1' }));
  expect(within(grid).queryByRole('row', { name: /Bash\(a\)/ })).toBeNull();
  await userEvent.type(screen.getByRole('searchbox', { name: 'Filter rules' }), 'zebra');
  await userEvent.click(screen.getByRole('button', { name: 'Show all 3' }));
  await screen.findByRole('row', { name: /Bash\(a\)/ });
});

test('no rules yet: one action leads to proposals', async () => {
  await start([]);
  await userEvent.click(screen.getByRole('button', { name: 'Build rules from the last 30 days' }));
  expect(useRulesPage.getState().tab).toBe('suggest');
});
