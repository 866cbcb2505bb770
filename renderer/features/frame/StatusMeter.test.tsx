// @vitest-environment jsdom
import { cleanup, fireEvent, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { emptyState, type Meter, noUsage } from '#shared/session/state';
import { useApp } from '../../stores/app';
import { useSession } from '../../stores/session';
import { preferences } from '../../testing/fakeCore';
import { fillBrowserGaps, mountPage } from '../../testing/mountPage';
import { resetStores } from '../../testing/resetStores';
import { cacheShare, dollars, StatusMeter } from './StatusMeter';

beforeEach(() => {
  resetStores();
  fillBrowserGaps({ wide: true });
});
afterEach(cleanup);

const usage = (inputTokens: number, outputTokens: number, cacheReadTokens = 0) => ({
  inputTokens,
  outputTokens,
  cacheReadTokens,
  cacheWriteTokens: 0,
});

function meter(part: Partial<Meter>): void {
  const state = { ...emptyState(), meter: { ...emptyState().meter, ...part } };
  useSession.setState({ sessionId: 's', status: 'ready', state });
  useApp.setState({ preferences });
  mountPage(<StatusMeter />);
}

it('says nothing before the first answer', () => {
  meter({});
  expect(screen.queryByRole('button')).toBeNull();
});

it.each<readonly [string, Partial<Meter>, string]>([
  [
    'a priced model',
    { byModel: { 'claude-opus-5-5': usage(100_000, 50_000, 100_000) } },
    '250.0k tokens · $1.42 · cache 50 %',
  ],
  ['a model without a price', { byModel: { mine: usage(900, 50) } }, '950 tokens · no price'],
  [
    'both',
    { byModel: { mine: usage(50, 0), 'claude-opus-5-5': usage(1_000_000, 0) } },
    '1.0M tokens · $4.00 + no price',
  ],
  ['the rehearsal model', { byModel: { rehearsal: usage(10, 5) } }, '15 tokens · $0.00'],
  [
    'a window that is nearly full',
    { byModel: { mine: usage(170_000, 0) }, model: 'mine', last: usage(170_000, 0) },
    '170.0k tokens · no price · window 85 %',
  ],
])('shows %s', (_name, part, expected) => {
  meter(part);
  expect(screen.getByRole('button').textContent).toBe(expected);
});

it('tells the turn from the session, and what sub-agents used', () => {
  const turn = { turnId: 't', startedAt: 1, byModel: { 'claude-opus-5-5': usage(1_000, 10, 3_000) }, agents: noUsage };
  meter({ byModel: { 'claude-opus-5-5': usage(5_000, 20, 5_000) }, agents: usage(7, 0), turns: [turn] });
  fireEvent.click(screen.getByRole('button'));
  const rows = [...document.querySelectorAll('tbody tr')].map((row) =>
    [...row.children].map((cell) => cell.textContent),
  );
  expect(rows).toEqual([
    ['Input', '1,000', '5,000'],
    ['Output', '10', '20'],
    ['Read from cache', '3,000', '5,000'],
    ['Written to cache', '0', '0'],
    ['Cache hits', '75 %', '50 %'],
    ['Cost', '< $0.01', '$0.02'],
  ]);
  expect(document.body.textContent).toContain('7 of these tokens are of sub-agents.');
});

it.each([
  [0, '$0.00'],
  [0.001, '< $0.01'],
  [1.236, '$1.24'],
  [42.34, '$42.3'],
  [1_234.5, '$1235'],
])('writes %d as %s', (sum, expected) => {
  expect(dollars(sum)).toBe(expected);
});

it('knows no share of nothing', () => {
  expect([cacheShare(noUsage), cacheShare(usage(1, 0, 3))]).toEqual([null, 75]);
});
