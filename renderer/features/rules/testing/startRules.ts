// A session with a fake core behind the Rules page, for tests of its parts.
import { act, waitFor } from '@testing-library/react';
import { expect } from 'vitest';
import { emptyState } from '#shared/session/state';
import { followHost, useApp } from '../../../stores/app';
import { draftOf, editsOf, useRuleDraft } from '../../../stores/ruleDraft';
import { useRules } from '../../../stores/rules';
import { useRulesPage } from '../../../stores/rulesPage';
import { useSession } from '../../../stores/session';
import { createFakeCore, type FakeCore, type FakeHandlers } from '../../../testing/fakeCore';
import { fillBrowserGaps } from '../../../testing/mountPage';
import { resetStores } from '../../../testing/resetStores';
import { view } from './samples';

export const sessionId = 's1';

/** Starts a core that answers so; the stores are as on a fresh page with the session open. */
export async function startRules(answers: Partial<FakeHandlers>): Promise<FakeCore> {
  localStorage.clear();
  sessionStorage.clear();
  resetStores();
  fillBrowserGaps({ wide: true });
  const core = createFakeCore(answers);
  followHost();
  act(() => core.link.start());
  await waitFor(() => expect(useApp.getState().connection).toEqual({ status: 'open' }));
  useSession.setState({ sessionId, status: 'ready', state: { ...emptyState(), folder: '/srv/app' } });
  useRules.setState({ view });
  useRulesPage.setState({ sessionId });
  return core;
}

/** What is in the draft. */
export function staged() {
  return editsOf(draftOf(useRuleDraft.getState(), sessionId));
}
