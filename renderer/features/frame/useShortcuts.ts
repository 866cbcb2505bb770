import { useEffect } from 'react';
import { useApp } from '../../stores/app';
import { useUi } from '../../stores/ui';
import { isApple } from '../../ui/keyNames';
import { openFolder } from '../folders/openFolder';
import { focusPane } from './paneFocus';
import { actionFor, type ShortcutAction } from './shortcuts';
import { sidebarFits } from './useMedia';

/** Listens for the page's keys as long as the component is there. */
export function useShortcuts(): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented) return;
      const action = actionFor(event, { apple: isApple(navigator.platform), typing: isTyping(event.target) });
      if (action === null) return;
      event.preventDefault();
      run(action);
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, []);
}

function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName);
}

function run(action: ShortcutAction): void {
  const app = useApp.getState();
  const ui = useUi.getState();
  switch (action) {
    case 'newSession':
      void openFolder();
      return;
    case 'toggleSidebar':
      toggleSidebar();
      return;
    case 'toggleInspector':
      ui.setInspectorOpen(!ui.inspectorOpen);
      return;
    case 'settings':
      app.go(app.page === 'settings' ? 'chat' : 'settings');
      return;
    case 'search':
    case 'rules':
    case 'results':
    case 'trace':
    case 'hooks':
    case 'tools':
      app.go(app.page === action ? 'chat' : action);
      return;
    case 'switcher':
      ui.setDialog(ui.dialog === 'switcher' ? null : 'switcher');
      return;
    case 'shortcutSheet':
      ui.setDialog(ui.dialog === 'shortcuts' ? null : 'shortcuts');
      return;
    case 'nextWaiting': {
      const waiting = (app.sessions ?? []).filter((session) => session.activity === 'waiting');
      const here = waiting.some((session) => session.sessionId === app.activeSessionId);
      const oldest = waiting.at(-1);
      if (oldest !== undefined && (!here || app.page !== 'chat')) {
        app.openSession(here ? app.activeSessionId : oldest.sessionId);
      }
      return;
    }
    case 'nextPane':
      focusPane(1);
      return;
    case 'previousPane':
      focusPane(-1);
  }
}

/** Shows or hides the sidebar: beside the content where it fits, else over it. */
export function toggleSidebar(): void {
  const ui = useUi.getState();
  if (window.matchMedia(sidebarFits).matches) ui.setSidebarOpen(!ui.sidebarOpen);
  else ui.setSidebarSheet(!ui.sidebarSheet);
}
