import type { CallFact, OwnPermission } from '../tools/tool';
import type { HookAnswer, HookOpinion } from './decide';

/** A call as the engine sees it: validated, with absolute paths, never executed by it. */
export interface PermissionRequest {
  readonly toolName: string;
  readonly isMcp: boolean;
  readonly isReadOnly: boolean;
  /** Observable input (derived fields included). */
  readonly input: Readonly<Record<string, unknown>>;
  readonly facts: readonly CallFact[];
  readonly own: OwnPermission;
  /** The call as the model made it, where a hook changed its input: its deny and ask rules count as well. */
  readonly original?: Pick<PermissionRequest, 'isReadOnly' | 'input' | 'facts'>;
  /** What PreToolUse hooks said of it. */
  readonly hook?: HookOpinion;
  /** What PermissionRequest hooks answered in place of a person. */
  readonly answer?: HookAnswer;
}
