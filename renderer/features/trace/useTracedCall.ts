import { useEffect, useState } from 'react';
import type { ToolCall } from '#shared/session/toolCall';
import type { TraceRow } from '#shared/trace/traceRow';
import { host } from '../../host/client';
import { messageOf } from '../../stores/toasts';

export interface Traced {
  readonly call: ToolCall | null;
  /** Why it could not be loaded; empty when all is well. */
  readonly problem: string;
}

const nothing: Traced = { call: null, problem: '' };
/** Milliseconds in which changes that come together are gathered. */
const gatherMs = 60;

/** A call whole, loaded anew whenever its row has changed. */
export function useTracedCall(sessionId: string, row: TraceRow | null): Traced {
  const [traced, setTraced] = useState<Traced>(nothing);
  const callId = row?.callId ?? null;
  useEffect(() => {
    if (row === null) {
      setTraced(nothing);
      return;
    }
    let outdated = false;
    const load = async (): Promise<void> => {
      try {
        const call = await host().call('trace.call', { sessionId, callId: row.callId });
        if (!outdated) setTraced({ call, problem: '' });
      } catch (error) {
        if (!outdated) setTraced((before) => ({ call: before.call, problem: messageOf(error) }));
      }
    };
    const timer = setTimeout(() => void load(), row.endedAt === null ? gatherMs : 0);
    return () => {
      outdated = true;
      clearTimeout(timer);
    };
  }, [sessionId, row]);
  return traced.call?.callId === callId ? traced : { ...traced, call: null };
}
