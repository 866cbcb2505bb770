// Messages by which the model calls for attention: a toast where the page is seen, else the system's notification.
import { host } from '../host/client';
import { useApp } from './app';
import { useToasts } from './toasts';

/** Whether the system may show notifications of this page; `unavailable`: it knows none. */
export type NotificationPermissionState = 'granted' | 'denied' | 'default' | 'unavailable';

export function notificationPermission(): NotificationPermissionState {
  return 'Notification' in window ? window.Notification.permission : 'unavailable';
}

/** Lets the browser ask the person; call it from a click. */
export async function requestNotifications(): Promise<NotificationPermissionState> {
  return 'Notification' in window ? await window.Notification.requestPermission() : 'unavailable';
}

/** Call once after `createHost`. */
export function followNotifications(): void {
  host().on('session.notification', ({ sessionId, title, message }) => {
    const { activeSessionId, openSession } = useApp.getState();
    const seen = document.visibilityState === 'visible' && document.hasFocus();
    if (!seen && notificationPermission() === 'granted') {
      const shown = new window.Notification(title, { body: message, tag: `gatehouse-${sessionId}` });
      shown.onclick = () => {
        window.focus();
        openSession(sessionId);
        shown.close();
      };
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
