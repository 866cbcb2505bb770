// The whole contract between page and core.
import type { Contract } from '../rpc/contract';
import { changeCalls } from './changes';
import { commandCalls } from './commands';
import { fileCalls } from './files';
import { historyCalls, historyEvents } from './history';
import { hookCalls } from './hooks';
import { hostCalls, hostEvents } from './host';
import { mcpCalls, mcpEvents } from './mcp';
import { networkCalls } from './network';
import { permissionCalls, permissionEvents } from './permissions';
import { resultCalls, resultEvents } from './results';
import { ruleCalls, ruleEvents } from './rules';
import { sandboxCalls } from './sandbox';
import { searchCalls, searchEvents } from './search';
import { sessionCalls, sessionEvents } from './sessions';
import { settingsCalls, settingsEvents } from './settings';
import { toolCalls } from './tools';
import { traceCalls } from './trace';
import { transcriptCalls, transcriptEvents } from './transcripts';

/** Written out, because what the compiler would infer is too long for it. */
type AppParts = {
  readonly calls: typeof hostCalls &
    typeof sessionCalls &
    typeof permissionCalls &
    typeof networkCalls &
    typeof settingsCalls &
    typeof toolCalls &
    typeof mcpCalls &
    typeof commandCalls &
    typeof ruleCalls &
    typeof historyCalls &
    typeof resultCalls &
    typeof traceCalls &
    typeof changeCalls &
    typeof searchCalls &
    typeof transcriptCalls &
    typeof hookCalls &
    typeof fileCalls &
    typeof sandboxCalls;
  readonly events: typeof hostEvents &
    typeof sessionEvents &
    typeof permissionEvents &
    typeof settingsEvents &
    typeof mcpEvents &
    typeof ruleEvents &
    typeof historyEvents &
    typeof resultEvents &
    typeof searchEvents &
    typeof transcriptEvents;
};

export const appContract: AppParts = {
  calls: {
    ...hostCalls,
    ...sessionCalls,
    ...permissionCalls,
    ...networkCalls,
    ...settingsCalls,
    ...toolCalls,
    ...mcpCalls,
    ...commandCalls,
    ...ruleCalls,
    ...historyCalls,
    ...resultCalls,
    ...traceCalls,
    ...changeCalls,
    ...searchCalls,
    ...transcriptCalls,
    ...hookCalls,
    ...fileCalls,
    ...sandboxCalls,
  },
  events: {
    ...hostEvents,
    ...sessionEvents,
    ...permissionEvents,
    ...settingsEvents,
    ...mcpEvents,
    ...ruleEvents,
    ...historyEvents,
    ...resultEvents,
    ...searchEvents,
    ...transcriptEvents,
  },
} satisfies Contract;

export type AppContract = typeof appContract;
