import { expect, it } from 'vitest';
import { fieldOf } from './fieldOf';
import { type Draft, readDraft } from './formValue';

const schema = {
  type: 'object',
  required: ['text', 'list'],
  properties: {
    text: { type: 'string' },
    note: { type: 'string' },
    count: { type: 'integer' },
    flag: { type: 'boolean' },
    kind: { enum: ['a', 7] },
    list: { type: 'array', items: { type: 'string' } },
    place: { type: 'object', properties: { x: { type: 'number' } } },
    any: {},
    __proto__x: { type: 'string' },
  },
};
const read = (draft: Draft) => readDraft(fieldOf(schema), draft, 'required');

it.each<[string, Draft, object]>([
  ['nothing typed', {}, {}],
  ['a required text may be empty, an optional one is left out', { text: '', note: '' }, { text: '' }],
  ['numbers', { count: ' 12 ' }, { count: 12 }],
  ['what is no number goes on as text for the core to refuse', { count: 'many' }, { count: 'many' }],
  ['zero is given', { count: '0' }, { count: 0 }],
  ['yes and no', { flag: 'false' }, { flag: false }],
  ['not given', { flag: '', kind: '' }, {}],
  ['choices keep their type', { kind: '7' }, { kind: 7 }],
  ['lists', { list: ['one', ''] }, { list: ['one', ''] }],
  ['a required list may be empty', { list: [] }, { list: [] }],
  ['objects inside', { place: { x: '1.5' } }, { place: { x: 1.5 } }],
  ['an object inside with nothing typed is left out', { place: { x: '' } }, {}],
  ['JSON', { any: '{"a": [1]}' }, { any: { a: [1] } }],
])('%s', (_name, draft, value) => {
  expect(read(draft)).toEqual({ state: 'given', value });
});

it('names what is no JSON', () => {
  expect(read({ any: '{a}' })).toEqual({
    state: 'wrong',
    problem: 'any: This is not JSON. Write texts in double quotes, for example "text".',
  });
});
