import { useEffect, useState } from 'react';
import type { HistoryState } from '#shared/api/history';
import { host } from '../../../host/client';

/** How far past calls have been read; null until it is known, or while nobody can tell. */
export function useHistoryState(): HistoryState | null {
  const [state, setState] = useState<HistoryState | null>(null);
  useEffect(() => {
    let current = true;
    const stop = host().on('history.state', setState);
    host()
      .call('history.state', {})
      .then(
        (known) => {
          if (current) setState((before) => before ?? known);
        },
        () => undefined,
      );
    return () => {
      current = false;
      stop();
    };
  }, []);
  return state;
}
