import { expect, test } from 'vitest';
import { chooseModel } from './chooseModel';

const model = (id: string, scripted = false) => ({ id, label: id, scripted });
const offered = [model('claude-opus-5'), model('claude-sonnet-5'), model('claude-sonnet-4'), model('rehearsal', true)];

test.each([
  ['claude-sonnet-4', 'claude-sonnet-4'],
  ['sonnet', 'claude-sonnet-5'],
  ['Opus', 'claude-opus-5'],
  ['inherit', 'own'],
  ['', 'own'],
  ['unknown', 'own'],
  ['rehearsal', 'own'],
])('%j is %s', async (wish, expected) => {
  expect((await chooseModel(wish, model('own'), () => Promise.resolve(offered))).id).toBe(expected);
});

test('a scripted session stays scripted', async () => {
  const own = model('rehearsal', true);
  expect(await chooseModel('opus', own, () => Promise.reject(new Error('not asked')))).toBe(own);
});
