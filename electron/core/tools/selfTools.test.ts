// What the model sees of the tools that speak for the session and for Gatehouse itself.
import { expect, test } from 'vitest';
import { Preferences } from '#shared/api/settings';
import { createCronCreateTool } from './cronCreate/cronCreate';
import { createCronDeleteTool } from './cronDelete/cronDelete';
import { createCronListTool } from './cronList/cronList';
import { createEnterPlanModeTool } from './enterPlanMode/enterPlanMode';
import { createEnterWorktreeTool } from './enterWorktree/enterWorktree';
import { createExitPlanModeTool } from './exitPlanMode/exitPlanMode';
import { createExitWorktreeTool } from './exitWorktree/exitWorktree';
import { createGetConfigTool } from './getConfig/getConfig';
import { createRegistry } from './registry';
import { createSendNotificationTool } from './sendNotification/sendNotification';
import { createSetConfigTool } from './setConfig/setConfig';

test('byte for byte', async () => {
  const plans = { mode: () => 'default' as const, change: () => Promise.resolve() };
  const preferences = { get: () => Preferences.parse({}), set: () => undefined };
  const cron = {
    scheduler: () => ({ add: () => ({ ok: false as const, problem: '' }), list: () => [], remove: () => false }),
    notice: () => undefined,
  };
  const tools = [
    createEnterPlanModeTool(plans),
    createExitPlanModeTool(plans),
    createGetConfigTool(preferences),
    createSetConfigTool(preferences),
    createSendNotificationTool({ send: () => 1, now: () => 0 }),
    createEnterWorktreeTool({ whyNot: () => '', prepare: () => Promise.resolve() }),
    createExitWorktreeTool({ whyNot: () => '' }),
    createCronCreateTool(cron),
    createCronListTool(cron),
    createCronDeleteTool(cron),
  ];
  const definitions = createRegistry({ tools }).toolDefinitions();
  await expect(`${JSON.stringify(definitions, null, 2)}\n`).toMatchFileSnapshot('./testing/selfToolDefinitions.snap');
  expect(tools.filter((tool) => !tool.shouldDefer)).toEqual([]);
});
