import { mkdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { traceEvents } from '#shared/trace/testing/traceEvents';
import { openDatabase } from '../core/sessions/database';
import { SessionStore } from '../core/sessions/store';
import { memoryHost } from './testing/memoryHost';

/** A data folder with the sample session; its title names the home folder. */
function hostWithSession() {
  const host = memoryHost();
  host.write('package.json', '{ "version": "1.2.3" }');
  const data = join(host.root, 'data');
  mkdirSync(data);
  const opened = openDatabase({ folder: data, nativeBinding: undefined });
  const store = new SessionStore(opened.database, () => undefined);
  store.create({ sessionId: 's1', title: `Tides of ${host.home}`, folder: '/srv/app', at: 900 });
  for (const event of traceEvents) store.append('s1', event);
  opened.close();
  return host;
}

it('prints our own JSON without the home folder, and says beside it what was taken out', async () => {
  const { code, out, err } = await hostWithSession().run('trace', 'export', 's1');
  expect(code).toBe(0);
  expect(JSON.parse(out)).toMatchObject({ format: 'gatehouse-trace', session: { title: 'Tides of ~' } });
  expect(err).toContain('Taken out: home folder, 1 time, as in: Tides of ~');
  expect(err).toContain('Look through it');
});

it('writes spans to a file that only its owner can read', async () => {
  const host = hostWithSession();
  const { code, out, err } = await host.run('trace', 'export', 'last', '--format', 'otlp', '--output', 'spans.json');
  const file = join(host.folder, 'spans.json');
  expect([code, out]).toEqual([0, '']);
  expect(err).toContain(`Written: ${file}`);
  expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({
    resourceSpans: [{ scopeSpans: [{ scope: { name: 'gatehouse.trace', version: '1.2.3' } }] }],
  });
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

it('leaves everything in where that is asked for, and says so', async () => {
  const host = hostWithSession();
  const { out, err } = await host.run('trace', 'export', 's1', '--no-redact');
  expect(JSON.parse(out)).toMatchObject({ session: { title: `Tides of ${host.home}`, folder: '/srv/app' } });
  expect(err).toBe('Nothing was taken out. Keep it to yourself.');
});

it.each([
  [['trace', 'export'], 'Name a session, or "last".', 3],
  [['trace', 'export', 's1', 'more'], 'more is one word too many.', 3],
  [['trace', 'export', 's1', '--format', 'xml'], 'There is no format xml. Known: json, otlp.', 3],
  [['trace', 'export', 'nothing'], 'There is no session nothing. gatehouse trace lists them.', 3],
  [['trace', 'export', 's1', '--data', 'nowhere'], 'There are no sessions in', 1],
  [['trace', 'export', 's1', '--output', 'no/such/folder/x'], 'could not be written', 1],
])('refuses %j', async (args, message, expected) => {
  const { code, out, err } = await hostWithSession().run(...args);
  expect([code, out]).toEqual([expected, '']);
  expect(err).toContain(message);
});
