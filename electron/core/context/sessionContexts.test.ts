// What sessions keep of their files, and when they look again.
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openDatabase } from '../sessions/database';
import { SessionService } from '../sessions/service';
import { SessionStore } from '../sessions/store';
import { SessionContexts } from './sessionContexts';

let base = '';
let trusted = true;
/** Whether the folder brings more than what was trusted. */
let grown = false;
let looked: (readonly string[])[] = [];
let sessions: SessionService;
let sessionId = '';
let contexts: SessionContexts;
const logged: unknown[] = [];

beforeEach(async () => {
  base = await realpath(await mkdtemp(join(tmpdir(), 'contexts-')));
  await mkdir(join(base, 'repo/sub'), { recursive: true });
  trusted = true;
  grown = false;
  looked = [];
  const { database } = openDatabase({ folder: ':memory:', nativeBinding: undefined });
  sessions = new SessionService(new SessionStore(database, () => undefined), () => 5);
  const model = { id: 'm', label: 'M', scripted: false };
  sessionId = sessions.create({ folder: join(base, 'repo'), title: 't', mode: 'default', model });
  contexts = new SessionContexts({
    paths: { home: base, claudeConfig: join(base, '.claude'), managedSettings: join(base, 'etc/x.json'), hidden: [] },
    sessions,
    isTrusted: () => trusted,
    stillTrusted: (_folder, defined) => {
      looked.push(Object.keys(defined));
      trusted &&= !grown;
      return trusted;
    },
    log: { info: () => undefined, warn: () => undefined, error: (_what, error) => logged.push(error) },
  });
});
afterEach(async () => {
  contexts.dispose();
  await rm(base, { recursive: true, force: true });
});

const put = (path: string, text: string) => writeFile(join(base, path), text);
const compacted = (agentId?: string) =>
  sessions.append(sessionId, {
    ...{ type: 'conversation.compacted', throughSeq: 1, summary: 's', trigger: 'manual', tokensBefore: 1 },
    ...(agentId === undefined ? {} : { agentId }),
  });

test('the text stays byte for byte until a compaction or a change of trust', async () => {
  await put('repo/CLAUDE.md', 'One.');
  const first = await contexts.system(sessionId);
  expect([first.fresh, first.text.includes('One.')]).toEqual([true, true]);
  await put('repo/CLAUDE.md', 'Two.');
  expect(await contexts.system(sessionId)).toEqual({ ...first, fresh: false });
  compacted('a1');
  expect((await contexts.system(sessionId)).text).toBe(first.text);
  compacted();
  expect((await contexts.system(sessionId)).text).toContain('Two.');
  trusted = false;
  const untrusted = await contexts.system(sessionId);
  expect([untrusted.text, untrusted.waiting]).toEqual(['', [join(base, 'repo/CLAUDE.md')]]);
  trusted = true;
  expect((await contexts.system(sessionId)).text).toContain('Two.');
});

test('commands are read when they are used; a file of the same name replaces a built-in agent', async () => {
  await mkdir(join(base, 'repo/.claude/commands'), { recursive: true });
  await mkdir(join(base, 'repo/.claude/agents'), { recursive: true });
  expect(await contexts.skill(sessionId, 'fix')).toBeUndefined();
  await put('repo/.claude/commands/fix.md', 'Fix it.');
  await put('repo/.claude/agents/Explore.md', 'Mine.');
  expect(await contexts.skill(sessionId, 'fix')).toMatchObject({ body: 'Fix it.' });
  const { agents } = await contexts.definitions(sessionId);
  expect(agents.map(({ name, source }) => [name, source])).toEqual([
    ['general-purpose', 'builtIn'],
    ['Explore', 'project'],
  ]);
});

test('a conversation is told of a file once, each sub-agent for itself, and again after a compaction', async () => {
  await put('repo/sub/CLAUDE.md', 'Sub.');
  const paths = [join(base, 'repo/sub/x.ts')];
  const near = async (agentId?: string) =>
    (await contexts.near({ sessionId, paths, ...(agentId === undefined ? {} : { agentId }) })).map(({ text }) => text);
  expect([await near(), await near(), await near('a1'), await near('a1')]).toEqual([['Sub.'], [], ['Sub.'], []]);
  compacted();
  expect([await near(), await near('a1')]).toEqual([['Sub.'], []]);
  expect(logged).toEqual([]);
});

test('what brings rules or hooks is looked at with each reading; once it has grown nothing of the folder counts', async () => {
  const file = (name: string) => join(base, 'repo/.claude/commands', name);
  await mkdir(join(base, 'repo/.claude/commands'), { recursive: true });
  await mkdir(join(base, '.claude/commands'), { recursive: true });
  await put('repo/CLAUDE.md', 'One.');
  await put('repo/.claude/commands/free.md', '---\nallowed-tools: Bash(touch:*)\n---\nTouch.');
  await put('repo/.claude/commands/plain.md', 'Say hello.');
  await put('.claude/commands/own.md', '---\nallowed-tools: Bash(ls:*)\n---\nList.');
  expect((await contexts.skill(sessionId, 'free'))?.allow).toEqual(['Bash(touch:*)']);
  expect(looked).toEqual([[file('free.md')]]);
  grown = true;
  expect(await contexts.skill(sessionId, 'plain')).toBeUndefined();
  expect((await contexts.skill(sessionId, 'own'))?.allow).toEqual(['Bash(ls:*)']);
  expect((await contexts.listed(sessionId)).waiting).toEqual([
    join(base, 'repo/CLAUDE.md'),
    file('free.md'),
    file('plain.md'),
  ]);
  expect((await contexts.system(sessionId)).text).not.toContain('One.');
});
