// @vitest-environment jsdom
import { beforeEach, describe, expect, it } from 'vitest';
import { resetStores } from '../testing/resetStores';
import { useUi } from './ui';

const key = 'gatehouse.ui';

beforeEach(() => {
  localStorage.clear();
  resetStores();
});

function kept(): unknown {
  return (JSON.parse(localStorage.getItem(key) ?? '{}') as { state?: unknown }).state;
}

describe('layout', () => {
  it('is remembered, what lies open for the moment is not', () => {
    useUi.getState().inspectCall('call1', 'trace');
    useUi.getState().setDialog('folder');
    expect(kept()).toEqual({
      sidebarOpen: true,
      sidebarWidth: 264,
      inspectorOpen: true,
      inspectorWidth: 380,
      inspectorTab: 'trace',
      theme: 'system',
      lastSessionId: null,
      recent: [],
    });
  });

  it.each([
    ['what fits', { sidebarOpen: false, inspectorTab: 'why' }, { sidebarOpen: false, inspectorTab: 'why' }],
    ['nothing of another shape', { sidebarOpen: 'no', sidebarWidth: 9 }, { sidebarOpen: true, sidebarWidth: 264 }],
    ['nothing of another kind', null, { sidebarOpen: true }],
  ])('takes from the browser %s', async (_name, state, expected) => {
    localStorage.setItem(key, JSON.stringify({ state, version: 0 }));
    await useUi.persist.rehydrate();
    expect(useUi.getState()).toMatchObject(expected);
  });

  it('keeps the tab when a call is inspected without one', () => {
    useUi.getState().setInspectorTab('result');
    useUi.getState().inspectCall('call2');
    expect(useUi.getState()).toMatchObject({
      selectedCallId: 'call2',
      inspectorTab: 'result',
      inspectorOpen: true,
    });
  });
});
