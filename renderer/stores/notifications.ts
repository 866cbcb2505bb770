// Calls for attention while nobody looks at the page: the system's notification, which leads to the session and answers
// nothing. What the model itself has to say is a toast where the page is seen.
import { host } from '../host/client';
import { shownText } from '../ui/visibleCharacters';
import { useApp } from './app';
import { useToasts } from './toasts';
import { useUi } from './ui';

/** Whether the system may show notifications of this page; `unavailable`: it knows none. */
export type NotificationPermissionState = 'granted' | 'denied' | 'default' | 'unavailable';

export function notificationPermission(): NotificationPermissionState {
  return 'Notification' in window ? window.Notification.permission : 'unavailable';
}

/** Lets the browser ask the person; call it from a click. */
export async function requestNotifications(): Promise<NotificationPermissionState> {
  return 'Notification' in window ? await window.Notification.requestPermission() : 'unavailable';
}

interface Told {
  readonly sessionId: string;
  readonly title: string;
  readonly message: string;
}

/** Call once after `createHost`. */
export function followNotifications(): void {
  host().on('session.attention', ({ kind, ...told }) => {
    const wanted = useApp.getState().preferences?.notify[kind] ?? true;
    if (!wanted || isSeen() || notificationPermission() !== 'granted') return;
    show(told, { tag: `gatehouse-${told.sessionId}-${kind}`, waits: kind === 'waiting' });
  });
  host().on('session.notification', (told) => {
    const { sessionId, title, message } = told;
    const { activeSessionId, openSession } = useApp.getState();
    if (!isSeen() && notificationPermission() === 'granted') {
      show(told, { tag: `gatehouse-${sessionId}`, waits: false });
      return;
    }
    const elsewhere = sessionId !== activeSessionId;
    useToasts.getState().show({
      level: 'info',
      title,
      text: message,
      ...(elsewhere ? { action: { label: 'Open session', run: () => openSession(sessionId) } } : {}),
    });
  });
}

function isSeen(): boolean {
  return document.visibilityState === 'visible' && document.hasFocus();
}

/** A click brings the page to the front and leads to the session; an ask gets the focus and arms as ever. */
function show({ sessionId, title, message }: Told, about: { readonly tag: string; readonly waits: boolean }): void {
  const shown = new window.Notification(shownText(title), { body: shownText(message), tag: about.tag });
  shown.onclick = () => {
    window.focus();
    useApp.getState().openSession(sessionId);
    if (about.waits) useUi.getState().focusAsk();
    shown.close();
  };
}
