import { expect, test } from 'vitest';
import type { RuleRef } from '#shared/permissions/decision';
import { ruleProblem } from './ruleInForce';

const rule = (text: string, behavior: RuleRef['behavior'], source: RuleRef['source']): RuleRef => {
  return { text, behavior, source };
};

test.each([
  ['mcp__a__x(k:v)', 'deny', 'cliArg', true],
  ['mcp__a__x(key:*)', 'ask', 'cliArg', true],
  ['mcp__a__x(k:v)', 'allow', 'cliArg', false],
  ['mcp__a__x(k:v)', 'deny', 'userSettings', false],
  ['mcp__a__x(k:v)', 'deny', 'policySettings', false],
  ['mcp__a__x(v)', 'deny', 'cliArg', false],
  ['mcp__a__*(k:v)', 'deny', 'cliArg', false],
  ['Bash(rm:*)', 'deny', 'userSettings', true],
] as const)('%s in %s of %s', (text, behavior, source, inForce) => {
  expect(ruleProblem(rule(text, behavior, source))?.inForce ?? true).toBe(inForce);
});
