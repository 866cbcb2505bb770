// @vitest-environment jsdom
import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { SessionEvent } from '#shared/session/events';
import { reduceInto } from '#shared/session/reduce';
import { emptyState } from '#shared/session/state';
import { emptyTrace, foldTrace } from '#shared/trace/foldTrace';
import { traceEvents } from '#shared/trace/testing/traceEvents';
import { useApp } from '../../stores/app';
import { usePlace } from '../../stores/place';
import { useTracePage } from '../../stores/tracePage';
import { createFakeCore, type FakeCore, summary } from '../../testing/fakeCore';
import { fillBrowserGaps, mountPage } from '../../testing/mountPage';
import { resetStores } from '../../testing/resetStores';
import { TracePage } from './TracePage';

/** Answers for the trace from a log that may grow. */
function traceAnswers(log: { events: readonly SessionEvent[] }): FakeCore['answers'] {
  return {
    'trace.rows': ({ since }) => {
      const fold = emptyTrace();
      for (const event of log.events) foldTrace(fold, event);
      return {
        seq: fold.seq,
        rows: [...fold.entries.values()].filter(({ lastSeq }) => lastSeq > since).map(({ row }) => row),
        hooks: [...fold.hooks.values()].filter(({ seq }) => seq > since),
      };
    },
    'trace.call': ({ callId }) => {
      const state = emptyState();
      for (const event of log.events) reduceInto(state, event);
      const call = state.calls[callId];
      if (call === undefined) throw new Error(`no call ${callId}`);
      return call;
    },
  };
}

let log: { events: readonly SessionEvent[] };
let core: FakeCore;

beforeEach(async () => {
  resetStores();
  fillBrowserGaps({ wide: true });
  // The rows in view depend on the height, which nothing has here.
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(800);
  log = { events: traceEvents };
  core = createFakeCore(traceAnswers(log));
  core.link.start();
  await waitFor(() => expect(core.link.state.status).toBe('open'));
  const sessions = [summary({ sessionId: 's1', title: 'Tides' }), summary({ sessionId: 's2', title: 'Gauges' })];
  useApp.setState({ sessions, activeSessionId: 's1' });
});

afterEach(() => {
  cleanup();
  core.link.dispose();
  vi.restoreAllMocks();
});

const rows = () => screen.getAllByRole('row').slice(1);
const askedSince = () =>
  core.calls
    .filter(({ method }) => method === 'trace.rows')
    .map(({ params }) => params as { sessionId: string; since: number });

it('lists calls and hooks of the session, and takes up what happens', async () => {
  mountPage(<TracePage />);
  await waitFor(() => expect(rows()).toHaveLength(4));
  expect(rows().map((row) => within(row).getAllByRole('gridcell')[1]?.textContent)).toEqual([
    'Bash',
    'SessionStart',
    'Bash',
    'Bash',
  ]);
  expect(rows()[2]?.querySelector('[data-kind=execution]')?.getAttribute('data-open')).toBe('true');
  const event: SessionEvent = {
    seq: 28,
    at: 16_000,
    body: { type: 'call.finished', callId: 'c2', status: 'failed', content: [], view: null, note: '' },
  };
  log.events = [...traceEvents, event];
  act(() => core.emit('session.event', { sessionId: 's1', event }));
  await waitFor(() => expect(rows()[2]?.textContent).toContain('failed'));
  expect(askedSince()).toEqual([
    { sessionId: 's1', since: 0 },
    { sessionId: 's1', since: 27 },
  ]);
});

it('filters while one types, and says what it cannot read', async () => {
  mountPage(<TracePage />);
  await waitFor(() => expect(rows()).toHaveLength(4));
  const field = screen.getByRole('combobox', { name: 'Filter calls' });
  const write = (value: string) => fireEvent.change(field, { target: { value } });
  write('verdict:ask');
  expect(rows()).toHaveLength(1);
  screen.getByText('1 of 3');
  write('verdict:ask colour:red');
  expect(field.getAttribute('aria-invalid')).toBe('true');
  expect(screen.getAllByText(/There is no “colour:”/)).not.toHaveLength(0);
  // What stands before the fault still holds.
  expect(rows()).toHaveLength(1);
});

it('shows a call of a sub-agent, leads to the call that started it and to the chat', async () => {
  useTracePage.setState({ active: 'c3' });
  mountPage(<TracePage />);
  const details = await screen.findByRole('complementary', { name: 'Details of the call' });
  await within(details).findByText('rm -rf cache');
  await userEvent.click(within(details).getByRole('tab', { name: 'Output' }));
  await within(details).findByText('no');
  await userEvent.click(within(details).getByRole('button', { name: 'Show in the chat' }));
  expect(usePlace.getState().wanted).toMatchObject({
    in: { kind: 'session', sessionId: 's1' },
    messageId: 'm2',
    callId: 'c3',
  });
  await userEvent.click(within(details).getByRole('button', { name: 'check the stations' }));
  expect(useTracePage.getState().active).toBe('c2');
});

it('shows another session when it is chosen, and the open one when that changes', async () => {
  mountPage(<TracePage />);
  await waitFor(() => expect(rows()).toHaveLength(4));
  act(() => useTracePage.getState().show({ chosenSession: 's2' }));
  await waitFor(() => expect(askedSince().at(-1)).toEqual({ sessionId: 's2', since: 0 }));
  await screen.findByRole('button', { name: 'Session: Gauges' });
  act(() => useApp.setState({ activeSessionId: null }));
  await waitFor(() => expect(askedSince().at(-1)).toEqual({ sessionId: 's1', since: 0 }));
});
