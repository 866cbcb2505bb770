// What the steps need. Read anew for every call, so that a change made a moment ago counts.
import type { SandboxPolicy } from '#shared/api/executor';
import type { SandboxState } from '#shared/session/ask';
import type { Hooks } from '../hooks/hooks';
import type { Asks } from '../permissions/asks';
import type { ModelClassifier } from '../permissions/classifier';
import type { PermissionEngine } from '../permissions/engine';
import type { Grant } from '../permissions/grant';
import type { Log } from '../ports';
import type { ResultStore } from '../results/resultStore';
import type { SessionLog } from '../sessions/service';
import type { FileStates } from '../tools/fileStates';
import type { ToolRegistry } from '../tools/registry';
import type { CallPlace, ContextChange, GrantedExecutor, Inspector, SessionTasks } from '../tools/tool';

export interface PipelineServices {
  readonly sessions: SessionLog;
  /** Who makes the calls, by name, where it is a sub-agent. */
  readonly agent?: { readonly agentId: string; readonly agentType: string };
  readonly engine: PermissionEngine;
  readonly asks: Asks;
  /** The classifier's model stage; left out where there is none. */
  readonly classifier?: ModelClassifier;
  readonly hooks: Hooks;
  readonly results: ResultStore;
  /** The session's background tasks, for the call that may start or read one. */
  tasks(sessionId: string, callId: string): SessionTasks;
  /** Holds a call's changes back until they may hold for others; left out where calls run one by one. */
  readonly changeContext?: (place: CallPlace, change: ContextChange) => void;
  readonly log: Log;
  /** Whether somebody can be asked. Where nobody can, what would ask is denied with its reason. */
  canAsk(sessionId: string): boolean;
  /**
   * Takes over a call that a hook defers to a later run; true when it did: the call ends unrun and the turn ends. Only a
   * host that can bring the call back does so, and only for the one call of its message, which may have to come to its
   * end first. Left out: a deferral asks.
   */
  deferCall?(deferral: {
    readonly sessionId: string;
    readonly callId: string;
    readonly hook: string;
    readonly reason: string;
  }): boolean | Promise<boolean>;
  /** Epoch milliseconds with fractions. */
  now(): number;
  registry(sessionId: string): ToolRegistry;
  /** What connected MCP servers say about the use of their tools; left out: there are none. */
  serverNotes?(sessionId: string): readonly { readonly server: string; readonly instructions: string }[];
  fileStates(sessionId: string): FileStates;
  readonly home: string;
  inspector(): Inspector;
  /** The one place where a grant buys access to the executor. */
  executorFor(
    grant: Grant,
    about: { readonly sessionId: string; readonly signal: AbortSignal; readonly policy: SandboxPolicy },
  ): GrantedExecutor;
  sandboxPolicy(sessionId: string): SandboxPolicy;
  sandboxState(sessionId: string): SandboxState;
}
