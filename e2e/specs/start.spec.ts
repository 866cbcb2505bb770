// Starts that must be refused, each with the cause and the next step, and without changing anything.
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { startRefused } from '../fixtures/app';
import { connectRpc } from '../fixtures/rpcClient';
import { expect, test } from '../fixtures/test';

test('a database of a newer version is refused and left as it is', async ({ world }) => {
  mkdirSync(world.data, { recursive: true });
  const file = join(world.data, 'gatehouse.db');
  const database = new Database(file);
  database.exec('create table future (x); insert into future values (1)');
  database.pragma('user_version = 9999');
  database.close();
  const before = createHash('sha256').update(readFileSync(file)).digest('hex');
  const { mtimeMs } = statSync(file);

  const ended = await startRefused({ world });

  expect(ended.code).toBeGreaterThan(0);
  expect(ended.printed).toMatch(/newer Gatehouse/);
  expect(ended.printed).toContain(file);
  expect(ended.printed).toContain('9999');
  expect(ended.printed, 'no stack trace').not.toMatch(/\n\s+at /);
  expect(ended.printed).not.toContain('READY');
  expect(createHash('sha256').update(readFileSync(file)).digest('hex')).toBe(before);
  expect(statSync(file).mtimeMs).toBe(mtimeMs);
});

test('a file that is no database is refused and left as it is', async ({ world }) => {
  mkdirSync(world.data, { recursive: true });
  const file = join(world.data, 'gatehouse.db');
  writeFileSync(file, 'this is not a database, but somebody may need it'.repeat(100));
  const before = readFileSync(file, 'utf8');
  const ended = await startRefused({ world });
  expect(ended.code).toBeGreaterThan(0);
  expect(ended.printed).toMatch(/damaged|not a Gatehouse database/);
  expect(ended.printed).not.toMatch(/\n\s+at /);
  expect(readFileSync(file, 'utf8')).toBe(before);
});

test('a data folder that another Gatehouse uses is refused', async ({ launch, world }) => {
  await launch({ answeredBy: 'rehearsal' });
  const ended = await startRefused({ world });
  expect(ended.code).toBeGreaterThan(0);
  expect(ended.printed).toMatch(/already using|already runs/i);
  expect(ended.printed).not.toMatch(/\n\s+at /);
});

test('a port in use is named, with what to do', async ({ world }) => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  try {
    const ended = await startRefused({ world, args: ['--port', String(port)] });
    expect(ended.code).toBeGreaterThan(0);
    expect(ended.printed).toContain(String(port));
    expect(ended.printed).toMatch(/in use|taken/i);
    expect(ended.printed).toMatch(/--port|another/i);
    expect(ended.printed).not.toMatch(/\n\s+at /);
  } finally {
    await new Promise((resolve) => server.close(resolve));
  }
});

test('a port that is no port is refused', async ({ world }) => {
  const ended = await startRefused({ world, args: ['--port', 'eighty'] });
  expect(ended.code).toBeGreaterThan(0);
  expect(ended.printed).toMatch(/port/i);
  expect(ended.printed).toContain('eighty');
  expect(ended.printed).not.toMatch(/\n\s+at /);
});

test('a folder that cannot be used is refused with the cause', async ({ world, context, launch }) => {
  const app = await launch();
  const page = await context.newPage();
  await page.goto(app.url);
  const rpc = await connectRpc(app, context);
  try {
    await expect(rpc.call('sessions.create', { folder: join(world.root, 'nowhere') })).rejects.toThrow(
      /notFound: .*nowhere/,
    );
    await expect(rpc.call('sessions.create', { folder: world.workspace.at('package.json') })).rejects.toThrow(
      /(?:refused|notFound): .*not a folder/i,
    );
    await expect(rpc.call('host.browse', { path: join(world.root, 'nowhere') })).rejects.toThrow(/notFound: .*nowhere/);
    await expect(rpc.call('host.browse', { path: world.workspace.at('package.json') })).rejects.toThrow(
      /refused|notFound/,
    );
    expect(await rpc.sessions()).toEqual([]);
  } finally {
    rpc.close();
  }
});

test('a folder without permission is refused with the cause', async ({ world, context, launch }) => {
  test.skip(process.getuid?.() === 0, 'root may read every folder');
  const closed = join(world.root, 'closed');
  mkdirSync(closed, { mode: 0o000 });
  const app = await launch();
  const page = await context.newPage();
  await page.goto(app.url);
  const rpc = await connectRpc(app, context);
  try {
    await expect(rpc.call('sessions.create', { folder: closed })).rejects.toThrow(/refused: .*closed/);
    await expect(rpc.call('host.browse', { path: closed })).rejects.toThrow(/refused: .*closed/);
  } finally {
    rpc.close();
  }
});
