import { expect, test } from 'vitest';
import { skillNamed } from '../agent/testing/agentBench';
import { expandSkill, skillText, typedCommand } from './expand';

const expand = (body: string, args: string, names: readonly string[] = []) =>
  expandSkill({ skill: skillNamed({ body, argumentNames: names }), args, sessionId: 's1' });

test.each<[string, string, string, string[]?]>([
  ['Fix $ARGUMENTS now', 'a b', 'Fix a b now'],
  ['$1 then $2, not $3', 'a "b c"', 'a then b c, not '],
  ['$ARGUMENTS[1] and $ARGUMENTS[0]', 'a b', 'b and a'],
  ['$from to $to, $other', 'x y', 'x to y, $other', ['from', 'to']],
  ['cost $0 or $HOME', 'x', 'cost $0 or $HOME\n\nArguments: x'],
  ['Nothing taken', 'x y', 'Nothing taken\n\nArguments: x y'],
  ['Nothing taken', '  ', 'Nothing taken'],
  ['$ARGUMENTS', '$1 $& $$', '$1 $& $$'],
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the documented placeholders.
  ['in ${CLAUDE_SKILL_DIR} of ${CLAUDE_SESSION_ID}', '', 'in /folder/.claude/skills/plain of s1'],
])('%j with %j', (body, args, expected, names = []) => {
  expect(expand(body, args, names)).toBe(expected);
});

test.each([
  ['/fix', { name: 'fix', args: '' }],
  ['  /web:fix  a b\nc ', { name: 'web:fix', args: 'a b\nc' }],
  ['/etc/passwd is odd', null],
  ['say /fix', null],
  ['/', null],
])('typed %j', (text, expected) => {
  expect(typedCommand(text)).toEqual(expected);
});

test('says where the text comes from and how its marks are read', () => {
  const skill = skillNamed({ body: 'Status: !`git status`\nSee @docs/a.md', fork: true, agent: 'Explore' });
  expect(skillText({ skill, args: '', sessionId: 's' })).toBe(
    [
      'The skill plain, from /folder/.claude/skills/plain/SKILL.md (its own files lie in /folder/.claude/skills/plain):',
      '',
      'Status: !`git status`\nSee @docs/a.md',
      '',
      'Where it says !`command`, run that command with Bash first and read its output in that place.',
      '',
      'This is work for a sub-agent: start one of the kind Explore with the Agent tool and give it the text above whole.',
      '',
      'Where it says @path, read that file first.',
    ].join('\n'),
  );
});
