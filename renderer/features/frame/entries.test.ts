import { describe, expect, it } from 'vitest';
import type { SessionSummary } from '#shared/api/sessions';
import type { TranscriptSummary } from '#shared/api/transcripts';
import { summary } from '../../testing/fakeCore';
import {
  daysLeft,
  type EntryFilter,
  entriesOf,
  filterEntries,
  groupEntries,
  noEntryFilter,
  sweepWarning,
} from './entries';

const day = 24 * 60 * 60 * 1_000;
/** A Wednesday, noon. */
const now = new Date(2026, 10, 18, 12).getTime();

function transcript(id: string, part: Partial<TranscriptSummary> = {}): TranscriptSummary {
  const file = `/home/ada/.claude/projects/-srv-app/${id}.jsonl`;
  return { id, title: id, folder: '/srv/app', file, bytes: 1, updatedAt: now, goesAt: null, continuedAs: [], ...part };
}

const session = (sessionId: string, part: Partial<SessionSummary> = {}) =>
  summary({ sessionId, updatedAt: now, ...part });

describe('groupEntries', () => {
  it('puts who needs the person first, then pinned, running, days, months, and the archived ones last', () => {
    const entries = entriesOf(
      [
        session('old', { updatedAt: new Date(2026, 8, 2).getTime() }),
        session('archived', { archived: true, updatedAt: now - 1 }),
        session('monday', { updatedAt: now - 2 * day }),
        session('yesterday', { updatedAt: now - day }),
        session('running', { activity: 'running' }),
        session('pinned and running', { activity: 'running', pinned: true }),
        session('pinned', { pinned: true, updatedAt: now - 9 * day }),
        session('asks', { activity: 'waiting', pinned: true, archived: true }),
      ],
      [transcript('read', { updatedAt: now - 5 })],
    );
    expect(groupEntries(entries, now).map(({ label, entries }) => [label, entries.map(({ title }) => title)])).toEqual([
      ['Needs you', ['asks']],
      ['Pinned', ['pinned and running', 'pinned']],
      ['Running', ['running']],
      ['Today', ['read']],
      ['Yesterday', ['yesterday']],
      ['Monday', ['monday']],
      ['September 2026', ['old']],
      ['Archived', ['archived']],
    ]);
  });

  it('has no empty groups', () => {
    expect(groupEntries([], now)).toEqual([]);
  });
});

describe('filterEntries', () => {
  const entries = entriesOf(
    [
      session('Tide tables', { folder: '/srv/harbor' }),
      session('Release', { activity: 'running' }),
      session('Ask me', { activity: 'waiting' }),
    ],
    [transcript('Tides of old', { goesAt: now + 2 * day }), transcript('Kept', { goesAt: now + 20 * day })],
  );
  const cases: readonly [name: string, filter: Partial<EntryFilter>, titles: readonly string[]][] = [
    ['nothing', {}, ['Tide tables', 'Release', 'Ask me', 'Tides of old', 'Kept']],
    ['words in any order and case, of title or folder', { text: 'HARBOR  tide' }, ['Tide tables']],
    ['a running one', { status: 'running' }, ['Release']],
    ['at rest', { status: 'idle' }, ['Tide tables']],
    ['what leaves soon', { status: 'leaving' }, ['Tides of old']],
    ['a folder', { folder: '/srv/harbor' }, ['Tide tables']],
    ['own ones', { origin: 'gatehouse', text: 'tide' }, ['Tide tables']],
    ['transcripts', { origin: 'claudeCode' }, ['Tides of old', 'Kept']],
    ['nothing fits', { text: 'zebra' }, []],
  ];
  it.each(cases)('%s', (_, filter, titles) => {
    expect(filterEntries(entries, { ...noEntryFilter, ...filter }, now).map(({ title }) => title)).toEqual(titles);
  });
});

describe('what Claude Code sweeps', () => {
  it.each([
    [null, null],
    [now + 2.5 * day, 3],
    [now + 2 * day, 2],
    [now - 5 * day, 0],
  ])('goes at %s: %s days left', (goesAt, days) => {
    expect(daysLeft({ goesAt }, now)).toBe(days);
  });

  it.each([
    [[], ''],
    [[null, now + 4 * day], ''],
    [[now + 3 * day], '1 session will be swept in 3 days'],
    [[now + day, now + 2 * day, now + 9 * day], '2 sessions will be swept in 2 days'],
    [[now - day], '1 session will be swept today'],
  ])('%s: %s', (times, warning) => {
    expect(
      sweepWarning(
        times.map((goesAt, index) => transcript(`t${index}`, { goesAt })),
        now,
      ),
    ).toBe(warning);
  });
});
