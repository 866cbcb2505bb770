// The list of sessions: own ones and Claude Code's transcripts as one, filtered and in groups.
import type { SessionSummary } from '#shared/api/sessions';
import type { TranscriptSummary } from '#shared/api/transcripts';
import { counted, sameDay } from './words';

interface Common {
  /** Unique in the list. */
  readonly key: string;
  readonly title: string;
  readonly folder: string;
  readonly updatedAt: number;
}

export type Entry =
  | (Common & { readonly kind: 'session'; readonly session: SessionSummary })
  | (Common & { readonly kind: 'transcript'; readonly transcript: TranscriptSummary });

export interface EntryFilter {
  /** Words of title or folder. */
  readonly text: string;
  /** `leaving`: transcripts that Claude Code sweeps soon. */
  readonly status: 'any' | 'waiting' | 'running' | 'idle' | 'leaving';
  readonly folder: string | null;
  readonly origin: 'any' | 'gatehouse' | 'claudeCode';
}

export const noEntryFilter: EntryFilter = { text: '', status: 'any', folder: null, origin: 'any' };

export interface EntryGroup {
  readonly id: string;
  readonly label: string;
  readonly entries: readonly Entry[];
}

const dayMs = 24 * 60 * 60 * 1_000;

/** A transcript that goes within so many days is worth a warning. */
const warnDays = 3;

/** Own sessions and transcripts in one list, last changed first. */
export function entriesOf(sessions: readonly SessionSummary[], transcripts: readonly TranscriptSummary[]): Entry[] {
  const own = sessions.map((session): Entry => {
    const { sessionId, title, folder, updatedAt } = session;
    return { kind: 'session', key: `session-${sessionId}`, title, folder, updatedAt, session };
  });
  const read = transcripts.map((transcript): Entry => {
    const { id, title, folder, updatedAt } = transcript;
    return { kind: 'transcript', key: `transcript-${id}`, title, folder, updatedAt, transcript };
  });
  return [...own, ...read].sort((a, b) => b.updatedAt - a.updatedAt);
}

/** Entries that fit the filter: every word in title or folder, in any order and case. `now` is epoch milliseconds. */
export function filterEntries(entries: readonly Entry[], filter: EntryFilter, now: number): Entry[] {
  const words = filter.text.toLowerCase().split(/\s+/).filter(Boolean);
  return entries.filter((entry) => {
    if (filter.folder !== null && entry.folder !== filter.folder) return false;
    if (filter.origin !== 'any' && (filter.origin === 'gatehouse') !== (entry.kind === 'session')) return false;
    if (filter.status !== 'any' && filter.status !== statusOf(entry, now)) return false;
    const text = `${entry.title} ${entry.folder}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

function statusOf(entry: Entry, now: number): EntryFilter['status'] {
  if (entry.kind === 'session') return entry.session.activity;
  return leavesSoon(entry.transcript, now) ? 'leaving' : 'any';
}

/** Groups in their order: who needs the person, pinned, running, then by day; the archived ones last. None is empty. */
export function groupEntries(entries: readonly Entry[], now: number): EntryGroup[] {
  const groups = new Map<string, { id: string; label: string; entries: Entry[] }>();
  for (const id of ['waiting', 'pinned', 'running']) groups.set(id, { id, label: fixedLabels[id] ?? id, entries: [] });
  const archived: Entry[] = [];
  for (const entry of entries) {
    if (entry.kind === 'session' && entry.session.archived && entry.session.activity !== 'waiting') {
      archived.push(entry);
      continue;
    }
    const { id, label } = groupOf(entry, now);
    const known = groups.get(id);
    if (known === undefined) groups.set(id, { id, label, entries: [entry] });
    else known.entries.push(entry);
  }
  const all = [...groups.values(), { id: 'archived', label: 'Archived', entries: archived }];
  return all.filter((group) => group.entries.length > 0);
}

const fixedLabels: Readonly<Record<string, string>> = { waiting: 'Needs you', pinned: 'Pinned', running: 'Running' };

function groupOf(entry: Entry, now: number): { readonly id: string; readonly label: string } {
  if (entry.kind === 'session') {
    const { activity, pinned } = entry.session;
    const id = activity === 'waiting' ? 'waiting' : pinned ? 'pinned' : activity === 'running' ? 'running' : null;
    if (id !== null) return { id, label: fixedLabels[id] ?? id };
  }
  const label = dayLabel(entry.updatedAt, now);
  return { id: label, label };
}

/** "Today", "Yesterday", a weekday of the last week, else the month. */
export function dayLabel(at: number, now: number): string {
  if (sameDay(at, now) || at > now) return 'Today';
  if (sameDay(at, now - dayMs)) return 'Yesterday';
  const date = new Date(at);
  if (now - at < 6 * dayMs) return date.toLocaleDateString('en', { weekday: 'long' });
  return date.toLocaleDateString('en', { month: 'long', year: 'numeric' });
}

/** Whole days until a transcript is swept, at least 0; null: its settings do not say. */
export function daysLeft(transcript: Pick<TranscriptSummary, 'goesAt'>, now: number): number | null {
  return transcript.goesAt === null ? null : Math.max(0, Math.ceil((transcript.goesAt - now) / dayMs));
}

/** Whether a transcript is swept within the next days. */
export function leavesSoon(transcript: Pick<TranscriptSummary, 'goesAt'>, now: number): boolean {
  const days = daysLeft(transcript, now);
  return days !== null && days <= warnDays;
}

/** "12 sessions will be swept in 3 days"; empty when none leaves soon. */
export function sweepWarning(transcripts: readonly TranscriptSummary[], now: number): string {
  const leaving = transcripts.filter((transcript) => leavesSoon(transcript, now));
  if (leaving.length === 0) return '';
  const days = Math.max(...leaving.map((transcript) => daysLeft(transcript, now) ?? 0));
  const when = days === 0 ? 'today' : `in ${counted(days, 'day')}`;
  return `${counted(leaving.length, 'session')} will be swept ${when}`;
}
