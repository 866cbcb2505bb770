import { expect, it } from 'vitest';
import { fieldOf } from './fieldOf';

const none = { title: '', description: '' };

it.each([
  ['text', { type: 'string', description: 'A path.' }, { ...none, kind: 'string', description: 'A path.' }],
  ['whole number', { type: 'integer' }, { ...none, kind: 'number', whole: true }],
  ['number or null', { type: ['number', 'null'] }, { ...none, kind: 'number', whole: false }],
  ['choice', { enum: ['a', 2, null] }, { ...none, kind: 'choice', options: ['a', 2] }],
  ['one value', { const: 'x' }, { ...none, kind: 'choice', options: ['x'] }],
  ['choice of objects', { enum: [{}] }, { ...none, kind: 'json' }],
  [
    'list',
    { type: 'array', items: { type: 'boolean' } },
    { ...none, kind: 'list', item: { ...none, kind: 'boolean' } },
  ],
  ['list of anything', { type: 'array' }, { ...none, kind: 'json' }],
  ['one branch besides null', { anyOf: [{ type: 'string' }, { type: 'null' }] }, { ...none, kind: 'string' }],
  ['two branches', { anyOf: [{ type: 'string' }, { type: 'number' }] }, { ...none, kind: 'json' }],
  ['two types', { type: ['string', 'number'] }, { ...none, kind: 'json' }],
  ['no schema', 'junk', { ...none, kind: 'json' }],
  ['nothing said', {}, { ...none, kind: 'json' }],
])('shows %s', (_name, schema, field) => {
  expect(fieldOf(schema)).toEqual(field);
});

it('follows references within the document, and stops at those that lead nowhere or around', () => {
  const schema = {
    type: 'object',
    properties: { a: { $ref: '#/$defs/place' }, b: { $ref: 'https://example.invalid/x' }, c: { $ref: '#/$defs/loop' } },
    required: ['a'],
    $defs: { place: { type: 'string', title: 'Place' }, loop: { $ref: '#/$defs/loop' } },
  };
  expect(fieldOf(schema)).toEqual({
    ...none,
    kind: 'object',
    fields: [
      { name: 'a', required: true, field: { ...none, kind: 'string', title: 'Place' } },
      { name: 'b', required: false, field: { ...none, kind: 'json' } },
      { name: 'c', required: false, field: { ...none, kind: 'json' } },
    ],
  });
});

it('ends where a schema contains itself', () => {
  const schema = { type: 'object', properties: { child: { $ref: '#' } } };
  expect(JSON.stringify(fieldOf(schema))).toContain('"kind":"json"');
});

it('takes an object inside that accepts any names as JSON', () => {
  const schema = { type: 'object', properties: { map: { type: 'object', additionalProperties: { type: 'string' } } } };
  expect(fieldOf(schema)).toMatchObject({ fields: [{ name: 'map', field: { kind: 'json' } }] });
});
