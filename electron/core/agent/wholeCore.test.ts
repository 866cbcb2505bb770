// Agents, skills and their hooks in a whole core: real settings, rules, hooks and executor.
import { afterAll, afterEach, expect, test } from 'vitest';
import { type CoreWorld, disposeBuilt, modelText, startWorld, type WorldOptions } from '../faults/testing/coreWorld';

let world: CoreWorld | undefined;
afterEach(async () => {
  await world?.dispose();
  world = undefined;
});
afterAll(disposeBuilt);

async function start(options: WorldOptions = {}): Promise<CoreWorld> {
  world = await startWorld(options);
  return world;
}

const bash = (command: string) => ({ calls: [{ name: 'Bash', input: { command } }] });
const agent = (input: object) => ({
  calls: [{ name: 'Agent', input: { description: 'work', prompt: 'Work.', ...input } }],
});

test('a hook of the type agent looks for itself before it judges; its calls are in the trace', async () => {
  const hook = { type: 'agent', prompt: 'Refuse what the notes forbid. $ARGUMENTS' };
  const w = await start({
    settings: {
      permissions: { allow: ['Bash', 'Read'] },
      hooks: { PreToolUse: [{ matcher: 'Bash', hooks: [hook] }] },
    },
  });
  w.write('project/notes.md', 'Never print hello.\n');
  const session = await w.session();
  const judge = [
    {
      calls: [
        { name: 'Read', input: { file_path: 'notes.md' } },
        { name: 'Bash', input: { command: 'echo no' } },
      ],
    },
    '{"ok": false, "reason": "The notes forbid it."}',
  ];
  const calls = await session.turn(bash('echo hello'), ...judge, 'I see.');
  expect(calls.map(({ name, agentId, status }) => [name, agentId, status])).toEqual([
    ['Bash', undefined, 'denied'],
    ['Read', 'a1', 'succeeded'],
    ['Bash', 'a1', 'failed'],
  ]);
  expect(modelText(calls[0])).toContain('The notes forbid it.');
  expect(Object.values(session.state().agents)).toMatchObject([{ type: 'hook', status: 'completed', parent: null }]);
  expect([w.model.faults, w.errors, w.logFaults()]).toEqual([[], [], []]);
}, 60_000);

test('hooks of an agent’s own file hold for its calls, and for nobody else’s', async () => {
  const w = await start({ settings: { permissions: { allow: ['Bash'] } } });
  w.write(
    'home/.claude/agents/careful.md',
    [
      '---',
      'description: Careful',
      'hooks:',
      '  PreToolUse:',
      '    - matcher: Bash',
      '      hooks:',
      '        - type: command',
      '          command: "echo not here >&2; exit 2"',
      '---',
      'Be careful.',
    ].join('\n'),
  );
  const session = await w.session();
  const calls = await session.turn(
    agent({ subagent_type: 'careful' }),
    bash('echo one'),
    'Refused.',
    bash('echo two'),
    'Done.',
  );
  expect(calls.map(({ name, agentId, status }) => [name, agentId, status])).toEqual([
    ['Agent', undefined, 'succeeded'],
    ['Bash', 'a1', 'denied'],
    ['Bash', undefined, 'succeeded'],
  ]);
  expect(modelText(calls[1])).toContain('not here');
  expect([w.model.faults, w.errors]).toEqual([[], []]);
}, 60_000);

test('a skill’s rules and hooks hold until its turn ends; deny rules on agents and skills hold always', async () => {
  const w = await start({ settings: { permissions: { deny: ['Agent(Explore)', 'Skill(secret)'], allow: ['Skill'] } } });
  const head = ['---', 'allowed-tools: Bash(touch:*)', 'hooks:', '  PostToolUse:', '    - hooks:'];
  const hook = ['        - type: command', '          command: "touch hooked"', '---', 'Touch things.'];
  w.write('home/.claude/skills/touch/SKILL.md', [...head, ...hook].join('\n'));
  w.write('home/.claude/skills/secret/SKILL.md', 'Secret.');
  const session = await w.session();
  const skill = (name: string) => ({ calls: [{ name: 'Skill', input: { skill: name } }] });
  const first = await session.turn(
    skill('secret'),
    agent({ subagent_type: 'Explore' }),
    skill('touch'),
    bash('touch a'),
    'Done.',
  );
  expect(first.map(({ name, status, decision }) => [name, status, decision?.reason.type])).toEqual([
    ['Skill', 'denied', 'rule'],
    ['Agent', 'denied', 'rule'],
    ['Skill', 'succeeded', 'rule'],
    ['Bash', 'succeeded', 'rule'],
  ]);
  expect(first[3]?.decision?.reason).toMatchObject({ rule: { text: 'Bash(touch:*)', source: 'command' } });
  expect(first.map(({ hooks = [] }) => hooks.map(({ source }) => source))).toEqual([[], [], ['command'], ['command']]);
  const second = await session.turn(bash('touch b'), 'Done.');
  expect(second[0]?.decision?.reason.type).toBe('user');
  expect(second[0]?.hooks).toBeUndefined();
  expect([w.model.faults, w.errors]).toEqual([[], []]);
}, 60_000);

test('a background agent ends with the session’s core, and the log says so when it is opened again', async () => {
  const w = await start({ settings: { permissions: { allow: ['Bash'] } } });
  const session = await w.session();
  const running = session.until((body) => body.type === 'call.started' && session.calls().length === 2);
  await session.send(agent({ run_in_background: true }), bash('sleep 4171'), bash('sleep 4171'));
  await running;
  await w.offline(() => undefined);
  const again = await w.reopen(session.id);
  expect(Object.values(again.state().agents).map(({ status }) => status)).toEqual(['stopped']);
  expect(again.calls().filter(({ status }) => status === 'running')).toEqual([]);
  expect(w.processes()).toEqual([]);
  expect([w.model.faults, w.errors, w.logFaults()]).toEqual([[], [], []]);
}, 60_000);
