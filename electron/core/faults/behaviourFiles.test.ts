// What people have reported of edits, hooks and settings files, each played through the whole core.
import { readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type CoreWorld, disposeBuilt, modelText, startWorld, type TestSession } from './testing/coreWorld';

let world: CoreWorld;
let session: TestSession;

beforeAll(async () => {
  world = await startWorld();
}, 60_000);
beforeEach(async () => {
  session = await world.session();
});
afterEach(() => {
  expect([world.model.faults, world.errors, world.processes()]).toEqual([[], [], []]);
});
afterAll(async () => {
  expect(world.logFaults()).toEqual([]);
  await world.dispose();
  await disposeBuilt();
});

const bash = (command: string) => ({ name: 'Bash', input: { command } });
const notices = () => session.events.flatMap(({ body }) => (body.type === 'notice' ? [body.text] : []));

describe('an edit', () => {
  /** Reads the file, lets something happen to it, and edits it. */
  async function edit(about: {
    readonly bytes: string;
    readonly from: string;
    readonly to: string;
    readonly between?: (file: string) => void;
  }) {
    const { bytes, from, to, between } = about;
    const file = world.write('project/file.txt', bytes);
    await session.turn({ calls: [{ name: 'Read', input: { file_path: file } }] });
    between?.(file);
    const [call] = await session.turn({
      calls: [{ name: 'Edit', input: { file_path: file, old_string: from, new_string: to } }],
    });
    return { status: call?.status, text: modelText(call), bytes: readFileSync(file, 'utf8') };
  }

  it.each([
    ['all CRLF', 'a\r\nb\r\nc\r\n', 'b', 'B', 'a\r\nB\r\nc\r\n'],
    ['several lines of CRLF', 'a\r\nb\r\nc\r\n', 'a\nb\n', 'A\nB\n', 'A\r\nB\r\nc\r\n'],
    ['a mixture', 'a\r\nb\nc\r\nd\n', 'b', 'B', 'a\r\nB\nc\r\nd\n'],
    ['a byte order mark', '\ufefffirst line\nsecond\n', 'first line', 'The first', '\ufeffThe first\nsecond\n'],
  ])('keeps what it does not change: %s', async (_name, bytes, from, to, expected) => {
    expect(await edit({ bytes, from, to })).toMatchObject({ status: 'succeeded', bytes: expected });
  });

  it('is made when only the time of the file has moved', async () => {
    const between = (file: string) => utimesSync(file, new Date(), new Date(Date.now() + 60_000));
    expect(await edit({ bytes: 'one\ntwo\n', from: 'two', to: '2', between })).toMatchObject({
      status: 'succeeded',
      bytes: 'one\n2\n',
    });
  });

  it('is refused when another program has changed the text, whose change stays', async () => {
    const between = (file: string) => writeFileSync(file, 'one\nsomething else\n');
    expect(await edit({ bytes: 'one\ntwo\n', from: 'two', to: '2', between })).toEqual({
      status: 'failed',
      text: expect.stringMatching(/changed.*[Rr]ead/s),
      bytes: 'one\nsomething else\n',
    });
  });
});

/** Saves the person's settings and waits until they count for this session. */
async function settle(settings: object): Promise<void> {
  world.settings(settings);
  const path = join(world.home, '.claude/settings.json');
  const wanted = JSON.stringify(settings);
  expect(readFileSync(path, 'utf8').replaceAll(/\s/g, '')).toBe(wanted.replaceAll(/\s/g, ''));
  const rules = Object.values((settings as { permissions?: Record<string, string[]> }).permissions ?? {}).flat();
  await expect
    .poll(
      async () =>
        (await world.client().call('permissions.rules', { sessionId: session.id })).rules
          .map(({ text }) => text)
          .sort(),
      { timeout: 20_000 },
    )
    .toEqual(expect.arrayContaining(rules));
}

