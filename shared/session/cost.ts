// What tokens cost: the product's own price table, a person's own prices, and the sum.
import { z } from 'zod';
import type { Usage } from './events';

/** US dollars per million tokens. */
const dollars = z.number().nonnegative().max(1_000_000);
export const Price = z.strictObject({ input: dollars, output: dollars, cacheRead: dollars, cacheWrite: dollars });
export type Price = z.infer<typeof Price>;

/** The day on which the table was compared with the published prices. */
export const pricesOf = '2026-10-24';

function price(input: number, output: number, cacheRead: number, cacheWrite: number): Price {
  return { input, output, cacheRead, cacheWrite };
}

/**
 * List prices of the first-party API by a model's name; writes to the cache are those for five minutes. A rate
 * for very long prompts (Haiku 5.5 above 100,000 tokens) is not in it.
 */
export const listPrices: Readonly<Record<string, Price>> = {
  'claude-fable-5-1': price(10, 50, 0.25, 12.5),
  'claude-fable-5': price(10, 50, 1, 12.5),
  'claude-mythos-5-1': price(10, 50, 0.25, 12.5),
  'claude-mythos-5': price(10, 50, 1, 12.5),
  'claude-opus-5-5': price(4, 20, 0.2, 5),
  'claude-opus-5': price(5, 25, 0.5, 6.25),
  'claude-opus-4-8': price(5, 25, 0.5, 6.25),
  'claude-opus-4-7': price(5, 25, 0.5, 6.25),
  'claude-opus-4-6': price(5, 25, 0.5, 6.25),
  'claude-opus-4-5': price(5, 25, 0.5, 6.25),
  'claude-opus-4-1': price(15, 75, 1.5, 18.75),
  'claude-opus-4-0': price(15, 75, 1.5, 18.75),
  'claude-opus-4': price(15, 75, 1.5, 18.75),
  'claude-sonnet-5-5': price(2, 10, 0.1, 2.5),
  'claude-sonnet-5': price(2, 10, 0.2, 2.5),
  'claude-sonnet-4-6': price(3, 15, 0.3, 3.75),
  'claude-sonnet-4-5': price(3, 15, 0.3, 3.75),
  'claude-sonnet-4-0': price(3, 15, 0.3, 3.75),
  'claude-sonnet-4': price(3, 15, 0.3, 3.75),
  'claude-3-7-sonnet': price(3, 15, 0.3, 3.75),
  'claude-haiku-5-5': price(0.1, 0.5, 0.01, 0.125),
  'claude-haiku-4-5': price(1, 5, 0.1, 1.25),
  'claude-3-5-haiku': price(0.8, 4, 0.08, 1),
};

/** Tokens by the id of the model that used them. */
export const Spent = z.record(
  z.string(),
  z.strictObject({
    inputTokens: z.number().int().nonnegative(),
    outputTokens: z.number().int().nonnegative(),
    cacheReadTokens: z.number().int().nonnegative(),
    cacheWriteTokens: z.number().int().nonnegative(),
  }),
);
export type Spent = z.infer<typeof Spent>;

/** Id of the rehearsal model, which runs inside the program. */
const free: ReadonlySet<string> = new Set(['rehearsal']);

/** Where a price comes from. */
export type KnownPrice = { readonly price: Price; readonly from: 'own' | 'list' | 'free' };

/** A model's price, the person's own before the list's, the longest name first; null: nobody knows it. */
export function priceOf(modelId: string, own: Readonly<Record<string, Price>>): KnownPrice | null {
  const mine = longest(modelId, own);
  if (mine !== null) return { price: mine, from: 'own' };
  if (free.has(modelId)) return { price: price(0, 0, 0, 0), from: 'free' };
  const listed = longest(modelId, listPrices);
  return listed === null ? null : { price: listed, from: 'list' };
}

/** What may follow a model's name in an id: the day it was made, or where it runs. Anything else is another model. */
const release = /^(-\d{8}\b|-latest$|[@:[])/;

function longest(modelId: string, table: Readonly<Record<string, Price>>): Price | null {
  const fitting = Object.keys(table).filter(
    (name) => modelId === name || (modelId.startsWith(name) && release.test(modelId.slice(name.length))),
  );
  const [best] = fitting.sort((a, b) => b.length - a.length);
  return best === undefined ? null : (table[best] ?? null);
}

/** Dollars for some tokens. */
export function costOfUsage(usage: Usage, { input, output, cacheRead, cacheWrite }: Price): number {
  const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens } = usage;
  const sum = inputTokens * input + outputTokens * output + cacheReadTokens * cacheRead + cacheWriteTokens * cacheWrite;
  return sum / 1_000_000;
}

export interface Cost {
  /** Of the models whose price is known. */
  readonly dollars: number;
  /** Models that used tokens and have no price. */
  readonly unpriced: readonly string[];
}

/** What all of it costs. */
export function costOf(spent: Spent, own: Readonly<Record<string, Price>>): Cost {
  let sum = 0;
  const unpriced: string[] = [];
  for (const [modelId, usage] of Object.entries(spent)) {
    const known = priceOf(modelId, own);
    if (known !== null) sum += costOfUsage(usage, known.price);
    else if (tokensOf(usage) > 0) unpriced.push(modelId);
  }
  return { dollars: sum, unpriced };
}

/** All tokens, in and out. */
export function tokensOf(usage: Usage): number {
  return usage.inputTokens + usage.outputTokens + usage.cacheReadTokens + usage.cacheWriteTokens;
}
