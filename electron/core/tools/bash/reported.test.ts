// What people have reported of commands that do not end by themselves, through the real executor.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadSecondParser } from '../../permissions/shell/treeSitter';
import { mayGoOnInBackground } from '../../tasks/backgroundable';
import { type RealExecutor, startRealExecutor } from '../testing/realExecutor';
import { createBashTool } from './bash';

let real: RealExecutor;
const bash = createBashTool({ isReadOnlyCommand: () => false, mayGoOnInBackground });

beforeAll(async () => {
  await loadSecondParser();
  real = await startRealExecutor();
}, 60_000);
afterAll(() => real.dispose());

async function run(command: string, timeout = 20_000): Promise<{ readonly text: string; readonly ms: number }> {
  const startedAt = Date.now();
  const outcome = await real.call(bash, { command, timeout });
  const ms = Date.now() - startedAt;
  if (outcome.kind !== 'succeeded') return { text: `${outcome.kind}: ${outcome.text}`, ms };
  return { text: outcome.blocks.map((block) => (block.type === 'text' ? block.text : 'image')).join('\n'), ms };
}

const alive = async (mark: string) => (await run(`pgrep -fc '[${mark.charAt(0)}]${mark.slice(1)}' || true`)).text;

describe('a command that does not end by itself', () => {
  it.each([
    ['grandchildren', '83.1', 'echo begun; for i in 1 2 3; do (while :; do sleep 83.1; done) & done; sleep 600'],
    ['deaf to TERM', '83.2', "trap '' TERM; echo begun; while :; do sleep 83.2; done"],
    ['waiting alone', '83.3', 'sleep 83.3'],
    ['something with git', '83.4', 'git --version; sleep 83.4'],
  ])('is stopped at its timeout with all it started: %s', async (_, mark, command) => {
    const { text, ms } = await run(command, 1_000);
    expect(text).toMatch(/^failed: The command was stopped at its timeout of 1 s, with everything it had started/);
    if (command.includes('begun')) expect(text).toContain('begun');
    expect(ms).toBeLessThan(8_000);
    expect(await alive(`sleep ${mark}`)).toBe('0');
  });

  it('goes on in the background when it is a plain command, and leaves nothing when it is stopped', async () => {
    const { text } = await run('echo begun; tail -s 83.6 -f /dev/null', 1_000);
    expect(text).toMatch(
      /^The command was still running at its timeout of 1 s and was moved to the background as task b1;/,
    );
    await real.tasks.stop(real.sessionId, 'b1', 'person');
    expect(await alive('tail -s 83.6')).toBe('0');
  });

  it('does not hold its call up with what it left behind', async () => {
    const { text, ms } = await run('sleep 83.5 & echo started');
    expect([text, ms < 5_000, await alive('sleep 83.5')]).toEqual(['started', true, '0']);
  });
});

describe('a command that wants a person', () => {
  it('gets no answer and ends', async () => {
    expect((await run('read -p "Proceed? " a; echo "got:$a"')).text).toMatch(/got:$/);
  });

  it('opens no editor, and a rebase is not carried out unseen', async () => {
    const identity = 'git config user.email a@example.org; git config user.name a; git config commit.gpgsign false';
    await run(
      `mkdir repo && cd repo && git init -q && ${identity}; for n in 1 2 3; do git commit -q --allow-empty -m $n; done`,
    );
    const commit = await run('echo a > a; git add a; git commit');
    expect(commit.text).toMatch(/^failed: Exit code 1\.\n\n.*editor/is);
    const rebase = await run('git rm -q --cached a; git rebase -i HEAD~2');
    expect(rebase.text).toMatch(/^failed: Exit code 1\./);
    expect([commit.ms < 5_000, rebase.ms < 5_000]).toEqual([true, true]);
    expect((await run('git log --oneline | wc -l; git status | head -1; cd ..')).text).toMatch(/^3\nOn branch/);
  });
});

it('two lines are two commands', async () => {
  await run('mkdir -p build examples && touch build/a.o examples/b.txt');
  expect((await run('rm -f build/*.o 2>/dev/null\nls examples')).text).toBe('b.txt');
});

it('exit 143 is no timeout', async () => {
  expect((await run("bash -c 'sleep 0.1; kill -TERM $$'")).text).toMatch(/^failed: Exit code 143\./);
});
