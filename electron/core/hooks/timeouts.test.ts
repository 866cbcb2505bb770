// How long handlers may take, in seconds.
import { expect, it } from 'vitest';
import type { HookEventName } from '#shared/session/hookRun';
import type { HandlerAction } from './handler';
import { budgetOf, timeoutOf } from './timeouts';

const command: HandlerAction = { type: 'command', command: 'x' };
const prompt: HandlerAction = { type: 'prompt', prompt: 'x' };
const agent: HandlerAction = { type: 'agent', prompt: 'x' };

it.each<[HookEventName, HandlerAction, number]>([
  ['PreToolUse', command, 600],
  ['PreToolUse', { type: 'http', url: 'http://x/' }, 600],
  ['PreToolUse', { type: 'mcp_tool', server: 'a', tool: 'b' }, 600],
  ['PreToolUse', prompt, 30],
  ['PreToolUse', agent, 60],
  ['PreToolUse', { ...command, timeout: 2.5 }, 2.5],
  ['UserPromptSubmit', command, 30],
  ['UserPromptSubmit', { ...command, timeout: 90 }, 90],
])('%s %j: %s', (event, action, seconds) => {
  expect(timeoutOf(event, action, budgetOf(event, [action]))).toBe(seconds * 1000);
});

it.each<[readonly (number | undefined)[], readonly number[]]>([
  [
    [undefined, undefined],
    [1.5, 1.5],
  ],
  [
    [undefined, 1],
    [1.5, 1],
  ],
  [
    [undefined, 10],
    [10, 10],
  ],
  [
    [5, 600],
    [5, 60],
  ],
])('at a session’s end, asking for %j gives %j', (asked, given) => {
  const actions = asked.map((timeout): HandlerAction => (timeout === undefined ? command : { ...command, timeout }));
  const budget = budgetOf('SessionEnd', actions);
  expect(actions.map((action) => timeoutOf('SessionEnd', action, budget) / 1000)).toEqual(given);
});
