// Hooks that misbehave, from the person's settings file through whole turns: one result each, the person is told, the next
// call is normal.
import { afterAll, afterEach, expect, it } from 'vitest';
import { type CoreWorld, disposeBuilt, modelText, startWorld } from './testing/coreWorld';

let world: CoreWorld;
afterEach(async () => {
  const faults = [world.model.faults, world.errors, world.logFaults()];
  await world.dispose();
  expect(faults).toEqual([[], [], []]);
  // What a hook starts beside itself on purpose is its own; everything else is gone at once.
  await expect.poll(() => world.processes(), { timeout: 15_000 }).toEqual([]);
});
afterAll(disposeBuilt);

const rewrite = (updatedInput: unknown) => {
  const hookSpecificOutput = { hookEventName: 'PreToolUse', permissionDecision: 'allow', updatedInput };
  return `echo '${JSON.stringify({ hookSpecificOutput })}'`;
};

it.each<[string, string, string, string, RegExp]>([
  ['hangs before a call', 'PreToolUse', 'sleep 100000', 'succeeded', /^first$/],
  ['hangs with all signals ignored', 'PreToolUse', "trap '' TERM; while :; do sleep 1; done", 'succeeded', /^first$/],
  ['hangs after a call', 'PostToolUse', 'sleep 100000', 'succeeded', /^first$/],
  ['leaves a child that keeps its output open', 'PreToolUse', 'sleep 5 & exit 0', 'succeeded', /^first$/],
  ['floods', 'PreToolUse', 'yes', 'succeeded', /^first$/],
  ['floods its errors and blocks', 'PreToolUse', 'head -c 30000000 /dev/zero >&2; exit 2', 'denied', /./],
  ['floods after a call', 'PostToolUse', 'yes', 'succeeded', /^first$/],
  ['prints garbage', 'PreToolUse', 'head -c 100000 /dev/urandom', 'succeeded', /^first$/],
  ['prints half of its JSON', 'PreToolUse', `printf '{"hookSpecificOutput": {'`, 'succeeded', /^first$/],
  ['prints JSON that is no answer', 'PreToolUse', `echo '{"hookSpecificOutput": 7}'`, 'succeeded', /^first$/],
  ['does not exist', 'PreToolUse', './gone.sh', 'succeeded', /^first$/],
  ['kills itself', 'PreToolUse', 'kill -9 $$', 'succeeded', /^first$/],
  ['makes the input invalid', 'PreToolUse', rewrite({ command: 7 }), 'failed', /^<tool_use_error>/],
  ['takes the input away', 'PreToolUse', rewrite({}), 'failed', /^<tool_use_error>/],
  ['makes the input something else', 'PreToolUse', rewrite('rm'), 'succeeded', /^first$/],
  ['rewrites to what a rule denies', 'PreToolUse', rewrite({ command: 'date' }), 'denied', /Bash\(date:\*\)/],
])(
  'a hook that %s',
  async (_name, event, command, status, text) => {
    const first = 'echo first';
    const handler = { type: 'command', command, timeout: 2, if: 'Bash(echo first)' };
    world = await startWorld({
      settings: {
        permissions: { allow: ['Bash'], deny: ['Bash(date:*)'] },
        hooks: { [event]: [{ matcher: 'Bash', hooks: [handler] }] },
      },
    });
    const session = await world.session();
    const call = (words: string) => ({ calls: [{ name: 'Bash', input: { command: words } }] });
    const [made, ...more] = await session.turn(call(first));
    expect([made?.status, modelText(made), more]).toEqual([status, expect.stringMatching(text), []]);
    expect(modelText(made).length).toBeLessThan(20_000);
    const [next] = await session.turn(call('echo next'));
    expect([next?.status, modelText(next)]).toEqual(['succeeded', 'next']);
  },
  60_000,
);
