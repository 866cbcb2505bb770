import type { SessionSummary } from '#shared/api/sessions';
import { sameDay } from './words';

export interface SessionGroup {
  readonly label: string;
  readonly sessions: readonly SessionSummary[];
}

/** Sessions whose title or folder has every word of the search, in any order and case. */
export function filterSessions(sessions: readonly SessionSummary[], search: string): SessionSummary[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  return sessions.filter((session) => {
    const text = `${session.title} ${session.folder}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

/** Groups for the sidebar: who waits for the person first. Empty groups are left out. `now` is epoch milliseconds. */
export function groupSessions(sessions: readonly SessionSummary[], now: number): SessionGroup[] {
  const idle = sessions.filter((session) => session.activity === 'idle');
  const groups: SessionGroup[] = [
    { label: 'Needs you', sessions: sessions.filter((session) => session.activity === 'waiting') },
    { label: 'Running', sessions: sessions.filter((session) => session.activity === 'running') },
    { label: 'Today', sessions: idle.filter((session) => sameDay(session.updatedAt, now)) },
    { label: 'Earlier', sessions: idle.filter((session) => !sameDay(session.updatedAt, now)) },
  ];
  return groups.filter((group) => group.sessions.length > 0);
}

/** Folders of the sessions, last used first, each once. */
export function recentFolders(sessions: readonly SessionSummary[], limit: number): string[] {
  return [...new Set(sessions.map((session) => session.folder))].slice(0, limit);
}
