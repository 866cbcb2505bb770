// @vitest-environment jsdom
import { beforeEach, expect, it } from 'vitest';
import { loadDrafts, saveDrafts } from './drafts';

beforeEach(() => sessionStorage.clear());

it('come back after a reload, empty ones do not', () => {
  saveDrafts({ s1: 'half a sent', s2: '' });
  expect(loadDrafts()).toEqual({ s1: 'half a sent' });
});

it.each(['', 'not json', '[1]', '{"s1": 2}'])('are none when the browser holds %j', (text) => {
  sessionStorage.setItem('gatehouse.drafts', text);
  expect(loadDrafts()).toEqual({});
});
