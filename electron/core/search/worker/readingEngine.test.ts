import { randomUUID } from 'node:crypto';
import { rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { SearchFilter } from '#shared/api/search';
import type { SessionEventBody } from '#shared/session/events';
import { TranscriptFolder } from '../../history/testing/transcripts';
import { resultsOf } from '../../results/names';
import { openDatabase } from '../../sessions/database';
import { SessionService } from '../../sessions/service';
import { SessionStore } from '../../sessions/store';
import { ConversationLines, text } from '../../transcripts/testing/conversationLines';
import { ReadingEngine } from './readingEngine';

const model = { id: 'm', label: 'M', scripted: false };
const usage = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 };
const presentation = { title: 'Bash', summary: '', activity: '', icon: 'terminal' as const };
const all: SearchFilter = {
  parts: null,
  tool: null,
  verdict: null,
  folder: null,
  since: null,
  until: null,
  origin: null,
};

let folder: TranscriptFolder;
let engine: ReadingEngine;
let sessions: SessionService;
let close: () => void;
let told: number;
let time: number;

const start = () =>
  new ReadingEngine(
    { claudeConfig: folder.claudeConfig, data: folder.data, home: folder.root, nativeBinding: undefined },
    { onState: () => undefined, onTranscripts: () => (told += 1) },
  );

beforeEach(() => {
  folder = new TranscriptFolder();
  const opened = openDatabase({ folder: folder.data, nativeBinding: undefined });
  time = 1_000;
  sessions = new SessionService(new SessionStore(opened.database, () => undefined), () => ++time);
  close = () => opened.close();
  told = 0;
  engine = start();
});
afterEach(async () => {
  await engine.dispose();
  close();
  folder.dispose();
});

function session(title: string, ...bodies: SessionEventBody[]): string {
  const sessionId = sessions.create({ folder: `/srv/${title}`, title, mode: 'default', model });
  for (const body of bodies) sessions.append(sessionId, body);
  return sessionId;
}

const sent = (messageId: string, words: string): SessionEventBody => ({ type: 'message.sent', messageId, text: words });
const said = (messageId: string, words: string): SessionEventBody[] => [
  { type: 'assistant.started', messageId },
  { type: 'assistant.block', messageId, index: 0, block: { type: 'text', text: words } },
  { type: 'assistant.finished', messageId, stopReason: 'end_turn', usage },
];
const called = (callId: string, input: Record<string, string>, name = 'Bash'): SessionEventBody => {
  const messageId = callId.replace(/\.\d+$/, '');
  return { type: 'call.created', callId, messageId, name, input, presentation };
};
const ended = (callId: string, words: string): SessionEventBody => ({
  type: 'call.finished',
  ...{ callId, status: 'succeeded', content: [{ type: 'text', text: words }], view: null, note: '' },
});

async function find(words: string, filter: Partial<SearchFilter> = {}, page = { from: 0, count: 20 }) {
  await engine.ask('whenRead', {});
  return await engine.ask('find', { text: words, filter: { ...all, ...filter }, ...page });
}

async function hits(words: string, filter: Partial<SearchFilter> = {}): Promise<string[]> {
  const found = await find(words, filter);
  return found.hits.map(({ title, part, messageId, callId }) => `${title} ${part} ${callId ?? messageId}`);
}

function transcript(name: string, ...more: ((lines: ConversationLines) => void)[]): string {
  const lines = new ConversationLines({ sessionId: name });
  lines.user(`Begin ${name}.`, { uuid: `u-${name}` });
  for (const add of more) add(lines);
  return folder.write(`-srv-app/${name}.jsonl`, lines.lines);
}

test('finds messages, answers, calls and outputs of sessions and transcripts, with where they stand', async () => {
  const sessionId = session('one', sent('u1', 'Where is the walrus?'), ...said('m1', 'The walrus sleeps.'));
  for (const body of [called('m2.0', { command: 'ls walrus' }), ended('m2.0', 'walrus.txt\n')])
    sessions.append(sessionId, body);
  transcript('two', (lines) => {
    lines.answer('x1', text('No walrus here.'));
    lines.call('x1', { use: 't1', input: { command: 'grep walrus -r' } });
    lines.result('t1', 'a walrus, after all');
  });
  expect((await hits('walrus')).sort()).toEqual([
    'Begin two. answer x1',
    'Begin two. call x1.1',
    'Begin two. output x1.1',
    'one answer m1',
    'one call m2.0',
    'one message u1',
    'one output m2.0',
  ]);
  const snippets = (await find('walrus')).hits.map(({ snippet }) => snippet.map((piece) => piece.text).join(''));
  expect(snippets).toEqual(expect.arrayContaining(['Where is the walrus?', 'No walrus here.', 'walrus.txt']));
  const found = await find('sleeps');
  expect(found).toMatchObject({ total: 1, conversations: 1, state: { phase: 'idle', done: 2, conversations: 2 } });
  expect(found.hits).toEqual([
    {
      in: { kind: 'session', sessionId },
      ...{ title: 'one', folder: '/srv/one', part: 'answer', tool: null, verdict: null, messageId: 'm1', callId: null },
      at: expect.any(Number),
      snippet: [
        { text: 'The walrus ', hit: false },
        { text: 'sleeps', hit: true },
        { text: '.', hit: false },
      ],
    },
  ]);
  const [inTranscript] = (await find('after all')).hits;
  const { transcripts } = await engine.ask('transcripts', {});
  expect(inTranscript?.in).toEqual({ kind: 'transcript', id: transcripts[0]?.id });
});

