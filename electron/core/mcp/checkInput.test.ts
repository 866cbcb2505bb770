import { describe, expect, it } from 'vitest';
import { checkInput } from './checkInput';
import { inputSchemaOf } from './mcpTool';
import { type Schema, toolSchema } from './toolSchema';

const schema: Schema = {
  type: 'object',
  properties: {
    count: { type: 'integer', minimum: 1, maximum: 5 },
    on: { type: 'boolean' },
    name: { type: 'string', minLength: 2 },
    kind: { enum: ['a', 'b'] },
    list: { type: 'array', items: { type: 'number' }, maxItems: 3 },
    either: { anyOf: [{ type: 'string' }, { type: 'object', properties: { x: { type: 'number' } }, required: ['x'] }] },
    node: { $ref: '#/$defs/node' },
  },
  required: ['name'],
  additionalProperties: false,
  $defs: { node: { type: 'object', properties: { next: { $ref: '#/$defs/node' }, id: { type: 'number' } } } },
};

describe('takes and converts', () => {
  it.each([
    [{ name: 'ab' }, { name: 'ab' }],
    [
      { name: 'ab', count: '5', on: 'true', list: ['1', 2.5] },
      { name: 'ab', count: 5, on: true, list: [1, 2.5] },
    ],
    [
      { name: 'ab', either: 'x', node: { next: { next: { id: '7' } } } },
      { name: 'ab', either: 'x', node: { next: { next: { id: 7 } } } },
    ],
    [
      { name: 'ab', either: { x: '1' } },
      { name: 'ab', either: { x: 1 } },
    ],
  ])('%j', (input, value) => {
    expect(checkInput(schema, input)).toEqual({ value, problems: [] });
  });
});

describe('refuses', () => {
  it.each([
    [{}, [['name'], 'expected a string']],
    [{ name: 5 }, [['name'], 'expected a string']],
    [{ name: 'a' }, [['name'], 'expected at least 2 characters']],
    [{ name: 'ab', count: 'maybe' }, [['count'], 'expected an integer']],
    [{ name: 'ab', count: 9 }, [['count'], 'expected at most 5']],
    [{ name: 'ab', kind: 'c' }, [['kind'], 'expected one of "a", "b"']],
    [{ name: 'ab', list: [1, 'x'] }, [['list', 1], 'expected a number']],
    [{ name: 'ab', either: { x: 'y' } }, [['either', 'x'], 'expected a number']],
    [{ name: 'ab', node: { next: { id: 'x' } } }, [['node', 'next', 'id'], 'expected a number']],
    [[], [[], 'expected an object']],
  ])('%j', (input, [path, expected]) => {
    expect(checkInput(schema, input).problems).toEqual([{ path, expected }]);
  });

  it('names unknown fields as every tool does', () => {
    const parsed = inputSchemaOf(schema).safeParse({ name: 'ab', extra: 1 });
    expect(parsed.error?.issues).toMatchObject([{ code: 'unrecognized_keys', keys: ['extra'], path: [] }]);
  });
});

it('is not kept busy by a schema that refers to itself or by a slow pattern', () => {
  const loop: Schema = { $ref: '#' };
  expect(checkInput(loop, { a: 1 }).problems).toEqual([]);
  const wide: Schema = { anyOf: Array.from({ length: 50 }, () => ({ $ref: '#' })) };
  const began = performance.now();
  checkInput(wide, 'x');
  const parts = Array.from({ length: 1_000 }, () => ({ $ref: '#' }));
  toolSchema({ type: 'object', anyOf: parts, oneOf: parts, allOf: parts });
  checkInput({ type: 'string', pattern: '^(a+)+$' }, `${'a'.repeat(60)}b`);
  // Exponential work would take hours.
  expect(performance.now() - began).toBeLessThan(10_000);
});

describe('schemas of servers', () => {
  it('flattens alternatives at the root', () => {
    const made = toolSchema({
      type: 'object',
      properties: { id: { type: 'string' } },
      oneOf: [
        { properties: { a: { type: 'string' } }, required: ['id', 'a'] },
        { properties: { b: { type: 'number' } }, required: ['id', 'b'] },
      ],
      allOf: [{ properties: { c: { type: 'boolean' } }, required: ['c'] }],
    });
    expect(made.ok ? made.value.api : made.error).toEqual({
      type: 'object',
      properties: { id: { type: 'string' }, a: { type: 'string' }, b: { type: 'number' }, c: { type: 'boolean' } },
      required: ['id', 'c'],
    });
  });

  it('drops what the API would refuse', () => {
    const made = toolSchema({
      $schema: 'http://json-schema.org/draft-07/schema#',
      type: 'object',
      properties: {
        a: { type: 'strng', pattern: '(', enum: [], minimum: 'x', description: 'see\u202e this' },
        b: { $ref: '#/definitions/gone' },
        c: { $ref: 'https://example.com/x.json' },
      },
      required: ['a', 'missing', 7],
      'x-note': 'unknown',
    });
    expect(made.ok ? made.value.api : made.error).toEqual({
      type: 'object',
      properties: { a: { description: 'see this' }, b: {}, c: {} },
      required: ['a'],
    });
  });

  it.each([
    [undefined, 'its input schema is missing'],
    [{ type: 'array' }, 'its input is not an object'],
    [{ type: 'object', properties: { 'a b': {} } }, 'one of its fields has a name that models cannot use'],
  ])('refuses %j', (raw, error) => {
    expect(toolSchema(raw)).toEqual({ ok: false, error });
  });

  it('takes a tool without fields', () => {
    const made = toolSchema({ type: 'object' });
    expect(made.ok && made.value.api).toEqual({ type: 'object', properties: {} });
  });
});
