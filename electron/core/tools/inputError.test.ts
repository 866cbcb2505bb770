import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { formatInputError } from './inputError';
import { semanticBoolean, semanticInteger } from './semanticInput';

const schema = z.strictObject({
  file_path: z.string(),
  limit: semanticInteger(1).optional(),
  all: semanticBoolean().optional(),
  mode: z.enum(['content', 'count']).optional(),
  items: z
    .array(z.strictObject({ label: z.string().max(3) }))
    .min(1)
    .max(2)
    .optional(),
});

/** The lines about problems, without the frame. */
function problems(input: unknown): string[] {
  const { error } = schema.safeParse(input);
  if (error === undefined) throw new Error('The input is valid.');
  return formatInputError(error, input).split('\n').slice(1, -1);
}

describe('formatInputError', () => {
  it.each<[string, unknown, string[]]>([
    ['missing field', {}, ['- `file_path`: expected a string, it is missing']],
    ['wrong type', { file_path: 5 }, ['- `file_path`: expected a string, got the number 5']],
    ['null', { file_path: null }, ['- `file_path`: expected a string, got null']],
    [
      'text that is no number',
      { file_path: 'a', limit: 'maybe' },
      ['- `limit`: expected a number, got the string "maybe"'],
    ],
    ['not whole', { file_path: 'a', limit: '1.5' }, ['- `limit`: expected a whole number, got the string "1.5"']],
    ['too small', { file_path: 'a', limit: 0 }, ['- `limit`: expected at least 1, got the number 0']],
    [
      'text that is no boolean',
      { file_path: 'a', all: 'maybe' },
      ['- `all`: expected a boolean, got the string "maybe"'],
    ],
    [
      'not one of the values',
      { file_path: 'a', mode: 'lines' },
      ['- `mode`: expected one of "content", "count", got the string "lines"'],
    ],
    [
      'unknown fields',
      { file_path: 'a', path: 1, b: 2 },
      ['- unknown field `path`: remove it', '- unknown field `b`: remove it'],
    ],
    [
      'unknown field within',
      { file_path: 'a', items: [{ label: 'x' }, { label: 'y', note: 1 }] },
      ['- unknown field `note` in `items[1]`: remove it'],
    ],
    [
      'deep field',
      { file_path: 'a', items: [{ label: 'long' }] },
      ['- `items[0].label`: expected at most 3 characters, got the string "long"'],
    ],
    ['too few', { file_path: 'a', items: [] }, ['- `items`: expected at least 1 item, got an array of 0']],
    ['not an object', 'a.ts', ['- input: expected an object, got the string "a.ts"']],
    ['an array', ['a.ts'], ['- input: expected an object, got an array of 1']],
    ['nothing', undefined, ['- input: expected an object, it is missing']],
  ])('%s', (_, input, expected) => {
    expect(problems(input)).toEqual(expected);
  });

  it('frames the problems and says what to do', () => {
    const { error } = schema.safeParse({ limit: 'x' });
    expect(formatInputError(error ?? new z.ZodError([]), { limit: 'x' })).toBe(
      [
        '<tool_use_error>Invalid input, 2 problems; the tool was not run.',
        '- `file_path`: expected a string, it is missing',
        '- `limit`: expected a number, got the string "x"',
        'Correct the input and call the tool again.</tool_use_error>',
      ].join('\n'),
    );
  });

  it('quotes long values and names only in part', () => {
    const long = 'x'.repeat(5_000);
    expect(problems({ file_path: 'a', limit: long, [long]: 1 })).toEqual([
      `- \`limit\`: expected a number, got the string "${'x'.repeat(120)}…" (5,000 characters)`,
      `- unknown field \`${'x'.repeat(120)}…\`: remove it`,
    ]);
  });
});
