// What was said and done in the conversation that is shown, as rows: a session's or a transcript's.
import { useCallback, useMemo } from 'react';
import type { SessionState } from '#shared/session/state';
import { host } from '../../host/client';
import { useSession } from '../../stores/session';
import { shownOf } from '../../stores/shownItems';
import { useUi } from '../../stores/ui';
import { Activity } from './conversation/Activity';
import { Conversation } from './conversation/Conversation';
import { positionOfRow, type Row, rowsOf } from './conversation/rows';

interface Props {
  /** Names the conversation: its place is remembered under this. */
  readonly sessionId: string;
  readonly state: SessionState;
}

export function Messages({ sessionId, state }: Props) {
  const live = useSession((session) => session.live);
  const retrying = useSession((session) => session.retrying);
  const selectedCallId = useUi((ui) => ui.selectedCallId);
  const inspectCall = useUi((ui) => ui.inspectCall);
  const stop = useSession((session) => session.stop);
  const past = useSession((session) => session.past);
  const { turn, calls } = state;
  const { first, turnsBefore, items } = shownOf({ state, past });
  const rows = useMemo(
    () => rowsOf({ items, calls, first, turnsBefore }, live),
    [items, calls, first, turnsBefore, live],
  );
  const hasNewer = past !== null;
  const part = useMemo(
    () => ({
      hasOlder: first > 0,
      hasNewer,
      positionAt: (row: Row) => positionOfRow(row, { items, first }) ?? first,
      ...ways,
    }),
    [items, first, hasNewer],
  );
  const silent = turn !== null && !showsWork(rows.at(-1));
  const onOpenTrace = useCallback((callId: string) => inspectCall(callId, 'trace'), [inspectCall]);
  const onStop = useCallback(() => void stop(), [stop]);
  return (
    <Conversation
      key={sessionId}
      title={state.title}
      rows={rows}
      part={part}
      sessionId={sessionId}
      selectedCallId={selectedCallId}
      link={host()}
      onOpenTrace={onOpenTrace}
      onStop={onStop}
      tail={<Activity turn={turn} retrying={retrying} silent={silent} />}
      tailKey={`${silent}:${retrying?.attempt ?? ''}:${liveLength(rows.at(-1))}`}
    />
  );
}

/** How the conversation gets at what the page does not hold. */
const ways = {
  onOlder: () => void useSession.getState().showOlder(),
  onNewer: () => void useSession.getState().showNewer(),
  onItem: (position: number) => void useSession.getState().ensureItem({ position }),
  onNewest: () => useSession.getState().showNewest(),
  onAtEnd: (atEnd: boolean) => useSession.setState({ atEnd }),
};

/** Whether the last row itself shows that something goes on. */
function showsWork(row: Row | undefined): boolean {
  if (row === undefined) return false;
  if (row.kind === 'text' || row.kind === 'thinking') return row.streaming;
  return row.kind === 'call' && ['checking', 'asking', 'running'].includes(row.call.status);
}

function liveLength(row: Row | undefined): number {
  return row?.kind === 'text' || row?.kind === 'thinking' ? row.text.length : 0;
}
