import { useEffect } from 'react';
import { useToasts } from '../../stores/toasts';
import { isApple } from '../../ui/keyNames';
import { actionFor, ownKeys } from '../palette/keysInForce';

/** Listens for the page's keys as long as the component is there. */
export function useShortcuts(): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented) return;
      const context = { apple: isApple(navigator.platform), typing: isTyping(event.target), own: ownKeys() };
      const action = actionFor(event, context);
      if (action === null) return;
      event.preventDefault();
      const why = action.whyNot?.() ?? '';
      if (why === '') action.run?.();
      else useToasts.getState().show({ level: 'info', title: action.title, text: why });
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, []);
}

function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName);
}
