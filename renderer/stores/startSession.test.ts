import { describe, expect, it } from 'vitest';
import { summary } from '../testing/fakeCore';
import { chooseStart } from './startSession';

const sessions = [
  summary({ sessionId: 'new', folder: '/a' }),
  summary({ sessionId: 'old', folder: '/a' }),
  summary({ sessionId: 'b', folder: '/b' }),
];
const none = { sessions, tabSession: null, startFolder: null, lastSession: null };

describe('the session that a fresh page opens', () => {
  it.each([
    ['nothing known', none, { kind: 'none' }],
    [
      'the one of the tab',
      { ...none, tabSession: 'b', startFolder: '/a', lastSession: 'old' },
      { kind: 'open', sessionId: 'b' },
    ],
    [
      'a tab whose session is gone',
      { ...none, tabSession: 'gone', lastSession: 'old' },
      { kind: 'open', sessionId: 'old' },
    ],
    [
      'a folder from the command line with sessions',
      { ...none, startFolder: '/a', lastSession: 'b' },
      { kind: 'open', sessionId: 'new' },
    ],
    ['a folder from the command line without', { ...none, startFolder: '/c' }, { kind: 'create', folder: '/c' }],
    ['the last one', { ...none, lastSession: 'b' }, { kind: 'open', sessionId: 'b' }],
    ['the last one is gone', { ...none, lastSession: 'gone' }, { kind: 'none' }],
  ] as const)('%s', (_name, facts, expected) => {
    expect(chooseStart(facts)).toEqual(expected);
  });
});
