import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { TranscriptFolder } from '../history/testing/transcripts';
import { resultsOf } from '../results/names';
import { ReadingEngine } from '../search/worker/readingEngine';
import { Branching } from '../sessions/branching';
import { openDatabase } from '../sessions/database';
import { SessionService } from '../sessions/service';
import { SessionStore } from '../sessions/store';
import { continueTranscript } from './continueTranscript';
import { ConversationLines, text } from './testing/conversationLines';

const model = { id: 'own', label: 'Own', scripted: false };

let folder: TranscriptFolder;
let reading: ReadingEngine;
let sessions: SessionService;
let branching: Branching;
let close: () => void;
let project: string;

beforeEach(() => {
  folder = new TranscriptFolder();
  project = join(folder.root, 'project');
  mkdirSync(project);
  const opened = openDatabase({ folder: folder.data, nativeBinding: undefined });
  const store = new SessionStore(opened.database, () => undefined);
  let time = 1_000;
  const now = () => ++time;
  sessions = new SessionService(store, now);
  branching = new Branching({ store, sessions, resultsRoot: join(folder.data, 'projects'), untitled: 'New', now });
  close = () => opened.close();
  reading = new ReadingEngine(
    { claudeConfig: folder.claudeConfig, data: folder.data, home: folder.root, nativeBinding: undefined },
    { onState: () => undefined, onTranscripts: () => undefined },
  );
});
afterEach(async () => {
  await reading.dispose();
  close();
  folder.dispose();
});

async function goOn(lines: ConversationLines): Promise<string> {
  folder.write('-p/s1.jsonl', lines.lines);
  const [found] = (await reading.ask('transcripts', {})).transcripts;
  return await continueTranscript({
    ...{ id: found?.id ?? '', branching, model },
    read: (question) => reading.ask('events', question),
  });
}

test('a session of one’s own begins with all of it, as any model can take it up', async () => {
  const lines = new ConversationLines({ cwd: project });
  const results = folder.path('-p/s1/tool-results');
  mkdirSync(results, { recursive: true });
  writeFileSync(join(results, 't1.txt'), 'the whole output');
  lines.user('Go.');
  lines.answer('m1', { type: 'thinking', thinking: 'hm', signature: 'of another' });
  lines.answer('m1', { type: 'server_tool_use', id: 's1', name: 'web_search', input: {} });
  lines.call('m1', { use: 't1' });
  lines.result(
    't1',
    `<persisted-output>\nOutput too large (9KB). Full output saved to: ${join(results, 't1.txt')}\n\nPreview (first 2KB):\nthe\n</persisted-output>`,
  );
  lines.call('m2', { use: 't2' });
  lines.user('Never mind.');
  const before = lines.lines.join('\n');
  const sessionId = await goOn(lines);
  const state = sessions.state(sessionId);
  expect([state.title, state.folder, state.model, state.usage.inputTokens]).toEqual(['Go.', project, model, 0]);
  const [found] = (await reading.ask('transcripts', {})).transcripts;
  expect(sessions.list()).toMatchObject([
    { sessionId, origin: { kind: 'transcript', id: found?.id, title: 'Go.', file: folder.path('-p/s1.jsonl') } },
  ]);
  const messages = sessions.conversation(sessionId).messages();
  expect(
    messages.map(({ role, content }) =>
      [role, ...content].map((part) => (typeof part === 'object' ? part.type : part)),
    ),
  ).toEqual([
    ['user', 'text'],
    ['assistant', 'tool_use'],
    ['user', 'tool_result'],
    ['assistant', 'tool_use'],
    ['user', 'tool_result', 'text'],
  ]);
  const own = join(resultsOf(join(folder.data, 'projects'), { folder: project, sessionId }), 't1.txt');
  expect(JSON.stringify(messages)).toContain(own);
  expect(JSON.stringify(messages)).not.toContain(results);
  expect(readFileSync(own, 'utf8')).toBe('the whole output');
  // Claude Code's file is its own: no second name, no change.
  expect(statSync(join(results, 't1.txt')).nlink).toBe(1);
  expect(readFileSync(folder.path('-p/s1.jsonl'), 'utf8')).toBe(`${before}\n`);
});

test('a summary stands for what came before it, as before', async () => {
  const lines = new ConversationLines({ cwd: project });
  for (let count = 0; count < 300; count += 1) {
    lines.call(`m${count}`, { use: `t${count}` });
    lines.result(`t${count}`, `result ${count}`);
  }
  lines.user('In short: 300 calls.', { isCompactSummary: true });
  lines.answer('last', text('I go on.'));
  const sessionId = await goOn(lines);
  const [first, ...rest] = sessions.conversation(sessionId).messages();
  expect(JSON.stringify(first)).toContain('In short: 300 calls.');
  expect(rest.map(({ role }) => role)).toEqual(['assistant', 'user']);
  expect(Object.keys(sessions.state(sessionId).calls)).toHaveLength(300);
});

test.each<[string, Record<string, unknown>, string, string]>([
  ['is gone', {}, 'notFound', 'does not exist any more'],
  ['is not named', { cwd: null }, 'refused', 'does not say'],
])('where its folder %s it does not go on, and nothing is made', async (_name, envelope, code, words) => {
  const lines = new ConversationLines({ cwd: project, ...envelope });
  lines.user('Go.');
  rmSync(project, { recursive: true });
  await expect(goOn(lines)).rejects.toMatchObject({ code, message: expect.stringContaining(words) });
  expect(sessions.list()).toEqual([]);
});
