import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { FoundPlace } from '#shared/session/findPlaces';
import { createFakeCore, type FakeCore } from '../testing/fakeCore';
import { resetStores } from '../testing/resetStores';
import { followHost, useApp } from './app';
import { findAt, useFind } from './find';
import { usePlace } from './place';

const places: FoundPlace[] = [
  { messageId: 'm1', callId: null, block: null, count: 2 },
  { messageId: 'm2', callId: 'c1', block: null, count: 1 },
  { messageId: 'm2', callId: null, block: 3, count: 1 },
];

describe('findAt', () => {
  it.each<[at: number, place: FoundPlace | undefined, nth: number | undefined]>([
    [0, places[0], 0],
    [1, places[0], 1],
    [2, places[1], 0],
    [3, places[2], 0],
    [4, undefined, undefined],
  ])('find %i', (at, place, nth) => {
    const found = findAt(places, at);
    expect([found?.place, found?.nth]).toEqual([place, nth]);
  });
});

describe('find in a conversation', () => {
  let core: FakeCore;

  beforeEach(async () => {
    resetStores();
    useFind.setState(useFind.getInitialState(), true);
    core = createFakeCore({ 'sessions.find': () => ({ places, total: 4, truncated: false }) });
    followHost();
    core.link.start();
    await vi.waitFor(() => expect(useApp.getState().connection.status).toBe('open'));
    useApp.getState().openSession('s1');
  });
  afterEach(() => core.link.dispose());

  it('begins with the newest find and goes round', async () => {
    useFind.getState().show();
    useFind.getState().setText('tide');
    await vi.waitFor(() => expect(useFind.getState()).toMatchObject({ at: 3 }));
    expect(core.calls).toContainEqual({
      method: 'sessions.find',
      params: { sessionId: 's1', text: 'tide', matchCase: false },
    });
    expect(usePlace.getState().wanted).toMatchObject({ messageId: 'm2', callId: null, block: 3, words: ['tide'] });
    useFind.getState().step(1);
    expect(usePlace.getState().wanted).toMatchObject({ messageId: 'm1', nth: 0 });
    useFind.getState().step(1);
    expect(usePlace.getState().wanted).toMatchObject({ messageId: 'm1', nth: 1 });
    useFind.getState().step(1);
    expect(usePlace.getState().wanted).toMatchObject({ messageId: 'm2', callId: 'c1', nth: 0 });
    useFind.getState().hide();
    expect([usePlace.getState().wanted, useFind.getState().open]).toEqual([null, false]);
  });
});
