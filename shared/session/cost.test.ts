import { expect, it } from 'vitest';
import { costOf, costOfUsage, listPrices, priceOf } from './cost';

const usage = (inputTokens: number, outputTokens: number, cacheReadTokens = 0, cacheWriteTokens = 0) => ({
  inputTokens,
  outputTokens,
  cacheReadTokens,
  cacheWriteTokens,
});
const own = { input: 1, output: 2, cacheRead: 3, cacheWrite: 4 };

it.each([
  ['claude-sonnet-4-5-20250929', 'claude-sonnet-4-5'],
  ['claude-opus-4-20250514', 'claude-opus-4'],
  ['claude-opus-4-1-20250805', 'claude-opus-4-1'],
  ['claude-haiku-4-5@20251001', 'claude-haiku-4-5'],
  ['claude-sonnet-4-5[1m]', 'claude-sonnet-4-5'],
  ['claude-3-5-haiku-latest', 'claude-3-5-haiku'],
])('knows %s as %s', (id, name) => {
  expect(priceOf(id, {})).toEqual({ price: listPrices[name], from: 'list' });
});

it.each(['claude-opus-4-9', 'claude-sonnet-45', 'gpt-6', 'my-claude-opus-4-5', ''])('has no price for %j', (id) => {
  expect(priceOf(id, {})).toBeNull();
});

it('takes a person’s own price first, and nothing for the rehearsal model', () => {
  expect(priceOf('claude-opus-5', { 'claude-opus-5': own })).toEqual({ price: own, from: 'own' });
  expect(priceOf('rehearsal', {})?.from).toBe('free');
});

it('sums each kind of token by its own price', () => {
  expect(costOfUsage(usage(1_000_000, 500_000, 100_000, 10_000), own)).toBeCloseTo(1 + 1 + 0.3 + 0.04, 9);
});

it('names the models whose price is not known beside the sum of the others', () => {
  const spent = {
    'claude-opus-5-5': usage(1_000_000, 0),
    other: usage(5, 0),
    unused: usage(0, 0),
    rehearsal: usage(9, 9),
  };
  expect(costOf(spent, {})).toEqual({ dollars: 4, unpriced: ['other'] });
});
