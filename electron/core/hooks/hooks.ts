// What the rest of the core asks of hooks: fire an event, get one combined answer. Nobody else reads hook settings,
// starts handlers or interprets their output.
import type { PermissionMode } from '#shared/permissions/modes';
import type { HookEventName } from '#shared/session/hookRun';

/** The session as a hook is told of it. */
export interface HookPlace {
  readonly sessionId: string;
  /** The session's primary folder (`CLAUDE_PROJECT_DIR`) and the present cwd, absolute. */
  readonly folder: string;
  readonly cwd: string;
  readonly mode: PermissionMode;
  /** The call the event belongs to, for the trace; absent for events of the session. */
  readonly callId?: string;
  /** The sub-agent that the event comes from. */
  readonly agent?: { readonly agentId: string; readonly agentType: string };
}

/** A call as tool events describe it: observable input, the id that the provider gave. */
export interface HookedCall {
  readonly toolName: string;
  readonly toolInput: unknown;
  readonly toolUseId: string;
  readonly mcpServer?: string;
}

/** An event with its own fields, in our spelling; the runner turns them into the documented stdin JSON. */
export type HookEvent =
  | { readonly name: 'PreToolUse'; readonly call: HookedCall }
  | { readonly name: 'PermissionRequest'; readonly call: HookedCall; readonly suggestions: readonly string[] }
  | { readonly name: 'PermissionDenied'; readonly call: HookedCall; readonly reason: string }
  | {
      readonly name: 'PostToolUse';
      readonly call: HookedCall;
      readonly toolResponse: unknown;
      readonly durationMs: number;
    }
  | {
      readonly name: 'PostToolUseFailure';
      readonly call: HookedCall;
      readonly error: string;
      readonly isInterrupt: boolean;
      readonly durationMs: number;
    }
  | {
      readonly name: 'PostToolBatch';
      readonly calls: readonly (HookedCall & { readonly result: string; readonly isError: boolean })[];
    }
  | { readonly name: 'UserPromptSubmit'; readonly prompt: string }
  | { readonly name: 'Stop'; readonly stopHookActive: boolean; readonly lastAssistantMessage: string }
  | { readonly name: 'StopFailure'; readonly error: string; readonly errorDetails: string }
  | { readonly name: 'SubagentStart'; readonly agentId: string; readonly agentType: string }
  | {
      readonly name: 'SubagentStop';
      readonly agentId: string;
      readonly agentType: string;
      readonly stopHookActive: boolean;
      readonly lastAssistantMessage: string;
    }
  | { readonly name: 'SessionStart'; readonly source: 'startup' | 'resume' | 'clear' | 'compact' | 'fork' }
  | { readonly name: 'SessionEnd'; readonly reason: string }
  | { readonly name: 'PreCompact' | 'PostCompact'; readonly trigger: 'auto' | 'manual' }
  | {
      readonly name: 'Notification';
      readonly message: string;
      readonly title: string;
      readonly notificationType: string;
    }
  | { readonly name: 'ConfigChange'; readonly source: string; readonly file: string }
  | { readonly name: 'CwdChanged'; readonly oldCwd: string; readonly newCwd: string }
  | { readonly name: 'FileChanged'; readonly file: string };

/** A hook's opinion on a call. `hook` names it for people: command and source. */
export interface HookOpinion {
  readonly behavior: 'allow' | 'ask' | 'deny' | 'defer';
  readonly reason: string;
  readonly hook: string;
}

/** One change to rules, mode or folders that a PermissionRequest hook wants together with its `allow`. */
export type PermissionUpdate =
  | {
      readonly type: 'addRules' | 'replaceRules' | 'removeRules';
      readonly behavior: 'allow' | 'ask' | 'deny';
      readonly rules: readonly string[];
      readonly destination: 'session' | 'localSettings' | 'projectSettings' | 'userSettings';
    }
  | { readonly type: 'setMode'; readonly mode: PermissionMode }
  | { readonly type: 'addDirectories' | 'removeDirectories'; readonly directories: readonly string[] };

/** What all handlers of one event came to, combined (semantics B6 to B8). Errors of handlers are no votes. */
export interface HookOutcome {
  /** How many handlers ran, those in the background included. */
  readonly ran: number;
  /**
   * Exit 2, `decision: "block"` or `onFailure: "block"`; the first in order. Its meaning depends on the event. Where exit
   * 2 only tells somebody (PostToolUse, SessionStart …), its words are in `context` or `messages` instead.
   */
  readonly block: { readonly reason: string; readonly hook: string } | null;
  /** `continue: false`: the turn ends, over any decision. */
  readonly stop: { readonly reason: string; readonly hook: string } | null;
  /** PreToolUse: deny > defer > ask > allow. PermissionRequest: deny > allow. */
  readonly opinion: HookOpinion | null;
  /** PreToolUse, PermissionRequest: replaces the whole input; the last in the hooks' fixed order. */
  readonly updatedInput: { readonly value: unknown; readonly hook: string } | null;
  /** PermissionRequest with `allow`. */
  readonly permissionUpdates: readonly PermissionUpdate[];
  /** PermissionRequest with `deny` and `interrupt`: the turn ends. */
  readonly interrupt: boolean;
  /** Text for the model, in order: `additionalContext`, stdout where the event takes it, stderr of post-hooks. */
  readonly context: readonly string[];
  /** For the person: `systemMessage` and failures worth a notice, each naming its hook. */
  readonly messages: readonly string[];
  /** PostToolUse: replaces what the model gets as result. */
  readonly updatedOutput: { readonly value: unknown; readonly hook: string } | null;
  /** PermissionDenied: the model may try again. */
  readonly retry: boolean;
}

export interface Hooks {
  /**
   * Whether any handler might run for the event, so that a caller can skip its own work. Cheap; reads no files.
   * `matched` is what matchers look at (tool name, source, trigger …).
   */
  listens(sessionId: string, name: HookEventName, matched: string): boolean;
  /**
   * Runs every matching handler to completion, in parallel, records each as `hook.ran`, and combines. Never rejects: a
   * fault of hook matching itself blocks PreToolUse and PermissionRequest and is an error notice elsewhere. An aborted
   * `signal` ends handlers that still run.
   */
  fire(event: HookEvent, place: HookPlace, signal: AbortSignal): Promise<HookOutcome>;
  dispose(): Promise<void>;
}

/** Nothing ran. */
export const noHookOutcome: HookOutcome = {
  ran: 0,
  block: null,
  stop: null,
  opinion: null,
  updatedInput: null,
  permissionUpdates: [],
  interrupt: false,
  context: [],
  messages: [],
  updatedOutput: null,
  retry: false,
};

/** For places without hooks: cores made by tests, sessions of untrusted folders. */
export const noHooks: Hooks = {
  listens: () => false,
  fire: () => Promise.resolve(noHookOutcome),
  dispose: () => Promise.resolve(),
};
