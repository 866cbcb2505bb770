import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createClaims } from './claims';
import { DatabaseRefused, openDatabase, openDatabaseToRead } from './database';
import { SessionService } from './service';
import { SessionStore } from './store';

function dataFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-claims-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

const claimsIn = (folder: string) => createClaims({ folder, nativeBinding: undefined });

test('a session is one claimer’s until they let go', () => {
  const folder = dataFolder();
  const [one, other] = [claimsIn(folder), claimsIn(folder)];
  expect(other.heldElsewhere('s_1')).toBe(false);
  expect([one.take('s_1'), one.take('s_1'), other.take('s_1'), other.take('s_2')]).toEqual([true, true, false, true]);
  expect([one, other].map((claims) => [claims.heldElsewhere('s_1'), claims.heldElsewhere('s_2')])).toEqual([
    [false, true],
    [true, false],
  ]);
  one.dispose();
  expect([other.heldElsewhere('s_1'), other.take('s_1')]).toEqual([false, true]);
  other.dispose();
  expect(readdirSync(join(folder, 'at-work'))).toEqual([]);
});

test('what a killed process left behind holds nobody out and is cleared away', () => {
  const folder = dataFolder();
  mkdirSync(join(folder, 'at-work'));
  writeFileSync(join(folder, 'at-work', 's_1.dead.lock'), '');
  const claims = claimsIn(folder);
  expect(claims.take('s_1')).toBe(true);
  expect(readdirSync(join(folder, 'at-work'))).toEqual([expect.stringMatching(/^s_1\.[0-9a-f-]+\.lock$/)]);
  claims.dispose();
});

test('beside a workspace any number may open the folder; a second workspace may not', () => {
  const folder = dataFolder();
  const open = (use: 'alone' | 'beside') => openDatabase({ folder, nativeBinding: undefined, use });
  const first = open('beside');
  expect(first.hasWorkspace()).toBe(false);
  const workspace = open('alone');
  const second = open('beside');
  expect([first.hasWorkspace(), second.hasWorkspace(), workspace.hasWorkspace()]).toEqual([true, true, true]);
  expect(() => open('alone')).toThrow(DatabaseRefused);
  workspace.close();
  expect(first.hasWorkspace()).toBe(false);
  for (const opened of [first, second]) opened.close();
});

test('a folder is looked at without changing it, also while others work there', () => {
  const folder = dataFolder();
  expect(() => openDatabaseToRead({ folder, nativeBinding: undefined })).toThrow(DatabaseRefused);
  expect(readdirSync(folder)).toEqual([]);
  const workspace = openDatabase({ folder, nativeBinding: undefined });
  const reader = openDatabaseToRead({ folder, nativeBinding: undefined });
  expect(new SessionStore(reader, () => undefined).list()).toEqual([]);
  expect(() => reader.exec('delete from sessions')).toThrow('readonly');
  reader.close();
  workspace.close();
  writeFileSync(join(folder, 'gatehouse.db'), 'no database');
  expect(() => openDatabaseToRead({ folder, nativeBinding: undefined })).toThrow('damaged or not a Gatehouse database');
});

test('a service takes over what another process wrote, once, and tells its listeners', () => {
  const folder = dataFolder();
  const open = () => openDatabase({ folder, nativeBinding: undefined, use: 'beside' });
  const [here, there] = [open(), open()];
  const service = (opened: typeof here) =>
    new SessionService(new SessionStore(opened.database, () => undefined), () => 1);
  const [mine, theirs] = [service(here), service(there)];
  const model = { id: 'm', label: 'M', scripted: false };
  const sessionId = mine.create({ folder: '/f', title: 'T', mode: 'default', model });
  expect(theirs.state(sessionId).seq).toBe(1);
  mine.append(sessionId, { type: 'message.sent', messageId: 'u', text: 'hello' });
  const heard: number[] = [];
  theirs.listen({ onEvent: (_id, { seq }) => heard.push(seq), onLive: () => undefined, onListChange: () => undefined });
  theirs.catchUp(sessionId);
  theirs.catchUp(sessionId);
  expect(heard).toEqual([2]);
  expect(theirs.state(sessionId)).toEqual(mine.state(sessionId));
  expect(theirs.conversation(sessionId).messages()).toEqual(mine.conversation(sessionId).messages());
  for (const opened of [here, there]) opened.close();
});

test('a start repairs what nobody works in, and nothing else', () => {
  const folder = dataFolder();
  const run = openDatabase({ folder, nativeBinding: undefined, use: 'beside' });
  const model = { id: 'm', label: 'M', scripted: false };
  const running = new SessionService(new SessionStore(run.database, () => undefined), () => 1);
  const [left, claimed] = [0, 1].map(() => {
    const sessionId = running.create({ folder: '/f', title: 'T', mode: 'default', model });
    running.append(sessionId, { type: 'turn.started', turnId: 't', model });
    return sessionId;
  });
  run.claims.take(claimed ?? '');
  const workspace = openDatabase({ folder, nativeBinding: undefined });
  const service = new SessionService(new SessionStore(workspace.database, () => undefined), () => 2);
  service.repairInterrupted((sessionId) => !workspace.claims.heldElsewhere(sessionId));
  expect([left, claimed].map((sessionId) => service.state(sessionId ?? '').turn)).toEqual([
    null,
    { turnId: 't', startedAt: 1 },
  ]);
  running.append(claimed ?? '', { type: 'turn.finished', turnId: 't', outcome: 'done' });
  run.close();
  workspace.close();
});
