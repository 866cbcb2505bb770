import { expect, it } from 'vitest';
import { closeMatches } from './closeMatches';

const names = ['AskUserQuestion', 'Bash', 'Edit', 'Glob', 'Grep', 'Read', 'TodoWrite', 'Write', 'mcp__db__query'];

it.each<[string, string[]]>([
  ['bash', ['Bash']],
  ['Bsah', ['Bash']],
  ['todo_write', ['TodoWrite', 'Write']],
  ['ReadFile', ['Read']],
  ['read-file', ['Read']],
  ['Globb', ['Glob']],
  ['ask_question', ['AskUserQuestion']],
  ['query', ['mcp__db__query']],
  ['Teleport', []],
  ['', []],
  ['__', []],
  ['x'.repeat(100_000), []],
])('%.20s → %j', (name, expected) => {
  expect(closeMatches(name, names)).toEqual(expected);
});
