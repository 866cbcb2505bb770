import { describe, expect, it } from 'vitest';
import { summary } from '../../testing/fakeCore';
import { filterSessions, groupSessions, recentFolders } from './sessionGroups';

const now = new Date(2026, 10, 18, 12, 0).getTime();
const yesterday = now - 24 * 60 * 60_000;

const sessions = [
  summary({
    sessionId: 'run',
    title: 'Upgrade the parser',
    folder: '/code/harbor',
    activity: 'running',
    updatedAt: now,
  }),
  summary({ sessionId: 'today', title: 'Release notes', folder: '/code/harbor', updatedAt: now }),
  summary({
    sessionId: 'wait',
    title: 'Fix the tide',
    folder: '/code/tides',
    activity: 'waiting',
    updatedAt: yesterday,
  }),
  summary({ sessionId: 'old', title: 'Flaky CI', folder: '/code/moorings', updatedAt: yesterday }),
];

it('groups by who needs the person, then by day', () => {
  const groups = groupSessions(sessions, now).map(({ label, sessions: inside }) => [
    label,
    inside.map((s) => s.sessionId),
  ]);
  expect(groups).toEqual([
    ['Needs you', ['wait']],
    ['Running', ['run']],
    ['Today', ['today']],
    ['Earlier', ['old']],
  ]);
});

it('leaves out empty groups', () => {
  expect(groupSessions([], now)).toEqual([]);
});

describe('search', () => {
  it.each([
    ['', ['run', 'today', 'wait', 'old']],
    ['PARSER', ['run']],
    ['harbor', ['run', 'today']],
    ['notes harbor', ['today']],
    ['nothing', []],
  ])('%j', (search, expected) => {
    expect(filterSessions(sessions, search).map((session) => session.sessionId)).toEqual(expected);
  });
});

it('names each folder once, last used first', () => {
  expect(recentFolders(sessions, 2)).toEqual(['/code/harbor', '/code/tides']);
});
