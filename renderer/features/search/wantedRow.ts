import type { SessionState } from '#shared/session/state';
import type { Place } from '../../stores/place';
import type { Row } from '../chat/conversation/rows';

/** More sub-agents within one another than there can be. */
const mostDepth = 20;

/** The row that shows a message or call; -1: it is not among them. A sub-agent's call stands in its starter's card. */
export function wantedRow(
  rows: readonly Row[],
  place: Pick<Place, 'messageId' | 'callId' | 'block'>,
  state: Pick<SessionState, 'calls' | 'agents'>,
): number {
  const { messageId, callId } = place;
  if (callId !== null) {
    const shown = cardOf(callId, state);
    const index = rows.findIndex((row) => row.kind === 'call' && row.call.callId === shown);
    if (index !== -1 || messageId === null) return index;
  }
  if (messageId === null) return -1;
  const exact = rows.findIndex(
    (row) => row.key === (place.block === undefined ? messageId : `${messageId}-${place.block}`),
  );
  if (exact !== -1) return exact;
  // What the message says comes before what it calls.
  const said = rows.findIndex((row) => row.kind === 'text' && row.key.startsWith(`${messageId}-`));
  return said !== -1 ? said : rows.findIndex((row) => row.kind === 'call' && row.call.messageId === messageId);
}

/** The call in whose card another one stands. */
function cardOf(callId: string, { calls, agents }: Pick<SessionState, 'calls' | 'agents'>): string {
  let shown = callId;
  for (let depth = 0; depth < mostDepth; depth += 1) {
    const agentId = calls[shown]?.agentId;
    const starter = agentId === undefined ? undefined : agents[agentId]?.callId;
    if (starter === undefined) return shown;
    shown = starter;
  }
  return shown;
}
