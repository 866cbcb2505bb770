import type Anthropic from '@anthropic-ai/sdk';
import { expect, test } from 'vitest';
import { referencedTools, withReferences } from './toolReferences';

type MessageParam = Anthropic.Messages.MessageParam;

const text = (words: string) => ({ type: 'text' as const, text: words });
const reference = (name: string) => ({ type: 'tool_reference' as const, tool_name: name });
const result = (...content: (ReturnType<typeof text> | ReturnType<typeof reference>)[]): MessageParam => ({
  role: 'user',
  content: [{ type: 'tool_result', tool_use_id: 'u', content }],
});
const plain: MessageParam[] = [
  { role: 'user', content: 'Begin.' },
  { role: 'assistant', content: [{ type: 'tool_use', id: 'u', name: 'ToolSearch', input: {} }] },
];

test.each<[string, MessageParam, readonly string[], MessageParam]>([
  [
    'known ones stand alone',
    result(text('Loaded.'), reference('A'), reference('B')),
    ['A', 'B'],
    result(reference('A'), reference('B')),
  ],
  [
    'unknown ones are left out',
    result(text('Loaded.'), reference('A'), reference('Gone')),
    ['A'],
    result(reference('A')),
  ],
  ['without a known one the words stay', result(text('Loaded.'), reference('Gone')), ['A'], result(text('Loaded.'))],
  [
    'where nobody takes references the words stay',
    result(text('Loaded.'), reference('A')),
    [],
    result(text('Loaded.')),
  ],
])('%s', (_, message, known, expected) => {
  const messages = [...plain, message];
  const sent = withReferences(messages, new Set(known));
  expect(sent).toEqual([...plain, expected]);
  expect([sent[0] === plain[0], sent[1] === plain[1]]).toEqual([true, true]);
});

test('names what results refer to', () => {
  const messages = [...plain, result(text('x'), reference('A')), result(reference('B'), reference('A'))];
  expect([...referencedTools(messages)]).toEqual(['A', 'B']);
});