test.each<[string, string, string[]]>([
  ['words in any order', 'fox quick', ['one message u1']],
  ['the last word as a beginning', 'quick bro', ['one message u1']],
  ['not so the first', 'qui brown', []],
  ['a word that a blank ends is whole', 'bro ', ['one message u1']],
  ['quoted as it stands', '"quick brown"', ['one message u1']],
  ['quoted in another order', '"brown quick"', []],
  ['a quotation that has no end', '"quick brown', ['one message u1']],
  ['without accents', 'uber naive', ['one message u1']],
  ['signs of the query language', 'quick AND NOT (fox* OR ^brown) : -', []],
  ['a path', 'src/walk.ts', ['one message u1']],
  ['a column filter', 'text:quick', []],
  ['near', 'NEAR(quick fox)', []],
  ['only signs', '&& -- "" *', []],
  ['one quotation sign', '"', []],
])('what a person types is sought: %s', async (_name, words, expected) => {
  session('one', sent('u1', 'The quick brown fox, über naïve, looks at src/walk.ts now.'));
  session('two', sent('u2', 'Something else.'));
  // The text is trimmed on its way to the core.
  expect(await hits(words.trim())).toEqual(expected);
});

test('filters leave out what they say', async () => {
  const first = session('app', sent('u1', 'needle'), called('m1.0', { command: 'needle' }));
  const allow = { behavior: 'allow' as const, reason: { type: 'noPermissionNeeded' as const }, parts: [] };
  for (const body of [
    { type: 'call.decided' as const, callId: 'm1.0', decision: allow },
    ended('m1.0', 'needle'),
    called('m1.1', { pattern: 'needle' }, 'Grep'),
    { type: 'call.decided' as const, callId: 'm1.1', decision: { ...allow, behavior: 'deny' as const } },
  ])
    sessions.append(first, body);
  time = 5_000;
  session('app2', sent('u2', 'needle'));
  transcript('old', (lines) => {
    lines.call('x1', { use: 't1', input: { command: 'needle' } });
    lines.result('t1', 'Permission to use Bash with needle has been denied.', { is_error: true });
  });
  const sorted = async (filter: Partial<SearchFilter>) => (await hits('needle', filter)).sort();
  const old = ['Begin old. call x1.0', 'Begin old. output x1.0'];
  expect(await sorted({ origin: 'claudeCode' })).toEqual(old);
  expect(await sorted({ folder: '/srv/app' })).toEqual([
    ...old,
    ...['app call m1.0', 'app call m1.1', 'app message u1', 'app output m1.0'],
  ]);
  expect(await sorted({ folder: '/srv/app', origin: 'gatehouse', parts: ['message'] })).toEqual(['app message u1']);
  expect(await sorted({ tool: 'Grep' })).toEqual(['app call m1.1']);
  expect(await sorted({ verdict: 'allow' })).toEqual(['app call m1.0', 'app output m1.0']);
  expect(await sorted({ verdict: 'deny' })).toEqual(['Begin old. output x1.0', 'app call m1.1']);
  expect(await sorted({ since: 5_000, origin: 'gatehouse' })).toEqual(['app2 message u2']);
  expect(await sorted({ until: 4_999, parts: ['message'] })).toEqual(['app message u1']);
  expect(await sorted({ parts: [] })).toEqual([]);
});

test('a question to the person counts as one, whatever was answered', async () => {
  const ask = {
    kind: 'question' as const,
    askId: 'k',
    questions: [{ question: 'q', header: 'h', multiSelect: false, options: [] }],
  };
  const decision = {
    behavior: 'allow' as const,
    reason: { type: 'user' as const, answer: 'once' as const },
    parts: [],
  };
  session(
    'one',
    called('m1.0', { command: 'needle' }),
    { type: 'call.asked', callId: 'm1.0', ask },
    { type: 'call.decided', callId: 'm1.0', decision },
    ended('m1.0', 'needle'),
  );
  expect(await hits('needle', { verdict: 'ask' })).toHaveLength(2);
});

