import { Undo2 } from 'lucide-react';
import type { ToolCall } from '#shared/session/toolCall';
import { useApp } from '../../stores/app';
import { openChanges } from '../../stores/changes';
import { useSession } from '../../stores/session';
import { Button } from '../../ui/Button';
import { viewOf } from '../chat/cards/openCards';

/** On a call that changed a file: leads to taking that back. Nothing on any other call. */
export function TakeBack({ call }: { readonly call: ToolCall }) {
  // A card may also show a call of somewhere else, such as a transcript.
  const sessionId = useSession(({ sessionId: open, state }) => (state.calls[call.callId] === undefined ? null : open));
  if (call.status !== 'succeeded' || viewOf(call)?.kind !== 'diff' || sessionId === null) return null;
  return (
    <Button
      size="small"
      variant="ghost"
      icon={Undo2}
      aria-label={`Take back: ${call.presentation.summary}`}
      onClick={() => {
        useApp.getState().go('chat');
        openChanges(sessionId, { kind: 'call', callId: call.callId });
      }}
    >
      Take back…
    </Button>
  );
}
