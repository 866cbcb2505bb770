// @vitest-environment jsdom
// The palette by keyboard: what is on top, what is chosen, what cannot be done.
import { cleanup, fireEvent, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { emptyState } from '#shared/session/state';
import { useApp } from '../../stores/app';
import { useSession } from '../../stores/session';
import { useUi } from '../../stores/ui';
import { preferences, rehearsal, summary } from '../../testing/fakeCore';
import { fillBrowserGaps, mountPage } from '../../testing/mountPage';
import { resetStores } from '../../testing/resetStores';
import { Palette } from './Palette';

beforeEach(() => {
  resetStores();
  fillBrowserGaps({ wide: true });
  useApp.setState({
    preferences: { ...preferences, shortcuts: { rules: 'Mod+Shift+9' } },
    models: [rehearsal],
    sessions: [
      summary({ sessionId: 's1', title: 'Idle one' }),
      summary({ sessionId: 's2', title: 'Asks you', activity: 'waiting' }),
      summary({ sessionId: 's3', title: 'Put away', archived: true }),
    ],
    activeSessionId: 's1',
  });
  useSession.setState({ sessionId: 's1', status: 'ready', state: { ...emptyState(), model: rehearsal } });
  useUi.getState().openPalette('all');
});
afterEach(cleanup);

const field = () => screen.getByRole('combobox');
const options = () => screen.getAllByRole('option').map((option) => option.textContent ?? '');
const chosen = () => screen.getByRole('option', { selected: true });

it('has the session that waits first, and points from the field to what is chosen', async () => {
  mountPage(<Palette />);
  expect(options()[0]).toContain('Asks you');
  expect(field().getAttribute('aria-activedescendant')).toBe(chosen().id);
  fireEvent.keyDown(field(), { key: 'ArrowUp' });
  // Around the end; the field keeps the focus.
  expect(chosen().textContent).toBe(options().at(-1));
  expect(document.activeElement).toBe(field());
});

it('shows the keys that the person chose, and what was used lately on top', async () => {
  useUi.setState({ recent: ['rules', 'gone', 'session:s1'] });
  mountPage(<Palette />);
  const recent = [...screen.getByRole('group', { name: 'Recent' }).querySelectorAll('[role="option"]')];
  expect(recent.map((option) => option.textContent)).toEqual([
    expect.stringContaining('RulesCtrlShift9'),
    expect.stringContaining('Idle one'),
  ]);
  expect(options().filter((text) => text.startsWith('Rules'))).toHaveLength(1);
});

it('does nothing with what cannot be done, and says why', async () => {
  mountPage(<Palette />);
  await userEvent.type(field(), 'stop the turn{Enter}');
  expect(chosen().textContent).toContain('Nothing runs in this session.');
  expect(chosen().getAttribute('aria-disabled')).toBe('true');
  expect([useUi.getState().dialog, useUi.getState().recent]).toEqual(['palette', []]);
});

it('does what is chosen after it has closed, and remembers it', async () => {
  mountPage(<Palette />);
  await userEvent.type(field(), 'dens summ{Enter}');
  expect([useUi.getState().dialog, useUi.getState().recent]).toEqual([null, ['density.summary']]);
});

it('says that nothing fits; Escape first clears what was typed', async () => {
  mountPage(<Palette />);
  await userEvent.type(field(), 'qqqq');
  expect(screen.getByText('Nothing fits. Use fewer or other letters.')).toBeDefined();
  await userEvent.keyboard('{Escape}');
  expect([(field() as HTMLInputElement).value, useUi.getState().dialog]).toEqual(['', 'palette']);
  await userEvent.keyboard('{Escape}');
  await vi.waitFor(() => expect(useUi.getState().dialog).toBeNull());
});

it('leaves keys to an input method', () => {
  mountPage(<Palette />);
  const before = chosen().id;
  fireEvent.keyDown(field(), { key: 'ArrowDown', isComposing: true });
  fireEvent.keyDown(field(), { key: 'Enter', keyCode: 229 });
  expect([chosen().id, useUi.getState().dialog]).toEqual([before, 'palette']);
});

it('offers sessions alone where only they were asked for', () => {
  useUi.getState().openPalette('sessions');
  mountPage(<Palette />);
  expect(options().map((text) => text.slice(0, 8))).toEqual(['Asks you', 'Idle one', 'Put away']);
});
