// Matchers against what they look at.
import { expect, it } from 'vitest';
import { compileMatcher } from './matcher';

it.each([
  // everything
  ['', 'Bash', true],
  ['*', 'Bash', true],
  // exact names and lists
  ['Bash', 'Bash', true],
  ['Bash', 'BashOutput', false],
  ['bash', 'Bash', false],
  ['Edit|Write', 'Write', true],
  ['Edit,Write', 'Write', true],
  ['Edit, Write | Bash', 'Bash', true],
  ['Edit|Write', 'MultiEdit', false],
  ['code-reviewer', 'code-reviewer', true],
  ['mcp__memory', 'mcp__memory__read', false],
  ['mcp__memory__read', 'mcp__memory__read', true],
  ['|', '', true],
  // unanchored, case-sensitive expressions
  ['Edit.*', 'NotebookEdit', true],
  ['^Edit.*', 'NotebookEdit', false],
  ['mcp__memory__.*', 'mcp__memory__read', true],
  ['mcp__.*__write.*', 'mcp__db__write_row', true],
  ['edit.*', 'NotebookEdit', false],
  ['Bash$', 'Bash', true],
  ['Bash(git *)', 'Bash', false],
] as const)('%j on %j: %s', (text, subject, expected) => {
  const compiled = compileMatcher(text, 'pattern');
  expect(compiled.ok && compiled.value(subject)).toBe(expected);
});

it.each([
  ['package.json|.env', '/p/.env', true],
  ['package.json', '/p/package.json.bak', false],
  ['.*', '/p/.env', false],
  ['rate_limit|overloaded', 'overloaded', true],
  ['rate_limit,overloaded', 'overloaded', false],
] as const)('where only exact names count, %j on %j: %s', (text, subject, expected) => {
  const compiled = compileMatcher(text, 'exact');
  expect(compiled.ok && compiled.value(subject)).toBe(expected);
});

it('is not looked at where an event has no subject', () => {
  const compiled = compileMatcher('(', null);
  expect(compiled.ok && compiled.value('anything')).toBe(true);
});

it('says what is wrong with an expression', () => {
  expect(compileMatcher('(', 'pattern')).toEqual({
    ok: false,
    error: '“(” is no regular expression (/(/: Unterminated group)',
  });
});

it('an expression that takes without end lets its handler be asked', { timeout: 10_000 }, () => {
  const compiled = compileMatcher('^mcp__(a+)+$', 'pattern');
  expect(compiled.ok && compiled.value(`mcp__${'a'.repeat(60)}!`)).toBe(true);
  expect(compiled.ok && compiled.value('mcp__aa')).toBe(true);
  expect(compiled.ok && compiled.value('Bash')).toBe(false);
});