describe('a hook', () => {
  const hook = (event: string, command: string, timeout: number) => ({
    permissions: { allow: [`Bash(echo:*)`, `Bash(printf ${event}:*)`] },
    hooks: { [event]: [{ matcher: 'Bash', hooks: [{ type: 'command', command, timeout }] }] },
  });

  it('that prints text before its JSON is never taken for an allow', async () => {
    const reply = { hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'allow' } };
    await settle(hook('PreToolUse', `printf 'ready\\n%s' '${JSON.stringify(reply)}'`, 20));
    const asked = session.until((body) => body.type === 'call.asked');
    const ended = session.until((body) => body.type === 'turn.finished');
    await session.send({ calls: [bash('touch made')] });
    await asked;
    expect(session.calls()[0]?.hooks).toMatchObject([{ event: 'PreToolUse' }]);
    await session.stop();
    await ended;
  });

  it('that hangs after a call is ended at its timeout; the result is whole and later calls are normal', async () => {
    await settle(hook('PostToolUse', 'sleep 100000', 2));
    const startedAt = performance.now();
    const [first] = await session.turn({ calls: [bash('echo whole result')] });
    expect([first?.status, modelText(first), performance.now() - startedAt < 15_000]).toEqual([
      'succeeded',
      'whole result',
      true,
    ]);
    expect(notices()).toEqual([expect.stringContaining('“sleep 100000”')]);
    await settle({ permissions: { allow: ['Bash(echo:*)', 'Bash(true:*)'] } });
    const [next] = await session.turn({ calls: [bash('echo next')] });
    expect([next?.status, modelText(next)]).toEqual(['succeeded', 'next']);
  }, 40_000);
});

describe('the settings file', () => {
  const file = () => join(world.home, '.claude/settings.json');
  const files = async () =>
    (await world.client().call('permissions.rules', { sessionId: session.id })).files.filter(
      ({ path }) => path === file(),
    );

  it('that breaks while the program runs keeps its last good rules in force, and the person is told', async () => {
    await settle({ permissions: { allow: ['Bash(git:*)'], deny: ['Bash(git push:*)'] } });
    writeFileSync(file(), '{ "permissions": { "allow": ["Bash(git:*)"] ');
    await expect
      .poll(files, { timeout: 20_000 })
      .toMatchObject([{ state: 'broken', problem: expect.stringMatching(/./) }]);
    const [call] = await session.turn({ calls: [bash('git push')] });
    expect([call?.status, modelText(call)]).toEqual(['denied', expect.stringContaining('Bash(git push:*)')]);
  });

  it('with one bad rule: the others count, it is named with its file, and a later save leaves it as it is', async () => {
    const allow = ['Bash(echo a:*)', 'Bash(echo b:*)', 'Bash(echo c', 'Bash(echo d:*)', 'Bash(echo e:*)'];
    const text = JSON.stringify({ permissions: { allow, deny: ['Bash(make:*)'] } }, null, 2);
    writeFileSync(file(), text);
    const view = () => world.client().call('permissions.rules', { sessionId: session.id });
    await expect
      .poll(files, { timeout: 15_000 })
      .toMatchObject([{ path: file(), line: 6, problem: expect.stringContaining('“Bash(echo c” is not a rule') }]);
    const good = [...allow.filter((rule) => rule.endsWith(')')), 'Bash(make:*)'];
    expect((await view()).rules.map((rule) => rule.text)).toEqual(expect.arrayContaining(good));
    const [denied] = await session.turn({ calls: [bash('make all')] });
    expect(denied?.status).toBe('denied');

    const asked = session.until((body) => body.type === 'call.asked');
    const ended = session.until((body) => body.type === 'turn.finished');
    await session.send({ calls: [bash('touch made')] });
    const body = await asked;
    if (body.type !== 'call.asked') return;
    await session.answer(body.ask, { kind: 'allowAlways', rules: ['Bash(touch:*)'], source: 'userSettings' });
    await ended;
    expect(JSON.parse(readFileSync(file(), 'utf8'))).toEqual({
      permissions: { allow: [...allow, 'Bash(touch:*)'], deny: ['Bash(make:*)'] },
    });
  }, 40_000);
});
