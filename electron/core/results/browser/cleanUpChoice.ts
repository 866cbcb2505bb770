import type { CleanUpChoice } from '#shared/api/results';
import type { ListedResult } from './resultList';

const dayMs = 86_400_000;

/** Whether a clean-up may take it at all: Claude Code's are never touched, and what is still written stays. */
export const mayGo = (file: ListedResult): boolean => file.path !== null && !file.kept && !file.runs;

/** Whether a choice names it, kept or not. `now`: epoch milliseconds. */
export function isChosen(
  file: ListedResult,
  choice: Omit<CleanUpChoice, 'ids'> & {
    readonly ids: ReadonlySet<string> | null;
    readonly now: number;
  },
): boolean {
  const { ids, olderThanDays, sessionId, orphansOnly, unreadOnly, now } = choice;
  if (file.path === null) return false;
  if (ids !== null && !ids.has(file.id)) return false;
  if (olderThanDays !== null && file.modifiedAt > now - olderThanDays * dayMs) return false;
  if (sessionId !== null && file.session?.id !== sessionId) return false;
  if (orphansOnly && file.session !== null) return false;
  return !unreadOnly || file.seen.kind === 'preview' || file.seen.kind === 'never';
}
