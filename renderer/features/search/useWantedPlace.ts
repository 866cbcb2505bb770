// Brings the message or call that was gone to into view in a conversation, and marks its words.
import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react';
import { type Place, sameConversation, shownConversation, usePlace, type Wanted } from '../../stores/place';
import { useSession } from '../../stores/session';
import { useToasts } from '../../stores/toasts';
import { useUi } from '../../stores/ui';
import { useOpenCards } from '../chat/cards/openCards';
import type { Row } from '../chat/conversation/rows';
import { inspectorFits } from '../frame/useMedia';
import { clearMarks, rangesIn, showMarks } from './marks';
import { wantedRow } from './wantedRow';
import './search.css';

/** How long a row that was gone to may still change its height (a card that opens, code that gets its colours). */
const settleMs = 600;

/** The key of the row that was gone to, to be marked; null: none. */
export function useWantedPlace(options: {
  readonly rows: readonly Row[];
  readonly scroller: RefObject<HTMLElement | null>;
  /** Brings a row into the middle of the view; the end is not followed any more. */
  readonly goTo: (index: number) => void;
}): string | null {
  const { rows, scroller, goTo } = options;
  const asked = usePlace((place) => place.wanted);
  const here = shownConversation();
  const wanted = asked !== null && here !== null && sameConversation(asked.in, here) ? asked : null;
  const index = wanted === null ? -1 : wantedRow(rows, wanted, useSession.getState().state);
  const key = rows[index]?.key ?? null;
  const gone = useRef(0);
  const asking = useRef(0);
  const latest = useRef({ rows });
  latest.current = { rows };

  // The page holds a part of a long conversation.
  useEffect(() => {
    if (wanted === null || index !== -1 || asking.current === wanted.request) return;
    asking.current = wanted.request;
    void ensurePlace(wanted);
  });

  useLayoutEffect(() => {
    if (wanted === null || index === -1 || gone.current === wanted.request) return;
    gone.current = wanted.request;
    const row = rows[index];
    if (row?.kind === 'call') useOpenCards.getState().open(row.call.callId);
    goTo(index);
    // Rows may have come above it meanwhile.
    const goAgain = () => {
      const now = wantedRow(latest.current.rows, wanted, useSession.getState().state);
      if (now !== -1) goTo(now);
    };
    const again = setTimeout(goAgain, settleMs / 4);
    const last = setTimeout(goAgain, settleMs);
    // A reader who scrolls meanwhile knows better.
    const stop = () => {
      clearTimeout(again);
      clearTimeout(last);
    };
    scroller.current?.addEventListener('wheel', stop, { once: true, passive: true });
    scroller.current?.addEventListener('keydown', stop, { once: true });
  });

  useMarks({
    scroller,
    words: wanted?.words ?? noWords,
    key,
    nth: wanted?.nth ?? 0,
    matchCase: wanted?.matchCase ?? false,
  });
  useHiddenText({ scroller, wanted, key });
  return key;
}

/** Not every card shows what its call printed: then the inspector shows it, where there is room for both. */
function useHiddenText(options: {
  readonly scroller: RefObject<HTMLElement | null>;
  readonly wanted: Wanted | null;
  readonly key: string | null;
}): void {
  const { scroller, wanted, key } = options;
  useEffect(() => {
    if (wanted === null || key === null || wanted.callId === null || wanted.words.length === 0) return;
    const { callId, words, matchCase = false } = wanted;
    const timer = setTimeout(() => {
      const row = scroller.current?.querySelector('[data-wanted]');
      if (row === null || row === undefined || rangesIn(row, words, matchCase).length > 0) return;
      if (window.matchMedia(inspectorFits).matches) useUi.getState().inspectCall(callId, 'result');
    }, settleMs + 200);
    return () => clearTimeout(timer);
  }, [scroller, wanted, key]);
}

async function ensurePlace({ callId, messageId }: Pick<Place, 'callId' | 'messageId'>): Promise<void> {
  const { ensureItem } = useSession.getState();
  if (callId !== null && (await ensureItem({ callId }))) return;
  if (messageId !== null && (await ensureItem({ messageId }))) return;
  useToasts.getState().show({
    level: 'info',
    title: 'This place is not in the conversation that is shown.',
    text: 'It stands in a part that the conversation has left for another way, or is gone since it was found.',
  });
}

const noWords: readonly string[] = [];

/** Keeps the marks in step with what is drawn. */
function useMarks(options: {
  readonly scroller: RefObject<HTMLElement | null>;
  readonly words: readonly string[];
  /** The row of the present mark. */
  readonly key: string | null;
  readonly nth: number;
  readonly matchCase: boolean;
}): void {
  const { scroller, words, key, nth, matchCase } = options;
  // biome-ignore lint/correctness/useExhaustiveDependencies: another row has another present mark.
  useEffect(() => {
    const element = scroller.current;
    if (element === null || words.length === 0) return;
    let frame = 0;
    let led = false;
    const mark = () => {
      frame = 0;
      const row = element.querySelector('[data-wanted]');
      const own = row === null ? [] : rangesIn(row, words, matchCase);
      // What is sought may stand among the lines that a card leaves out at first.
      if (row !== null && own.length <= nth) row.querySelector<HTMLElement>('[data-more-lines]')?.click();
      const current = own[Math.min(nth, own.length - 1)] ?? null;
      if (current !== null && !led) {
        led = own.length > nth;
        revealWithin(current, element);
      }
      const others = [...element.querySelectorAll('[data-index]')].filter((other) => other !== row);
      showMarks([...own, ...others.flatMap((other) => rangesIn(other, words, matchCase))], current);
    };
    const later = () => {
      if (frame === 0) frame = requestAnimationFrame(mark);
    };
    mark();
    const observer = new MutationObserver(later);
    observer.observe(element, { childList: true, characterData: true, subtree: true });
    return () => {
      observer.disconnect();
      cancelAnimationFrame(frame);
      clearMarks();
    };
  }, [scroller, words, key, nth, matchCase]);
}

/** Scrolls the boxes around a mark, inside the conversation, so that it is seen; each as little as needed. */
function revealWithin(mark: Range, conversation: Element): void {
  if (typeof mark.getBoundingClientRect !== 'function') return;
  let box = mark.startContainer.parentElement;
  while (box !== null && box !== conversation) {
    if (box.scrollHeight > box.clientHeight + 1 && getComputedStyle(box).overflowY !== 'visible') {
      const { top, bottom } = mark.getBoundingClientRect();
      const frame = box.getBoundingClientRect();
      if (top < frame.top || bottom > frame.bottom) box.scrollTop += (top + bottom - frame.top - frame.bottom) / 2;
    }
    box = box.parentElement;
  }
}
