import type { SandboxState } from '#shared/session/ask';
import type { Agent } from '../agent/agent';
import type { SubAgents } from '../agent/subAgents';
import type { ExecutorClient } from '../executor/client';
import type { OutputHub } from '../executor/outputHub';
import type { ExecutorSupervisor } from '../executor/supervisor';
import type { Models } from '../model/models';
import type { NetworkAsks } from '../network/networkAsks';
import type { Asks } from '../permissions/asks';
import type { PermissionEngine } from '../permissions/engine';
import type { CorePorts } from '../ports';
import type { PreferenceStore } from '../preferences';
import type { ConversationReading } from '../search/worker/messages';
import type { Branching } from '../sessions/branching';
import type { OpenedDatabase } from '../sessions/database';
import type { SessionService } from '../sessions/service';
import type { TaskRegistry } from '../tasks/taskRegistry';

/** What the handlers of all calls work with. */
export interface ApiServices {
  readonly ports: CorePorts;
  readonly opened: OpenedDatabase;
  readonly sessions: SessionService;
  readonly branching: Branching;
  readonly reading: ConversationReading;
  readonly agent: Agent;
  readonly asks: Asks;
  readonly networkAsks: NetworkAsks;
  readonly engine: PermissionEngine;
  readonly models: Models;
  readonly preferences: PreferenceStore;
  readonly outputs: OutputHub;
  readonly tasks: TaskRegistry;
  readonly subAgents: SubAgents;
  readonly supervisor: ExecutorSupervisor;
  readonly executor: Pick<ExecutorClient, 'endSession'>;
  sandboxState(network: boolean): SandboxState;
}
