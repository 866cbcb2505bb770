// What people have reported of shell commands, each played in a turn of the whole core with its real executor.
import { readFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
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

/** One command in a turn of its own. */
async function bash(command: string, input: object = {}) {
  const startedAt = performance.now();
  const [call] = await session.turn({ calls: [{ name: 'Bash', input: { command, ...input } }] });
  const shown = call !== undefined && 'view' in call ? JSON.stringify(call.view) : '';
  return { call, status: call?.status, text: modelText(call), shown, ms: performance.now() - startedAt };
}

it('loses nothing that is printed in the last moment', async () => {
  world.write('project/20k', `${'x'.repeat(19_989)}the end....`);
  const numbers = Array.from({ length: 10 }, (_, at) => at);
  const print = (id: string) => ({
    name: 'Bash',
    input: { command: `dd if=20k bs=20000 count=1 status=none # ${id}` },
  });
  const calls = await session.turn(...numbers.map((ten) => ({ calls: numbers.map((one) => print(`${ten}${one}`)) })));
  const whole = readFileSync(`${world.folder}/20k`, 'utf8');
  expect(calls.map((call) => modelText(call) === whole)).toEqual(Array(100).fill(true));
}, 120_000);

it('keeps characters of several bytes whole, wherever output is cut into pieces', async () => {
  const { call } = await bash("yes € | head -n 50000 | tr -d '\\n'");
  const file = call !== undefined && 'persisted' in call ? call.persisted?.file : undefined;
  expect(readFileSync(file ?? '', 'utf8')).toBe('€'.repeat(50_000));
  const slow = await bash(
    'for byte in 360 237 230 200; do printf "\\\\$byte"; sleep 0.1; done; echo \'|\'; echo ä >&2',
  );
  expect(slow.text).toBe('😀|\nä');
  expect((await bash("printf 'a\\357\\277\\275b'")).text).toBe('a\ufffdb');
  expect((await bash("printf 'end\\342\\202'")).text).toMatch(/^end\ufffd/);
});

it.each([
  ['grandchildren', 'echo begun; for i in 1 2 3; do (while :; do sleep 1; done) & done; sleep 600'],
  ['a child that ignores TERM', "echo begun; trap '' TERM; while :; do sleep 1; done"],
])(
  'ends a command at its timeout with all it started: %s',
  async (_name, command) => {
    const { status, text, ms } = await bash(command, { timeout: 2_000 });
    expect([status, text]).toEqual([
      'failed',
      expect.stringMatching(/^The command was stopped at its timeout of 2 s.*begun/s),
    ]);
    expect(ms).toBeLessThan(15_000);
    // What is left alive is looked for after each test.
  },
  40_000,
);

it('does not wait for what a command left in the background', async () => {
  const { text, ms } = await bash('sleep 300 & echo started');
  expect([text, ms < 15_000]).toEqual(['started', true]);
});

it('lets nobody wait for an answer on standard input', async () => {
  const { text, ms } = await bash(`read -p 'Proceed? ' a; echo "got:$a"`);
  expect([text, ms < 15_000]).toEqual([expect.stringMatching(/got:$/), true]);
});

it('opens no editor and carries out no rebase that nobody has seen', async () => {
  const identity = 'git config user.email a@example.org; git config user.name a; git config commit.gpgsign false';
  const commits = 'for n in 1 2 3; do git commit -q --allow-empty -m "commit $n"; done';
  await bash(`mkdir repo && cd repo && git init -q && ${identity}; ${commits}; git log --format=%H > ../before`);
  const rebase = await bash('git rebase -i HEAD~2');
  expect([rebase.status, rebase.text]).toEqual(['failed', expect.stringMatching(/editor/i)]);
  const log = await bash('git log --format=%H | cmp - ../before && git status --porcelain --branch');
  expect(log.text).toMatch(/^## /);
  const commit = await bash('echo a > a; git add a; git commit');
  expect([commit.status, commit.text]).toEqual(['failed', expect.stringMatching(/^Exit code 1\.\n\n.*editor/is)]);
  expect([rebase.ms < 15_000, commit.ms < 15_000]).toEqual([true, true]);
}, 60_000);

it('gives the model the last state of a line that was drawn over, the person the colours', async () => {
  const { text, shown } = await bash(
    `for n in $(seq 100); do printf '\\r\\033[2KStep %d%%' $n; done; printf '\\n\\033[32mdone\\033[0m\\n'`,
  );
  expect(text).toBe('Step 100%\ndone');
  expect(shown).toContain('\\u001b[32m');
});

it('makes valid text of raw bytes and keeps what can be read', async () => {
  const { call, text } = await bash("head -c 2000 /dev/urandom; printf 'a\\0b and words that can be read\\n'");
  expect(call?.status).toBe('succeeded');
  expect(text).toContain('and words that can be read');
  expect([text.includes('\0'), Buffer.from(text).toString() === text]).toEqual([false, true]);
  expect((await bash('echo next')).text).toBe('next');
});

it('runs two lines as two commands and shows both to the person', async () => {
  world.settings({ permissions: { ask: ['Bash(rm:*)'], allow: ['Bash', 'Edit', 'Read'] } });
  world.write('project/build/a.o', '');
  world.write('project/examples/b.txt', '');
  const command = 'rm -f build/*.o 2>/dev/null\nls examples';
  await expect
    .poll(async () => (await world.client().call('permissions.rules', { sessionId: session.id })).rules.length, {
      timeout: 15_000,
    })
    .toBe(4);
  const ended = session.until((body) => body.type === 'turn.finished');
  const asked = session.until((body) => body.type === 'call.asked');
  await session.send({ calls: [{ name: 'Bash', input: { command } }] });
  const body = await asked;
  const ask = body.type === 'call.asked' ? body.ask : undefined;
  expect(ask).toMatchObject({ kind: 'permission', input: { command } });
  expect(JSON.stringify(ask !== undefined && 'view' in ask ? ask.view : null)).toContain(
    JSON.stringify(command).slice(1, -1),
  );
  if (ask !== undefined) await session.answer(ask, { kind: 'allowOnce' });
  await ended;
  const call = session.calls().at(-1);
  expect([call?.status, modelText(call)]).toEqual(['succeeded', 'b.txt']);
  expect((await bash('ls build')).text).not.toContain('a.o');
});

it('takes exit 143 for no timeout', async () => {
  const { status, text } = await bash("bash -c 'sleep 0.1; kill -TERM $$'", { timeout: 5_000 });
  expect([status, text]).toEqual(['failed', expect.stringMatching(/^(Exit code 143|Ended by signal SIGTERM)\./)]);
  expect(text).not.toMatch(/timeout|timed out/);
});
