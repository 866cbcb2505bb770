import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type OpenedDatabase, openDatabase } from '../../sessions/database';
import { SessionService } from '../../sessions/service';
import { SessionStore } from '../../sessions/store';
import { TranscriptFolder } from '../testing/transcripts';
import { HistoryIndex } from './historyIndex';

let folder: TranscriptFolder;
let opened: OpenedDatabase;
let sessions: SessionService;
let index: HistoryIndex;
let time: number;

beforeEach(() => {
  folder = new TranscriptFolder();
  opened = openDatabase({ folder: folder.data, nativeBinding: undefined });
  time = 1_000;
  sessions = new SessionService(new SessionStore(opened.database, () => undefined), () => ++time);
  index = new HistoryIndex({
    claudeConfig: folder.claudeConfig,
    data: folder.data,
    nativeBinding: undefined,
    onState: () => undefined,
    now: () => performance.now(),
  });
});
afterEach(async () => {
  await index.dispose();
  opened.close();
  folder.dispose();
});

const model = { id: 'm', label: 'M', scripted: false };
const presentation = { title: 'Bash', summary: '', activity: '', icon: 'terminal' as const };
const start = (at = '/srv/app') => sessions.create({ folder: at, title: 'T', mode: 'default', model });

function call(sessionId: string, callId: string, more: { agentId?: string; command?: string } = {}): void {
  const { command = `echo ${callId}`, ...rest } = more;
  sessions.append(sessionId, {
    type: 'call.created',
    callId,
    messageId: 'm1',
    name: 'Bash',
    input: { command },
    presentation,
    ...rest,
  });
}

const finish = (sessionId: string, callId: string, status: 'succeeded' | 'failed' | 'denied' | 'interrupted') =>
  sessions.append(sessionId, { type: 'call.finished', callId, status, content: [], view: null, note: '' });

const found = async () => {
  await index.read(0);
  return [...index.calls.calls({ folder: null, since: 0 })].reverse();
};

it('knows calls of the sessions here with folder, mode and end, and follows what comes', async () => {
  const id = start();
  call(id, 'a');
  finish(id, 'a', 'succeeded');
  sessions.append(id, { type: 'mode.changed', mode: 'acceptEdits' });
  sessions.append(id, { type: 'cwd.changed', cwd: '/srv/app/src' });
  call(id, 'b', { agentId: 'a_1' });
  const common = { origin: 'gatehouse', session: id, project: '/srv/app', tool: 'Bash' };
  const a = {
    ...common,
    id: 'a',
    cwd: '/srv/app',
    mode: 'default',
    isSubagent: false,
    outcome: 'ran',
    title: 'echo a',
  };
  const b = { ...common, id: 'b', cwd: '/srv/app/src', mode: 'acceptEdits', isSubagent: true, title: 'echo b' };
  expect(await found()).toMatchObject([a, { ...b, outcome: 'unknown' }]);
  finish(id, 'b', 'denied');
  call(id, 'c');
  expect(await found()).toMatchObject([a, { ...b, outcome: 'refused' }, { ...common, id: 'c', cwd: '/srv/app/src' }]);
  expect(index.state).toMatchObject({ calls: 3, sessions: 1, problem: '' });
});

it('takes the last end of a call that was put off', async () => {
  const id = start();
  call(id, 'a');
  finish(id, 'a', 'interrupted');
  expect(await found()).toMatchObject([{ id: 'a', outcome: 'unknown' }]);
  finish(id, 'a', 'failed');
  expect(await found()).toMatchObject([{ id: 'a', outcome: 'failed' }]);
  finish(id, 'a', 'succeeded');
  expect(await found()).toMatchObject([{ id: 'a', outcome: 'ran' }]);
});

it('forgets the calls of a session that was deleted', async () => {
  const [gone, stays] = [start(), start('/srv/other')];
  for (let at = 0; at < 1_000; at += 1) call(gone, `gone${at}`);
  call(stays, 'a');
  expect(await found()).toHaveLength(1_001);
  sessions.delete(gone);
  expect(await found()).toMatchObject([{ id: 'a', project: '/srv/other' }]);
  expect(index.state).toMatchObject({ calls: 1, sessions: 1 });
});

it('says so when the sessions cannot be read, and keeps what it knew', async () => {
  const id = start();
  call(id, 'a');
  await found();
  opened.close();
  const database = new Database(join(folder.data, 'gatehouse.db'));
  database.pragma('user_version = 99');
  database.close();
  expect(await found()).toMatchObject([{ id: 'a' }]);
  expect(index.state).toMatchObject({
    phase: 'idle',
    problem: expect.stringMatching(/^The calls of the sessions here are not all known: .+ another version/),
  });
});
