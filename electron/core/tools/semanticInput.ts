// Lenient input for models: numbers and booleans that arrive as text are taken for what they mean. The schema that
// the API sees still says number and boolean.
import { z } from 'zod';

const decimal = /^[+-]?\d+(\.\d+)?$/;

function asNumber(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  const text = value.trim();
  return decimal.test(text) ? Number(text) : value;
}

function asBoolean(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  const text = value.trim().toLowerCase();
  if (text === 'true') return true;
  if (text === 'false') return false;
  return value;
}

/** Takes `5` and `"5"`; anything else is an error of `number`. */
export function semanticNumber(number: z.ZodType<number> = z.number()) {
  return z.preprocess(asNumber, number);
}

/** A whole number from `minimum` up, also as text. */
export function semanticInteger(minimum: number) {
  return semanticNumber(z.number().min(minimum).refine(Number.isSafeInteger, 'expected a whole number'));
}

/** Takes `true`, `"true"`, `"True"` and their opposites; anything else is an error. */
export function semanticBoolean() {
  return z.preprocess(asBoolean, z.boolean());
}
