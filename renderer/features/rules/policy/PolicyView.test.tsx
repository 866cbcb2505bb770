// @vitest-environment jsdom
import { cleanup, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test } from 'vitest';
import type { EffectivePolicy, SettingPlace } from '#shared/api/rules';
import { useRulesPage } from '../../../stores/rulesPage';
import type { FakeCore } from '../../../testing/fakeCore';
import { mountPage } from '../../../testing/mountPage';
import { file, paths } from '../testing/samples';
import { staged, startRules } from '../testing/startRules';
import { PolicyView } from './PolicyView';

let core: FakeCore;

afterEach(() => {
  cleanup();
  core.link.dispose();
});

const place = (part: Partial<SettingPlace>): SettingPlace => ({
  source: 'userSettings',
  file: paths.userSettings ?? null,
  line: 3,
  value: 'plan',
  heldBack: '',
  ...part,
});

const policy: EffectivePolicy = {
  files: [
    { ...file('userSettings'), readAt: Date.now(), bytes: 1_204, rules: 12, locked: '' },
    {
      ...file('projectSettings', { state: 'broken', line: 4, column: 2, problem: 'A comma is missing.' }),
      readAt: null,
      bytes: 80,
      rules: 1,
      locked: '',
    },
  ],
  scalars: [
    {
      key: 'defaultMode',
      effective: place({}),
      places: [
        place({
          source: 'projectSettings',
          file: paths.projectSettings ?? null,
          value: 'bypassPermissions',
          heldBack: 'a repository’s own files may not choose this mode',
        }),
        place({}),
      ],
    },
  ],
  directories: [{ ...place({ value: '../shared' }), path: '/srv/shared' }],
};

async function open(): Promise<void> {
  core = await startRules({ 'rules.policy': () => policy });
  mountPage(<PolicyView />);
  await screen.findByRole('region', { name: 'Files' });
}

test('tells of each file what became of it, and leads to its text', async () => {
  await open();
  const files = within(screen.getByRole('region', { name: 'Files' }));
  const rows = files.getAllByRole('listitem').map((item) => item.textContent);
  expect(rows[0]).toContain('in force');
  expect(rows[0]).toContain('12 rules · 1,204 bytes · read just now');
  expect(rows[1]).toContain('broken');
  expect(rows[1]).toContain('A comma is missing.');
  await userEvent.click(files.getByRole('button', { name: `Show the text of ${paths.projectSettings}` }));
  expect(useRulesPage.getState()).toMatchObject({ view: 'text', file: paths.projectSettings, line: 4 });
});

test('says which source gives a setting and why others do not; a change is staged and seen', async () => {
  await open();
  const settings = within(screen.getByRole('region', { name: 'Settings' }));
  expect(settings.getByText('from user, line 3')).toBeDefined();
  expect(settings.getByText(/A repository’s own files may not choose this mode\./)).toBeDefined();
  await userEvent.click(settings.getByRole('combobox', { name: 'Default mode' }));
  await userEvent.click(screen.getByRole('option', { name: 'not set' }));
  expect(staged()).toEqual([{ type: 'setScalar', source: 'userSettings', key: 'defaultMode', value: null }]);
  expect(settings.getByText(/^Not saved yet: Plan/).textContent).toBe('Not saved yet: Plan → not set in user');
});

test('folders are added and removed as part of the draft', async () => {
  await open();
  const folders = within(screen.getByRole('region', { name: 'Additional folders' }));
  await userEvent.type(folders.getByRole('textbox', { name: 'Folder' }), '~/library{Enter}');
  await userEvent.click(folders.getByRole('button', { name: 'Remove ../shared from user' }));
  expect(staged()).toEqual([
    { type: 'addDirectory', source: 'localSettings', path: '~/library' },
    { type: 'removeDirectory', source: 'userSettings', path: '../shared' },
  ]);
  const rows = folders.getAllByRole('listitem').map((item) => item.textContent);
  expect(rows[0]).toContain('removed, not saved');
  expect(rows[1]).toBe('~/librarynew in local, not saved');
});
