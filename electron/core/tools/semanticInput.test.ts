import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { semanticBoolean, semanticInteger, semanticNumber } from './semanticInput';

/** The parsed value, or the word "error". */
function parsed(schema: z.ZodType, value: unknown): unknown {
  const result = schema.safeParse(value);
  return result.success ? result.data : 'error';
}

describe('semanticNumber', () => {
  it.each([
    [5, 5],
    ['5', 5],
    [' 5 ', 5],
    ['-2.5', -2.5],
    ['+1', 1],
    ['007', 7],
    ['', 'error'],
    [' ', 'error'],
    ['maybe', 'error'],
    ['5 apples', 'error'],
    ['0x10', 'error'],
    ['1e3', 'error'],
    ['NaN', 'error'],
    ['Infinity', 'error'],
    [Number.NaN, 'error'],
    [true, 'error'],
    [null, 'error'],
    [['5'], 'error'],
    [undefined, 'error'],
  ])('%j → %j', (value, expected) => {
    expect(parsed(semanticNumber(), value)).toEqual(expected);
  });

  it('keeps the limits of the number inside', () => {
    expect(['1', '2', '3', '4'].map((value) => parsed(semanticNumber(z.number().min(2).max(3)), value))).toEqual([
      'error',
      2,
      3,
      'error',
    ]);
  });
});

describe('semanticInteger', () => {
  it.each([
    ['3', 3],
    [0, 'error'],
    ['0', 'error'],
    [1.5, 'error'],
    ['1.5', 'error'],
    [2 ** 53, 'error'],
  ])('%j → %j', (value, expected) => {
    expect(parsed(semanticInteger(1), value)).toEqual(expected);
  });
});

describe('semanticBoolean', () => {
  it.each([
    [true, true],
    [false, false],
    ['true', true],
    ['False', false],
    [' TRUE ', true],
    ['maybe', 'error'],
    ['yes', 'error'],
    ['1', 'error'],
    ['', 'error'],
    [1, 'error'],
    [null, 'error'],
    [undefined, 'error'],
  ])('%j → %j', (value, expected) => {
    expect(parsed(semanticBoolean(), value)).toEqual(expected);
  });
});

describe('the schema for the API', () => {
  it('says number and boolean, with limits and descriptions, and keeps optional fields optional', () => {
    const schema = z.strictObject({
      count: semanticInteger(1).describe('How many.'),
      ratio: semanticNumber().optional().describe('How much.'),
      all: semanticBoolean().default(false).describe('Everything.'),
    });
    expect(z.toJSONSchema(schema, { io: 'input' })).toEqual({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      properties: {
        count: { type: 'number', minimum: 1, description: 'How many.' },
        ratio: { type: 'number', description: 'How much.' },
        all: { type: 'boolean', description: 'Everything.' },
      },
      required: ['count'],
      additionalProperties: false,
    });
  });

  it('fills defaults and leaves out what is optional', () => {
    const schema = z.strictObject({ ratio: semanticNumber().optional(), all: semanticBoolean().default(true) });
    expect(schema.parse({})).toEqual({ all: true });
  });
});
