// The arm delay of an ask: time must pass between showing something and its answer, so that a key or click that was
// meant for what was there before approves nothing.
import { useEffect, useState } from 'react';

export interface Arming {
  readonly armed: boolean;
  /** Counts the restarts; as a React key it restarts the visible fill. */
  readonly round: number;
}

/**
 * Armed after `delayMs` of showing `content` unchanged in a focused window. A new content, the window coming back to
 * the front or the page becoming visible starts the delay anew; while the window is not focused nothing is armed.
 */
export function useArmed(content: string, delayMs: number): Arming {
  const [windowRound, setWindowRound] = useState(0);
  const [inFront, setInFront] = useState(true);
  const round = `${windowRound}:${content}`;
  const [armedFor, setArmedFor] = useState<string | null>(null);

  useEffect(() => {
    const restart = (front: boolean) => {
      setInFront(front);
      setWindowRound((count) => count + 1);
    };
    const onFocus = () => restart(true);
    const onBlur = () => restart(false);
    const onVisibility = () => restart(document.visibilityState === 'visible');
    window.addEventListener('focus', onFocus);
    window.addEventListener('blur', onBlur);
    document.addEventListener('visibilitychange', onVisibility);
    return () => {
      window.removeEventListener('focus', onFocus);
      window.removeEventListener('blur', onBlur);
      document.removeEventListener('visibilitychange', onVisibility);
    };
  }, []);

  useEffect(() => {
    if (!inFront) return;
    const timer = setTimeout(() => setArmedFor(round), delayMs);
    return () => clearTimeout(timer);
  }, [round, delayMs, inFront]);

  // Compared while rendering: the first frame with new content is never armed by the old one.
  return { armed: armedFor === round, round: windowRound };
}
