// Tells the model of plan mode, which it cannot see: at its next message, whoever has switched it on or off.
import type { PermissionMode } from '#shared/permissions/modes';
import { contextText } from './contextText';
import type { Entry } from './entry';

/** Where such a note comes from. */
export const modeSource = 'plan mode';

const on =
  'The session is in plan mode now: only reads run, and what would change anything is denied or asked for. Read what you need and ask what only the person can decide, then present the plan with ExitPlanMode; load it with ToolSearch first where it is not loaded. Begin no change before the plan is approved.';
const onForAgent =
  'The session is in plan mode now: only reads run, and what would change anything is denied or asked for. Read what you need, and say in your report what is to be changed.';
const off = 'The session is no longer in plan mode: changes may be made again, as far as the rules allow.';

/** What the model has to be told before its next message; null: what it was told last still holds. */
export function modeNote(about: {
  readonly entries: readonly Entry[];
  readonly mode: PermissionMode;
  /** It is a sub-agent, which has no plan of its own to present. */
  readonly isAgent: boolean;
}): string | null {
  const { entries, mode, isAgent } = about;
  const begin = isAgent ? onForAgent : on;
  const told = entries.findLast((entry) => entry.kind === 'context' && isNote(entry.text));
  const believesOn = told?.kind === 'context' && told.text === contextText(modeSource, begin);
  if (mode === 'plan') return believesOn ? null : begin;
  return believesOn ? off : null;
}

function isNote(text: string): boolean {
  return text.startsWith(`<gatehouse-context source="${modeSource}">`);
}
