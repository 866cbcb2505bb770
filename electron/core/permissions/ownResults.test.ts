// Kept results may be read without asking, by Read and in their own session; all else of the data folder stays shut.
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { PermissionEngine, PermissionRequest } from './engine';
import { createPermissionEngine } from './permissionEngine';
import { engineWorld } from './testing/engineWorld';

let base: string;
let engine: PermissionEngine;
const world = engineWorld(() => base);
const results = (session: string) => join(base, 'data/projects/p', session, 'tool-results');

beforeAll(async () => {
  base = await mkdtemp(join(tmpdir(), 'gatehouse-own-results-'));
  await mkdir(join(base, 'project'), { recursive: true });
  await mkdir(results('s'), { recursive: true });
  await mkdir(results('other'), { recursive: true });
  await writeFile(join(base, 'data/gatehouse.db'), '');
  for (const session of ['s', 'other']) await writeFile(join(results(session), 'kept.txt'), '');
  await writeFile(join(results('s'), 'denied.txt'), '');
  await symlink(join(base, 'data/gatehouse.db'), join(results('s'), 'leads-away.txt'));
  await symlink(join(results('s'), 'kept.txt'), join(base, 'project/link.txt'));
  await world.put(
    world.file.user(),
    world.permissions({ deny: ['Read(denied.txt)', `Read(/${results('s')}/denied.txt)`] }),
  );
  engine = createPermissionEngine({ ...world.engineOptions(), resultFolder: (sessionId) => results(sessionId) });
});

afterAll(async () => {
  await engine.dispose();
  await rm(base, { recursive: true, force: true });
});

function file(toolName: string, access: 'read' | 'write', path: string): PermissionRequest {
  const facts = [{ kind: 'path' as const, access, path }];
  const isReadOnly = access === 'read';
  return { toolName, isMcp: false, isReadOnly, input: { file_path: path }, facts, own: { behavior: 'passthrough' } };
}

it.each<[string, () => PermissionRequest, 'allow' | 'ask' | 'deny']>([
  ['its own result', () => file('Read', 'read', join(results('s'), 'kept.txt')), 'allow'],
  ['one that is not there yet', () => file('Read', 'read', join(results('s'), 'none.txt')), 'allow'],
  ['one that a rule denies', () => file('Read', 'read', join(results('s'), 'denied.txt')), 'deny'],
  ['a result of another session', () => file('Read', 'read', join(results('other'), 'kept.txt')), 'deny'],
  ['a link out of the results', () => file('Read', 'read', join(results('s'), 'leads-away.txt')), 'deny'],
  ['a link into the results', () => file('Read', 'read', join(base, 'project/link.txt')), 'deny'],
  ['a way out of the results', () => file('Read', 'read', join(results('s'), '../../../../gatehouse.db')), 'deny'],
  ['the folder of results', () => file('Read', 'read', results('s')), 'deny'],
  ['the database', () => file('Read', 'read', join(base, 'data/gatehouse.db')), 'deny'],
  ['a change of a result', () => file('Write', 'write', join(results('s'), 'kept.txt')), 'deny'],
  ['a search in the results', () => file('Grep', 'read', results('s')), 'deny'],
  ['a command that prints one', () => world.bash(`cat ${join(results('s'), 'kept.txt')}`), 'deny'],
  ['a command that writes one', () => world.bash(`echo x > ${join(results('s'), 'kept.txt')}`), 'deny'],
  ['a file of the project', () => file('Read', 'read', join(base, 'project/a.txt')), 'allow'],
])('%s: %#', async (_, request, behavior) => {
  for (const mode of ['default', 'plan', 'dontAsk'] as const) {
    const { decision } = await engine.evaluate(request(), world.situation({ mode }));
    expect({ mode, behavior: decision.behavior }).toEqual({ mode, behavior });
  }
});
