import type { SessionOrigin } from '#shared/session/sessionOrigin';
import { useApp } from '../../stores/app';
import { useToasts } from '../../stores/toasts';
import { useTranscripts } from '../../stores/transcripts';

/** Goes to where a session began, or says that it is gone. */
export function openOrigin(origin: SessionOrigin): void {
  if (origin.kind === 'transcript') {
    void useTranscripts.getState().show(origin.id);
    return;
  }
  const app = useApp.getState();
  if (app.sessions?.some(({ sessionId }) => sessionId === origin.sessionId) === true) {
    app.openSession(origin.sessionId);
    return;
  }
  useToasts.getState().show({
    level: 'error',
    title: 'The session that this one was branched from is gone.',
    text: `“${origin.title}” has been deleted. This session keeps all that both share.`,
  });
}
