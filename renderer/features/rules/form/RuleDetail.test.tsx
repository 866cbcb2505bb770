// @vitest-environment jsdom
import { cleanup, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { useRulesPage } from '../../../stores/rulesPage';
import type { FakeCore } from '../../../testing/fakeCore';
import { mountPage } from '../../../testing/mountPage';
import { type RowSources, rowsOf } from '../table/rows';
import { drafted, finding, previewOf, ref } from '../testing/samples';
import { staged, startRules } from '../testing/startRules';
import { RuleDetail } from './RuleDetail';

let core: FakeCore;

const called = (method: string) => core.calls.filter((call) => call.method === method).map((call) => call.params);

function mount(rule: ReturnType<typeof ref>, more: Partial<RowSources> = {}): void {
  const [row] = rowsOf({
    preview: previewOf([drafted(rule)]),
    draft: [],
    findings: [],
    usage: [],
    notes: {},
    expiring: [],
    managedOnly: false,
    ...more,
  });
  mountPage(<RuleDetail row={row} />);
}

beforeEach(async () => {
  core = await startRules({ 'rules.setNote': ({ rule, note }) => ({ notes: { [rule]: note } }) });
});

afterEach(() => {
  cleanup();
  core.link.dispose();
});

test('a rule of the session is promoted to a file, or revoked', async () => {
  const rule = ref('allow', 'Edit(/src/**)', 'session');
  mount(rule);
  await userEvent.click(screen.getByRole('button', { name: 'Promote to…' }));
  await userEvent.click(await screen.findByRole('menuitem', { name: /^local/ }));
  await userEvent.click(screen.getByRole('button', { name: 'Revoke' }));
  expect(staged()).toEqual([
    { type: 'move', rule, to: 'localSettings' },
    { type: 'remove', rule },
  ]);
});

test('a locked rule says why, and can only be copied', async () => {
  const rule = ref('deny', 'Bash(curl *)', 'policySettings', 3);
  mount(rule);
  expect(screen.getByText(/^Managed by the administrator/)).toBeDefined();
  for (const name of ['Edit', 'Remove', 'Move to…']) expect(screen.queryByRole('button', { name })).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: 'Copy to…' }));
  await userEvent.click(await screen.findByRole('menuitem', { name: /^user/ }));
  expect(staged()).toEqual([{ type: 'copy', rule, to: 'userSettings' }]);
});

test('tells how often it was used and what the checks say; leads to its line and to a trial', async () => {
  const rule = ref('allow', 'Bash(npm run *)', 'userSettings', 9);
  mount(rule, {
    usage: [{ rule, matched: 1_200, lastUsed: null }],
    findings: [finding(rule, { message: 'It runs whatever package.json says.' })],
  });
  expect(screen.getByText('1,200 calls in 30 days')).toBeDefined();
  expect(screen.getByText('It runs whatever package.json says.')).toBeDefined();
  await userEvent.click(screen.getByRole('button', { name: 'Show in file' }));
  expect(useRulesPage.getState()).toMatchObject({ view: 'text', file: '/home/ada/.claude/settings.json', line: 9 });
  await userEvent.click(screen.getByRole('button', { name: 'Try it' }));
  expect(useRulesPage.getState()).toMatchObject({ tab: 'try', tried: 'npm run' });
});

test('a note is written when its field is left, beside the settings and never in them', async () => {
  mount(ref('allow', 'Bash(npm run *)', 'userSettings', 9), { notes: { 'Bash(npm run *)': 'old' } });
  const field = screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Note' });
  expect(field.value).toBe('old');
  await userEvent.clear(field);
  await userEvent.type(field, 'for the build');
  expect(called('rules.setNote')).toEqual([]);
  await userEvent.tab();
  await waitFor(() => expect(called('rules.setNote')).toEqual([{ rule: 'Bash(npm run *)', note: 'for the build' }]));
  expect(staged()).toEqual([]);
  expect(useRulesPage.getState().notes).toEqual({ 'Bash(npm run *)': 'for the build' });
});
