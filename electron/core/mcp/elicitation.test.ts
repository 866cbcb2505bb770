import { expect, it } from 'vitest';
import type { Question } from '#shared/session/ask';
import type { QuestionAnswers } from '../tools/tool';
import { elicit } from './elicitation';

const declined: QuestionAnswers = { answered: false, words: '' };

async function ask(url: string, choose: string | null) {
  const asked: Question[] = [];
  const result = await elicit(
    'shop',
    { mode: 'url', message: 'Pay \u202efirst.', url, elicitationId: 'e1' },
    {
      signal: new AbortController().signal,
      askPerson: (questions) => {
        asked.push(...questions);
        const [first] = questions;
        return Promise.resolve(
          choose === null || first === undefined
            ? declined
            : { answered: true, answers: { [first.question]: [choose] } },
        );
      },
    },
  );
  return { result, asked };
}

it.each([
  ['I open it', { action: 'accept' }],
  ['Decline', { action: 'decline' }],
  ['words of my own', { action: 'decline' }],
  [null, { action: 'decline' }],
])('a page is opened by the person alone: %s', async (choose, result) => {
  const found = await ask('https://pay.example.com/a?b=(c)', choose);
  expect(found.result).toEqual(result);
  expect(found.asked).toHaveLength(1);
  expect(found.asked[0]?.question).toMatch(
    /^The MCP server shop wants you to open a page of pay\.example\.com: Pay .*first\.$/,
  );
  expect(found.asked[0]?.question).not.toContain('\u202e');
  expect(found.asked[0]?.options[0]?.preview).toBe(
    'pay.example.com\n\nhttps://pay.example.com/a?b=(c)\n\nGatehouse sees nothing of what you enter there.',
  );
});

it.each([
  ['http://example.com/'],
  ['javascript:alert(1)'],
  ['file:///etc/passwd'],
  ['https://pay.example.com@evil.example/'],
  ['https://u:p@example.com/'],
  ['no address'],
  [`https://example.com/${'x'.repeat(2_000)}`],
])('nobody is asked to open %s', async (url) => {
  expect(await ask(url, 'I open it')).toEqual({ result: { action: 'decline' }, asked: [] });
});

it.each([
  ['http://127.0.0.1:3000/'],
  ['http://localhost:8080/x'],
  ['http://[::1]/'],
  ['https://xn--bcher-kva.example/'],
])('a person may open %s', async (url) => {
  expect((await ask(url, 'I open it')).result).toEqual({ action: 'accept' });
});
