import { useEffect, useRef, useState } from 'react';
import { statusWords } from '../cards/statusWords';
import { hasEnded } from '../cards/track';
import type { Row } from './rows';

/** Longer messages are announced by their beginning; the log has the rest. */
const maxAnnounced = 400;

/** What a screen reader should say next: each finished message and each ended call, once; nothing of the past. */
export function useAnnouncement(sessionId: string, rows: readonly Row[]): string {
  const last = rows.findLast(isFinished);
  const key = last === undefined ? '' : `${sessionId}:${last.key}:${last.kind === 'call' ? last.call.status : ''}`;
  const known = useRef({ sessionId, key });
  const [text, setText] = useState('');
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key stands for the row.
  useEffect(() => {
    const before = known.current;
    known.current = { sessionId, key };
    // Opening a session is no news.
    if (before.sessionId !== sessionId || before.key === key || last === undefined) return;
    setText(wordsOf(last));
  }, [sessionId, key]);
  return text;
}

function isFinished(row: Row): boolean {
  if (row.kind === 'text') return !row.streaming;
  return row.kind === 'notice' || row.kind === 'compaction' || (row.kind === 'call' && hasEnded(row.call));
}

function wordsOf(row: Row): string {
  switch (row.kind) {
    case 'call':
      return `${row.call.presentation.title}, ${row.call.presentation.summary}, ${statusWords(row.call)}`;
    case 'notice':
      return `${row.text} ${row.next}`;
    case 'compaction':
      return 'The conversation was summed up for the model.';
    case 'text':
      return row.text.slice(0, maxAnnounced);
    default:
      return '';
  }
}