test('goes on where it was: new events and lines, of a running program as of the next', async () => {
  const sessionId = session('one', called('m1.0', { command: 'first' }));
  const path = transcript('two', (lines) => lines.call('x1', { use: 't1' }));
  expect(await hits('first')).toEqual(['one call m1.0']);
  await engine.dispose();
  engine = start();
  sessions.append(sessionId, ended('m1.0', 'second'));
  sessions.append(sessionId, { type: 'session.renamed', title: 'renamed' });
  const more = new ConversationLines();
  more.call('x1', { use: 't2' });
  more.result('t1', 'second again');
  more.result('t2', 'second once more');
  folder.append('-srv-app/two.jsonl', `${more.lines.join('\n')}\n{"half a li`);
  expect((await hits('second')).sort()).toEqual([
    'Begin two. output x1.0',
    'Begin two. output x1.1',
    'renamed output m1.0',
  ]);
  folder.append('-srv-app/two.jsonl', 'ne":1}\n');
  expect(await hits('second once')).toEqual(['Begin two. output x1.1']);
  // Another file under the same name is another conversation.
  rmSync(path);
  transcript('two', (lines) => lines.answer('y1', text('second life')));
  expect((await hits('second')).sort()).toEqual(['Begin two. answer y1', 'renamed output m1.0']);
});

test('a deleted session is gone from the finds at once, and back when it comes back', async () => {
  const sessionId = session('one', sent('u1', 'needle'));
  transcript('two', (lines) => lines.answer('x1', text('needle')));
  expect(await hits('needle')).toHaveLength(2);
  sessions.delete(sessionId);
  const { hits: now } = await engine.ask('find', { text: 'needle', filter: all, from: 0, count: 9 });
  expect(now.map(({ title }) => title)).toEqual(['Begin two.']);
  sessions.undelete(sessionId);
  expect(await hits('needle')).toHaveLength(2);
  rmSync(folder.path('-srv-app/two.jsonl'));
  expect(await hits('needle')).toEqual(['one message u1']);
});

test('kept results are found by their start and their end; a file that is none of them is not read', async () => {
  const sessionId = session('one', called('m1.0', { command: 'x' }), called('m1.1', { command: 'x' }));
  const results = resultsOf(join(folder.data, 'projects'), { folder: '/srv/one', sessionId });
  const kept = join(results, 'big.txt');
  const secret = join(folder.root, 'secret.txt');
  writeFileSync(secret, 'needle in a secret');
  folder.write('x.jsonl', []);
  const { mkdirSync } = await import('node:fs');
  mkdirSync(results, { recursive: true });
  writeFileSync(kept, `needlestart ${'x '.repeat(100_000)} needleend`);
  symlinkSync(secret, join(results, 'link.txt'));
  const preview = (file: string) => ({ persisted: { file, bytes: 9, previewChars: 1 } });
  sessions.append(sessionId, { ...ended('m1.0', 'preview'), ...preview(kept) } as SessionEventBody);
  sessions.append(sessionId, {
    ...ended('m1.1', 'preview'),
    ...preview(join(results, 'link.txt')),
  } as SessionEventBody);
  expect(await hits('needlestart')).toEqual(['one output m1.0']);
  expect(await hits('needleend')).toEqual(['one output m1.0']);
  expect(await hits('secret')).toEqual([]);
  expect(await hits('preview')).toEqual(['one output m1.1']);
});

test('what cannot be seen is not in a snippet', async () => {
  session('one', sent('u1', 'before \u001b[31mneedle\u001b[0m \u202eevil\u0001 af\u0000ter\nnext  line'));
  const [hit] = (await find('needle')).hits;
  expect(hit?.snippet).toEqual([
    { text: 'before ', hit: false },
    { text: 'needle', hit: true },
    { text: ' evil af ter next line', hit: false },
  ]);
});

test('finds come best first, the younger of equals first, page by page', async () => {
  session('old', sent('u1', 'needle and hay'));
  session('new', sent('u2', 'needle and hay'));
  session('best', sent('u3', 'needle needle'));
  const page = async (from: number, count: number) =>
    (await find('needle', {}, { from, count })).hits.map(({ title }) => title);
  expect(await page(0, 10)).toEqual(['best', 'new', 'old']);
  expect([await page(0, 1), await page(1, 2), await page(3, 9)]).toEqual([['best'], ['new', 'old'], []]);
});

test('a damaged index is made anew', async () => {
  session('one', sent('u1', 'needle'));
  expect(await hits('needle')).toHaveLength(1);
  await engine.dispose();
  writeFileSync(join(folder.data, 'search.sqlite'), `not a database ${randomUUID()}`.repeat(100));
  engine = start();
  expect(await hits('needle')).toHaveLength(1);
});

