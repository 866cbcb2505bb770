import { useApp } from '../../../stores/app';
import { useSession } from '../../../stores/session';

/** Opens a new session that begins with all up to a message; a message of the person comes back to be sent anew. */
export async function branchFrom(sessionId: string, messageId: string): Promise<void> {
  const branch = await useApp.getState().branchSession(sessionId, messageId);
  if (branch === null) return;
  if (branch.text !== '') useSession.getState().setDraft(branch.sessionId, branch.text);
  whenReady(branch.sessionId, () => {
    const box = document.querySelector<HTMLTextAreaElement>('textarea[aria-label="Message"]');
    box?.focus();
    box?.setSelectionRange(box.value.length, box.value.length);
  });
}

/** Runs once, when the session has been drawn; never when another is opened before. */
function whenReady(sessionId: string, then: () => void): void {
  const look = (session: ReturnType<typeof useSession.getState>): boolean => {
    if (session.sessionId !== sessionId || session.status === 'failed') return session.sessionId !== null;
    if (session.status !== 'ready') return false;
    requestAnimationFrame(() => requestAnimationFrame(then));
    return true;
  };
  if (look(useSession.getState())) return;
  const stop = useSession.subscribe((session) => {
    if (look(session)) stop();
  });
}
