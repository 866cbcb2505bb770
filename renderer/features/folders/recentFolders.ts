import type { SessionSummary } from '#shared/api/sessions';

/** Folders of the sessions, last used first, each once. */
export function recentFolders(sessions: readonly SessionSummary[], limit: number): string[] {
  return [...new Set(sessions.map((session) => session.folder))].slice(0, limit);
}
