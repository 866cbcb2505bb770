// Hooks that misbehave around a whole call: the call's fate, the result that the model gets, what the person is told.
import { afterEach, beforeEach, expect, it } from 'vitest';
import { textOf } from '#shared/session/reduce';
import { type Bench, bench, deny, echoTool, message } from '../testing/bench';
import { type HookBench, hookBench, hooksFor, settingsOf, shell } from './testing/hookBench';

const allow = { behavior: 'allow' as const, reason: { type: 'readOnly' as const, detail: 'test' }, parts: [] };

let hooks: HookBench;
beforeEach(async () => {
  hooks = await hookBench();
});
afterEach(() => hooks.dispose());

/** A turn with one call of Echo for each text, over real hooks. */
async function turn(...texts: readonly string[]): Promise<Bench> {
  const plays = texts.map((text) => message({ call: 'Echo', input: { text } }));
  const { fire, listens, dispose } = hooks.hooks;
  const own = { sessionId: 's', folder: hooks.folder, cwd: hooks.folder };
  const made = bench({
    tools: [echoTool({})],
    plays: [...plays, message({ text: 'Done.' })],
    hooks: {
      listens: (_id, name, matched) => listens.call(hooks.hooks, 's', name, matched),
      fire: (event, place, signal) => fire.call(hooks.hooks, event, { ...place, ...own }, signal),
      dispose: () => dispose.call(hooks.hooks),
    },
  });
  // The engine's part in it: a hook's no is a no.
  made.setDecision(({ hook }) => (hook?.behavior === 'deny' ? deny : allow));
  const ended = made.until((body) => body.type === 'turn.finished');
  made.agent.send(made.sessionId, 'go');
  await ended;
  return made;
}

const results = (made: Bench): readonly string[] =>
  made.events.flatMap(({ body }) => (body.type === 'call.finished' ? [`${body.status}: ${textOf(body.content)}`] : []));
const notices = (made: Bench): readonly string[] =>
  made.events.flatMap(({ body }) => (body.type === 'notice' ? [body.text] : []));

it('takes text before JSON for no decision: the call goes its normal way', async () => {
  const reply = '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny"}}';
  hooks.use(settingsOf(hooksFor('PreToolUse', [shell(`printf 'ready\\n%s' '${reply}'`)])));
  const made = await turn('x');
  expect(results(made)).toEqual(['succeeded: x']);
});

it('ends a hook that hangs after a call; the result is whole, the hook is named, later calls are normal', async () => {
  hooks.use(settingsOf(hooksFor('PostToolUse', [shell('sleep 100000', { timeout: 0.5 })])));
  const made = await turn('first', 'second');
  expect(results(made)).toEqual(['succeeded: first', 'succeeded: second']);
  const named = expect.stringMatching(
    /^The hook “sleep 100000” \(user settings\) failed on PostToolUse: it took longer than 0.5 s/,
  );
  expect(notices(made)).toEqual([named, named]);
});

it.each([
  ['hangs', shell('sleep 100000', { timeout: 0.5 })],
  ['floods', shell('yes', { timeout: 20 })],
  ['prints garbage', shell('head -c 100000 /dev/urandom')],
  ['prints broken JSON', shell(`echo '{"permissionDecision": }'`)],
  ['is not there', shell('./gone.sh')],
])('lets a call run when a hook before it %s, and refuses it when failing blocks', async (_name, handler) => {
  hooks.use(settingsOf(hooksFor('PreToolUse', [handler])));
  expect(results(await turn('x'))).toEqual(['succeeded: x']);
  const failed = hooks.runs().some((run) => run.outcome !== 'success');
  hooks.use(settingsOf(hooksFor('PreToolUse', [{ ...handler, onFailure: 'block' }])));
  expect(results(await turn('x'))[0]?.startsWith('denied: ')).toBe(failed);
});

it('runs nothing when a hook makes the input invalid', async () => {
  const updatedInput = { txt: 'y' };
  const reply = { hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'allow', updatedInput } };
  hooks.use(settingsOf(hooksFor('PreToolUse', [shell(`echo '${JSON.stringify(reply)}'`)])));
  expect(results(await turn('x'))).toEqual([expect.stringMatching(/^failed: <tool_use_error>/)]);
});
