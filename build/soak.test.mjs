import { expect, it } from 'vitest';
import { pairingFaults } from './soak/pairing.mjs';
import { createRandom } from './soak/random.mjs';

const use = (id) => ({ type: 'tool_use', id, name: 'Bash', input: {} });
const result = (id) => ({ type: 'tool_result', tool_use_id: id, content: '' });
const text = { type: 'text', text: 'x' };
const talk = (...contents) =>
  contents.map((content, index) => ({ role: index % 2 === 0 ? 'user' : 'assistant', content }));

it.each([
  ['nothing but words', talk('a', [text]), []],
  ['calls with their results', talk('a', [text, use('1'), use('2')], [result('2'), result('1'), text]), []],
  ['a call without result', talk('a', [use('1')], [text]), ['message 1: Bash 1 has 0 results']],
  ['a call at the end', talk('a', [use('1')]), ['message 1: Bash 1 has 0 results']],
  ['two results', talk('a', [use('1')], [result('1'), result('1')]), ['message 1: Bash 1 has 2 results']],
  ['a result without call', talk('a', [text], [result('9')]), ['message 2: result 9 has no call']],
  ['a result behind words', talk('a', [use('1')], [text, result('1')]), ['message 2: a result follows other content']],
  ['an empty message', talk('a', []), ['message 1 is empty']],
  [
    'a beginning of the model',
    talk('a').map((one) => ({ ...one, role: 'assistant' })),
    ['the first message is not from the user'],
  ],
])('pairing: %s', (_name, messages, faults) => {
  expect(pairingFaults(messages)).toEqual(faults);
});

it('the same seed gives the same numbers, another one others', () => {
  const numbers = (seed) => {
    const random = createRandom(seed);
    return Array.from({ length: 50 }, () => random.below(1_000));
  };
  expect(numbers(7)).toEqual(numbers(7));
  expect(numbers(8)).not.toEqual(numbers(7));
  expect(new Set(numbers(7)).size).toBeGreaterThan(40);
});
