// @vitest-environment jsdom
import { act, fireEvent, screen } from '@testing-library/react';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { draw, preparePage } from '../testing/draw';
import { succeeded } from '../testing/samples';
import { Conversation } from './Conversation';
import type { Row } from './rows';

preparePage({ fakeTime: false });

const boxHeight = 600;
const rowHeight = 50;

// jsdom lays nothing out: every row is 50 pixels high, the box shows 600 of them.
beforeEach(() => {
  vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockImplementation(function (this: HTMLElement) {
    return this.dataset.index === undefined ? boxHeight : rowHeight;
  });
  vi.spyOn(HTMLElement.prototype, 'offsetWidth', 'get').mockReturnValue(800);
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(boxHeight);
  vi.spyOn(HTMLElement.prototype, 'scrollHeight', 'get').mockImplementation(function (this: HTMLElement) {
    const inner = this.firstElementChild;
    return inner instanceof HTMLElement ? Number.parseFloat(inner.style.height) || boxHeight : boxHeight;
  });
});

const calls = (count: number): Row[] =>
  Array.from({ length: count }, (_, index) => {
    const call = succeeded({ callId: `c${index}`, view: { kind: 'text', text: 'x' } });
    return { kind: 'call', key: call.callId, call };
  });

let sessions = 0;

function open(rows: readonly Row[], sessionId = `s${++sessions}`) {
  const element = (shown: readonly Row[]) => (
    <Conversation
      title="Tides"
      rows={shown}
      sessionId={sessionId}
      selectedCallId={null}
      link={{ call: () => new Promise(() => undefined), on: () => () => undefined }}
      onOpenTrace={() => undefined}
      onStop={() => undefined}
      tail={null}
      tailKey=""
    />
  );
  const view = draw(element(rows));
  return { sessionId, unmount: view.unmount, show: (next: readonly Row[]) => view.rerender(element(next)) };
}

const log = () => screen.getByRole('log', { name: 'Conversation: Tides' });
const mounted = () => [...log().querySelectorAll('[data-index]')].map((row) => Number(row.getAttribute('data-index')));
const scrollTo = (top: number) => {
  act(() => {
    log().scrollTop = top;
    fireEvent.scroll(log());
  });
};

describe('Conversation', () => {
  test('draws a bounded number of six hundred calls, the last ones first', () => {
    open(calls(600));
    fireEvent.scroll(log());
    expect(mounted().length).toBeLessThan(60);
    expect(mounted()).toContain(599);
  });

  test('follows while the reader is at the end', () => {
    const { show } = open(calls(100));
    show(calls(120));
    expect(log().scrollTop).toBe(log().scrollHeight);
    expect(screen.queryByRole('button', { name: /^Jump to latest/ })).toBeNull();
  });

  test('stays with a reader who left the end, counts what is new, and jumps back', () => {
    const { show } = open(calls(100));
    fireEvent.scroll(log());
    scrollTo(1_000);
    show(calls(103));
    expect(log().scrollTop).toBe(1_000);
    fireEvent.click(screen.getByRole('button', { name: 'Jump to latest (3 new)' }));
    expect(log().scrollTop).toBe(log().scrollHeight);
    expect(screen.queryByRole('button', { name: /^Jump to latest/ })).toBeNull();
  });

  test('comes back as it was left when the session is opened again', () => {
    const { sessionId, unmount } = open(calls(100));
    fireEvent.scroll(log());
    scrollTo(1_000);
    unmount();
    open(calls(102), sessionId);
    expect(screen.getByRole('button', { name: 'Jump to latest (2 new)' })).toBeTruthy();
  });

  test('announces what has finished, not what streams, and nothing of the past', () => {
    const past: Row = { kind: 'text', key: 't0', text: 'old', streaming: false };
    const { show } = open([past]);
    const status = () => screen.getAllByRole('status').map((region) => region.textContent);
    expect(status()).toEqual(['']);
    show([past, { kind: 'text', key: 't1', text: 'coming', streaming: true }]);
    expect(status()).toEqual(['']);
    show([past, { kind: 'text', key: 't1', text: 'complete', streaming: false }]);
    expect(status()).toEqual(['complete']);
    expect(log().getAttribute('aria-live')).toBe('off');
  });
});
