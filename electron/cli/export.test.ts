import { mkdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { SessionEventBody } from '#shared/session/events';
import { openDatabase } from '../core/sessions/database';
import { SessionStore } from '../core/sessions/store';
import { memoryHost } from './testing/memoryHost';

function hostWithSession() {
  const host = memoryHost();
  const data = join(host.root, 'data');
  mkdirSync(data);
  const opened = openDatabase({ folder: data, nativeBinding: undefined });
  const store = new SessionStore(opened.database, () => undefined);
  const title = `Tides of ${host.home}`;
  const model = { id: 'm', label: 'M', scripted: false };
  const bodies: SessionEventBody[] = [
    { type: 'session.created', folder: '/srv/app', title, mode: 'default', model, network: false },
    { type: 'message.sent', messageId: 'u1', text: 'When is <b>high</b> tide?' },
  ];
  for (const sessionId of ['s1', 's2']) {
    store.create({ sessionId, title, folder: '/srv/app', at: 900 });
    for (const [index, body] of bodies.entries()) store.append(sessionId, { seq: index + 1, at: 900, body });
  }
  store.delete('s2', 1_000);
  opened.close();
  return host;
}

it('prints the conversation without the home folder, and says beside it what was taken out', async () => {
  const { code, out, err } = await hostWithSession().run('export', 'last');
  expect(code).toBe(0);
  expect(out).toMatch(/^# Tides of \\~\n/);
  expect(out).toContain('> When is \\<b>high\\</b> tide?');
  expect(err).toContain('Taken out: home folder, 1 time, as in: Tides of ~');
});

it('writes a file that only its owner can read', async () => {
  const host = hostWithSession();
  const { code, out, err } = await host.run('export', 's1', '--format', 'html', '--no-redact', '-o', 'page.html');
  const file = join(host.folder, 'page.html');
  expect([code, out, err]).toEqual([0, '', `Written: ${file}\nNothing was taken out. Keep it to yourself.`]);
  expect(readFileSync(file, 'utf8')).toContain(`<title>Tides of ${host.home}</title>`);
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

it.each([
  [['export'], 'Name a session, or "last".', 3],
  [['export', 's1', 'more'], 'more is one word too many.', 3],
  [['export', 's1', '--format', 'pdf'], 'There is no format pdf. Known: markdown, json, html.', 3],
  [['export', 's2'], 'There is no session s2.', 3],
  [['export', 's1', '--data', 'nowhere'], 'There are no sessions in', 1],
  [['export', 's1', '--output', 'no/such/folder/x'], 'could not be written', 1],
])('refuses %j', async (args, message, expected) => {
  const { code, err } = await hostWithSession().run(...args);
  expect(code).toBe(expected);
  expect(err).toContain(message);
});
