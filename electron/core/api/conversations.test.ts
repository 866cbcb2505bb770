// Sessions, transcripts, search and export through a whole core, as a page asks for them.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, expect, test } from 'vitest';
import { type CoreWorld, disposeBuilt, startWorld } from '../faults/testing/coreWorld';
import { ConversationLines, text } from '../transcripts/testing/conversationLines';

let world: CoreWorld | undefined;
afterEach(async () => {
  await world?.dispose();
  world = undefined;
});
afterAll(disposeBuilt);

const everything = { parts: null, tool: null, verdict: null, folder: null, since: null, until: null, origin: null };

test('what was said is found, branched, exported, deleted and brought back; a transcript goes on as a session', async () => {
  const w = await startWorld();
  world = w;
  const client = w.client();
  const lines = new ConversationLines({ cwd: w.folder });
  lines.user('Look for the walrus.');
  lines.answer('m1', text('Nothing here.'));
  w.write('home/.claude/projects/-p/s1.jsonl', `${lines.lines.join('\n')}\n`);
  const session = await w.session();
  const changes: string[][] = [];
  client.on('sessions.changed', ({ sessions }) => void changes.push(sessions.map(({ sessionId }) => sessionId)));

  await session.turn({ calls: [{ name: 'Bash', input: { command: 'echo walrus' } }] }, 'A walrus, after all.');
  await expect
    .poll(async () => {
      const question = { text: 'walrus', filter: everything, from: 0, count: 20 };
      const { hits } = await client.call('search.find', question);
      return hits.map(({ in: place, part }) => `${place.kind} ${part}`).sort();
    })
    .toEqual(['session answer', 'session call', 'session output', 'transcript message']);

  const [person] = session.state().items;
  const messageId = person?.kind === 'user' ? person.messageId : '';
  const branch = await client.call('sessions.branch', { sessionId: session.id, messageId });
  expect(branch.text).toBe(person?.kind === 'user' ? person.text : null);
  const exported = await client.call('sessions.export', {
    ...{ in: { kind: 'session', sessionId: session.id }, format: 'markdown', redact: true },
  });
  expect(exported.text).toContain('A walrus, after all.');

  await client.call('sessions.mark', { sessionId: session.id, pinned: true });
  await client.call('sessions.delete', { sessionId: session.id });
  const gone = { code: 'notFound' };
  const asked = { in: { kind: 'session', sessionId: session.id } as const, format: 'json' as const, redact: true };
  await expect(client.call('sessions.export', asked)).rejects.toMatchObject(gone);
  await expect(client.call('sessions.subscribe', { sessionId: session.id })).rejects.toMatchObject(gone);
  await expect(client.call('sessions.branch', { sessionId: session.id, messageId })).rejects.toMatchObject(gone);
  const { hits } = await client.call('search.find', { text: 'walrus', filter: everything, from: 0, count: 20 });
  expect(hits.map(({ in: place }) => place.kind)).toEqual(['transcript']);
  await client.call('sessions.undelete', { sessionId: session.id });
  const { sessions } = await client.call('sessions.list', {});
  expect(sessions.find(({ sessionId }) => sessionId === session.id)).toMatchObject({ pinned: true, archived: false });
  expect(changes.at(-1)).toContain(session.id);

  const [transcript] = (await client.call('transcripts.list', {})).transcripts;
  expect(transcript).toMatchObject({ title: 'Look for the walrus.', folder: w.folder, continuedAs: [] });
  expect(transcript?.goesAt).toBe((transcript?.updatedAt ?? 0) + 30 * 86_400_000);
  const id = transcript?.id ?? '';
  const { sessionId } = await client.call('transcripts.continue', { id });
  const opened = await client.call('transcripts.open', { id });
  expect([opened.skipped, opened.state.items.length, opened.summary.continuedAs]).toEqual([0, 2, [sessionId]]);
  const own = await w.reopen(sessionId);
  await own.turn('Found it.');
  expect(own.state().items.map((item) => item.kind)).toEqual(['user', 'assistant', 'user', 'assistant']);
  expect([w.model.faults, w.errors, w.logFaults()]).toEqual([[], [], []]);

  writeFileSync(join(w.home, '.claude/settings.json'), '{"cleanupPeriodDays": 7}');
  const [later] = (await client.call('transcripts.list', {})).transcripts;
  expect(later?.goesAt).toBe((later?.updatedAt ?? 0) + 7 * 86_400_000);
}, 60_000);
