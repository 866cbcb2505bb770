import { expect, test } from 'vitest';
import { CommandsInForce } from './commandsInForce';

const skill = (change: object) => ({ allow: [], deny: [], hooks: undefined, file: '/s.md', ...change });

test('rules of several skills count together until the turn ends; a sub-agent’s skill only restricts', () => {
  const set: unknown[] = [];
  const commands = new CommandsInForce({ setCommandRules: (sessionId, rules) => set.push([sessionId, rules]) });
  const begin = (change: object, byAgent = false) => commands.begin({ sessionId: 's', skill: skill(change), byAgent });
  begin({});
  begin({ allow: ['Read'], deny: ['WebFetch'] });
  begin({ allow: ['Bash(git *)'] });
  begin({ allow: ['Bash'], deny: ['Edit'] }, true);
  commands.endTurn('s');
  begin({ allow: ['Grep'] });
  expect(set).toEqual([
    ['s', { allow: ['Read'], deny: ['WebFetch'] }],
    ['s', { allow: ['Read', 'Bash(git *)'], deny: ['WebFetch'] }],
    ['s', { allow: ['Read', 'Bash(git *)'], deny: ['WebFetch', 'Edit'] }],
    ['s', { allow: ['Grep'], deny: [] }],
  ]);
});

test('hooks of skills count for the turn, those of an agent for its own events; its Stop is the end of an agent', () => {
  const commands = new CommandsInForce({ setCommandRules: () => undefined });
  const begin = (file: string, hooks: unknown) =>
    commands.begin({ sessionId: 's', skill: skill({ file, hooks }), byAgent: false });
  expect(commands.hooks('s')).toBeNull();
  begin('/a.md', { PreToolUse: [1] });
  begin('/a.md', { PreToolUse: [1] });
  expect(commands.hooks('s')).toEqual({ hooks: { PreToolUse: [1] }, file: '/a.md' });
  begin('/b.md', { PreToolUse: [2], Stop: [3] });
  commands.beginAgent('s', 'a1', { hooks: { Stop: [4], SubagentStop: [5] }, file: '/agent.md' });
  expect(commands.hooks('s')).toEqual({ hooks: { PreToolUse: [1, 2], Stop: [3] }, file: '/a.md, /b.md' });
  expect(commands.hooks('s', 'a2')).toEqual(commands.hooks('s'));
  expect(commands.hooks('s', 'a1')).toEqual({
    hooks: { PreToolUse: [1, 2], Stop: [3], SubagentStop: [5, 4] },
    file: '/a.md, /b.md, /agent.md',
  });
  commands.endAgent('s', 'a1');
  commands.endTurn('s');
  expect(commands.hooks('s', 'a1')).toBeNull();
});
