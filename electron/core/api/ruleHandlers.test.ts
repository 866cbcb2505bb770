// The page's calls about rules, over the real engine and files: what they give, and which code a refusal has.
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ruleCalls } from '#shared/api/rules';
import { createLinkedPair } from '#shared/rpc/linkedPair';
import { connect, serve } from '#shared/rpc/peer';
import { createPermissionEngine } from '../permissions/permissionEngine';
import { bench } from '../testing/bench';
import { ruleHandlers } from './ruleHandlers';

const {
  'rules.lint': _lint,
  'rules.try': _try,
  'rules.tests': _tests,
  'rules.setTests': _setTests,
  ...calls
} = ruleCalls;
const contract = { calls, events: {} };

let root: string;
let end: () => Promise<void>;
let call: ReturnType<typeof connect<typeof contract>>['call'];
let sessionId: string;
const user = () => join(root, 'claude', 'settings.json');

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'rule-handlers-'));
  await mkdir(join(root, 'claude'), { recursive: true });
  const b = bench({ tools: [] });
  ({ sessionId } = b);
  const data = join(root, 'data');
  const engine = createPermissionEngine({
    paths: {
      data,
      home: join(root, 'home'),
      claudeConfig: join(root, 'claude'),
      managedSettings: join(root, 'managed-settings.json'),
      privateFiles: [],
    },
    platform: 'linux',
    allowBypass: false,
    runsAsRoot: false,
    log: { info: () => undefined, warn: () => undefined, error: () => undefined },
  });
  end = () => engine.dispose();
  const [page, core] = createLinkedPair();
  serve({
    contract,
    transport: core,
    handlers: ruleHandlers({ data, sessions: b.sessions, engine }),
    context: {},
    onBug: (method, error) => {
      throw new Error(`${method}: ${String(error)}`);
    },
  });
  ({ call } = connect(contract, page));
});
afterEach(async () => {
  await end();
  await rm(root, { recursive: true, force: true });
});

const code = (made: Promise<unknown>): Promise<unknown> =>
  made.then(
    () => 'done',
    (error: unknown) => (error instanceof Error && 'code' in error ? error.code : error),
  );
it('opens no file but those of the session’s settings', async () => {
  const secret = join(root, 'claude', 'secret.json');
  await writeFile(secret, '{}');
  for (const path of [
    secret,
    join(root, 'claude', '..', 'claude', 'settings.json').replace('settings', './settings'),
  ]) {
    expect(await code(call('rules.file', { sessionId, path }))).toBe('notFound');
    expect(await code(call('rules.repair', { sessionId, path }))).toBe('notFound');
    const writing = call('rules.writeFile', { sessionId, path, base: '{}', text: '{"a":1}' });
    expect(await code(writing)).toBe('notFound');
  }
  expect(await readFile(secret, 'utf8')).toBe('{}');
  expect(await code(call('rules.policy', { sessionId: 'no' }))).toBe('notFound');
});

it('never writes a policy file', async () => {
  const path = join(root, 'managed-settings.json');
  expect(await call('rules.file', { sessionId, path })).toEqual({
    path,
    text: null,
    locked: 'The administrator manages it. Gatehouse never writes it.',
  });
  const writing = call('rules.writeFile', { sessionId, path, base: null, text: '{}' });
  expect(await code(writing)).toBe('refused');
});

it('shows, mends, writes and takes back a file', async () => {
  const broken = '{\n  "permissions": { "allow": ["Bash(ls *)",] }\n}\n';
  await writeFile(user(), broken);
  const add = { type: 'add', source: 'userSettings', behavior: 'allow', text: 'Bash(pwd)' } as const;
  expect(await code(call('rules.save', { sessionId, draft: [add] }))).toBe('refused');
  const { before, repair } = await call('rules.repair', { sessionId, path: user() });
  expect({ before, repair }).toEqual({
    before: broken,
    repair: { after: broken.replace(',]', ']'), notes: ['Line 2: took out a comma behind the last entry'] },
  });
  const text = repair?.after ?? '';
  const { step, merged } = await call('rules.writeFile', { sessionId, path: user(), base: broken, text });
  expect(merged).toBe(false);
  await call('rules.save', { sessionId, draft: [add] });
  const policy = await call('rules.policy', { sessionId });
  expect(policy.files.find(({ path }) => path === user())).toMatchObject({ state: 'read', rules: 2, locked: '' });
  expect(await code(call('rules.undo', { step: 'no' }))).toBe('notFound');
  const last = (await call('rules.steps', {})).undo?.id ?? '';
  await call('rules.undo', { step: last });
  expect(await call('rules.undo', { step: step.id })).toMatchObject({ undo: null, redo: { id: step.id } });
  expect(await readFile(user(), 'utf8')).toBe(broken);
});

it('keeps notes beside the settings', async () => {
  await call('rules.setNote', { rule: 'Bash(ls *)', note: ' for the build ' });
  expect(await call('rules.setNote', { rule: 'constructor', note: 'odd' })).toEqual({
    notes: Object.fromEntries([
      ['Bash(ls *)', 'for the build'],
      ['constructor', 'odd'],
    ]),
  });
  await call('rules.setNote', { rule: 'constructor', note: '' });
  expect(await call('rules.notes', {})).toEqual({ notes: { 'Bash(ls *)': 'for the build' } });
});
