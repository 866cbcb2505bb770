// The whole contract between page and core.
import type { Contract } from '../rpc/contract';
import { commandCalls } from './commands';
import { historyCalls, historyEvents } from './history';
import { hostCalls, hostEvents } from './host';
import { mcpCalls, mcpEvents } from './mcp';
import { permissionCalls, permissionEvents } from './permissions';
import { ruleCalls, ruleEvents } from './rules';
import { sessionCalls, sessionEvents } from './sessions';
import { settingsCalls, settingsEvents } from './settings';
import { toolCalls } from './tools';

export const appContract = {
  calls: {
    ...hostCalls,
    ...sessionCalls,
    ...permissionCalls,
    ...settingsCalls,
    ...toolCalls,
    ...mcpCalls,
    ...commandCalls,
    ...ruleCalls,
    ...historyCalls,
  },
  events: {
    ...hostEvents,
    ...sessionEvents,
    ...permissionEvents,
    ...settingsEvents,
    ...mcpEvents,
    ...ruleEvents,
    ...historyEvents,
  },
} satisfies Contract;

export type AppContract = typeof appContract;