test('lists transcripts by the title that they have, the youngest first, without those that nobody spoke in', async () => {
  const at = (name: string, second: number) => utimesSync(folder.path(`-srv-app/${name}.jsonl`), second, second);
  transcript('a');
  transcript('b', (lines) => lines.line({ type: 'summary', summary: 'In sum', leafUuid: 'x' }));
  transcript('c', (lines) => {
    lines.line({ type: 'custom-title', customTitle: 'My\u202e own' });
    lines.line({ type: 'summary', summary: 'Other' });
  });
  folder.write('-srv-app/d.jsonl', [JSON.stringify({ type: 'file-history-snapshot', snapshot: {} })]);
  const long = new ConversationLines({ cwd: '/srv/long' });
  long.user([text('<ide_opened_file>x</ide_opened_file>'), text(`Long ${'word '.repeat(80)}`)]);
  for (let count = 0; count < 40; count += 1) long.answer(`m${count}`, text('x'.repeat(10_000)));
  long.line({ type: 'ai-title', aiTitle: '' });
  folder.write('-srv-long/e.jsonl', long.lines);
  for (const [index, name] of ['a', 'b', 'c'].entries()) at(name, 1_000 + index);
  symlinkSync(folder.path('-srv-app/a.jsonl'), folder.path('-srv-app/link.jsonl'));
  const { transcripts, truncated } = await engine.ask('transcripts', {});
  expect(transcripts.map(({ title, folder: of }) => [title, of])).toEqual([
    [`Long ${'word '.repeat(23).trim()}…`, '/srv/long'],
    ['My\\u{202e} own', '/srv/app'],
    ['In sum', '/srv/app'],
    ['Begin a.', '/srv/app'],
  ]);
  expect([truncated, new Set(transcripts.map(({ id }) => id)).size]).toEqual([false, 4]);
  expect(transcripts[3]).toMatchObject({ file: folder.path('-srv-app/a.jsonl'), updatedAt: 1_000_000 });
});

test('opens one as a session, part by part', async () => {
  transcript('one', (lines) => {
    for (let count = 0; count < 30; count += 1) {
      lines.call(`m${count}`, { use: `t${count}` });
      lines.result(`t${count}`, 'y'.repeat(20_000));
    }
    lines.raw('{"damaged"');
    lines.answer('last', text('The end.'));
  });
  const [found] = (await engine.ask('transcripts', {})).transcripts;
  const id = found?.id ?? '';
  const opened = await engine.ask('open', { id, items: 3 });
  expect([opened.skipped, opened.state.firstItem, opened.state.callsMade]).toEqual([1, 29, 30]);
  expect(opened.state.items.map((item) => 'messageId' in item && item.messageId)).toEqual(['m28', 'm29', 'last']);
  const before = await engine.ask('items', { id, at: { before: 29 }, count: 2 });
  expect(before.items.map((item) => 'messageId' in item && item.messageId)).toEqual(['m26', 'm27']);
  const places = await engine.ask('places', { id, text: 'The end', matchCase: true });
  expect(places.places.map(({ messageId, count }) => [messageId, count])).toEqual([['last', 1]]);
  const call = await engine.ask('call', { id, callId: 'm28.0' });
  expect('modelText' in call ? call.modelText.length : 0).toBe(20_000);
  await expect(engine.ask('call', { id, callId: 'toString' })).rejects.toMatchObject({ code: 'notFound' });
  await expect(engine.ask('items', { id, at: { messageId: 'x' }, count: 2 })).rejects.toMatchObject({
    code: 'notFound',
  });
  rmSync(folder.path('-srv-app/one.jsonl'));
  await expect(engine.ask('open', { id, items: 3 })).rejects.toMatchObject({ code: 'notFound' });
  for (const other of ['../../secret', folder.path('-srv-app/one.jsonl'), ''])
    await expect(engine.ask('open', { id: other, items: 3 })).rejects.toMatchObject({ code: 'notFound' });
});

test('tells when transcripts come, grow and go, and not when nothing changes', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    transcript('one');
    await engine.ask('transcripts', {});
    const rounds = async (): Promise<number> => {
      await vi.advanceTimersByTimeAsync(70_000);
      for (let count = 0; count < 50; count += 1) await new Promise((resolve) => setImmediate(resolve));
      return told;
    };
    expect(await rounds()).toBe(0);
    transcript('two');
    expect(await rounds()).toBe(1);
    folder.append('-srv-app/two.jsonl', '{"type":"x"}\n');
    expect(await rounds()).toBe(2);
    rmSync(dirname(folder.path('-srv-app/two.jsonl')), { recursive: true });
    expect(await rounds()).toBe(3);
    expect(await rounds()).toBe(3);
  } finally {
    vi.useRealTimers();
  }
});
