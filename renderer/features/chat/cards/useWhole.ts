import { useEffect } from 'react';
import type { ToolCall } from '#shared/session/toolCall';
import { useSession } from '../../../stores/session';

/** Fetches the long contents of a call that is looked at; until they are there it shows what it has. */
export function useWhole(call: ToolCall | undefined, looked = true): void {
  const ensureCall = useSession((session) => session.ensureCall);
  const callId = call?.light === true && looked ? call.callId : null;
  useEffect(() => {
    if (callId !== null) void ensureCall(callId);
  }, [callId, ensureCall]);
}
