import { expect, it } from 'vitest';
import type { ModelChoice } from '#shared/session/events';
import { type Play, type PlayedModel, playModel } from '../testing/playedModel';
import { createPageReader, type PageQuestion } from './pageReader';

const choice = (id: string, scripted = false): ModelChoice => ({ id, label: id.toUpperCase(), scripted });
const never = new AbortController().signal;
const question = (more: Partial<PageQuestion> = {}): PageQuestion => ({
  sessionId: 's',
  prompt: 'Which version is current?',
  page: { url: 'https://example.org/', title: 'Releases', text: 'Version 4 is current.' },
  signal: never,
  ...more,
});

interface Ask {
  readonly plays: readonly Play[];
  readonly session?: ModelChoice;
  readonly offered?: () => Promise<readonly ModelChoice[]>;
}

function readerOf({ plays, session = choice('large'), offered = () => Promise.resolve([]) }: Ask) {
  const model: PlayedModel = playModel(...plays);
  let listed = 0;
  let now = 0;
  const ask = createPageReader({
    modelOf: () => session,
    clientFor: () => model.client,
    offered: () => {
      listed += 1;
      return offered();
    },
    now: () => now,
  });
  return { ask, requests: model.requests, listed: () => listed, advance: (ms: number) => (now += ms) };
}

const says = (text: string, stop?: string): Play => ({
  blocks: [{ type: 'text', text }],
  ...(stop === undefined ? {} : { stop }),
});

it('asks with the page as data that cannot end itself, and without any tool', async () => {
  const { ask, requests } = readerOf({ plays: [says('Version 4.')] });
  expect(await ask(question())).toEqual({ kind: 'answer', text: 'Version 4.', model: 'LARGE', cut: false });
  const [request] = requests;
  expect(request).toMatchObject({ model: 'large', max_tokens: 4_096 });
  expect(request).not.toHaveProperty('tools');
  const content = request?.messages[0]?.content ?? [];
  expect(content[0]?.text).toBe('The question:\nWhich version is current?');
  expect(content[1]?.text).toMatch(
    /^The page, as data: {"url":"https:\/\/example\.org\/","title":"Releases","onlyTheStart":false}\n(=== page [\da-f-]{36} ===)\nVersion 4 is current\.\n\1$/,
  );
});

it('reads with a small model of the server, whose list is asked for once in ten minutes', async () => {
  const offered = () => Promise.resolve([choice('claude-opus'), choice('claude-haiku')]);
  const { ask, requests, listed, advance } = readerOf({ plays: [says('x')], offered });
  await ask(question());
  await ask(question());
  expect(requests.map((request) => request.model)).toEqual(['claude-haiku', 'claude-haiku']);
  expect(listed()).toBe(1);
  advance(600_001);
  await ask(question());
  expect(listed()).toBe(2);
});

it('reads with the session’s model where the list fails', async () => {
  const { ask, requests } = readerOf({ plays: [says('x')], offered: () => Promise.reject(new Error('no list')) });
  await ask(question());
  expect(requests.map((request) => request.model)).toEqual(['large']);
});

it('gives only the start of a long page', async () => {
  const { ask, requests } = readerOf({ plays: [says('x')] });
  const page = { url: 'https://example.org/', title: '', text: 'a'.repeat(150_000) };
  expect(await ask(question({ page }))).toMatchObject({ cut: true });
  expect(JSON.stringify(requests[0]).match(/a{1000,}/)?.[0]).toHaveLength(100_000);
});

it.each<readonly [string, Ask, object]>([
  [
    'a scripted model',
    { plays: [], session: choice('rehearsal', true) },
    { kind: 'none', why: 'this session’s model is scripted and cannot read' },
  ],
  ['an empty answer', { plays: [says(' ')] }, { kind: 'none', why: 'LARGE gave no answer' }],
  ['a refusal', { plays: [says('No', 'refusal')] }, { kind: 'none', why: 'LARGE declined to read it' }],
  [
    'an error of the server',
    { plays: [{ status: 500 }] },
    { kind: 'none', why: expect.stringMatching(/^LARGE could not be asked: ./) },
  ],
  [
    'an answer that is cut off',
    { plays: [says('Half', 'max_tokens')] },
    { kind: 'answer', text: 'Half\n\n[The answer was cut off here for its length.]' },
  ],
])('%s', async (_, how, expected) => {
  expect(await readerOf(how).ask(question())).toMatchObject(expected);
});

it('ends with the call', async () => {
  const stop = new AbortController();
  const { ask, requests } = readerOf({ plays: ['silence'] });
  const asking = ask(question({ signal: stop.signal }));
  const timer = setInterval(() => {
    if (requests.length > 0) stop.abort(new Error('stopped'));
  }, 5);
  await expect(asking).rejects.toThrow('stopped');
  clearInterval(timer);
});
