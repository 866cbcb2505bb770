import type { PermissionMode } from '#shared/permissions/modes';

/** The permission mode of sessions, as far as the two plan tools may change it. */
export interface PlanMode {
  mode(sessionId: string): PermissionMode;
  /** Changes it at once; waiting asks are judged anew. */
  change(sessionId: string, mode: PermissionMode): Promise<void>;
}
