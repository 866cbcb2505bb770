import { useCallback, useEffect, useRef, useState } from 'react';
import type { AppContract } from '#shared/api/app';
import type { Answer } from '#shared/rpc/contract';
import { host } from '../../host/client';
import { messageOf } from '../../stores/toasts';

export type Listing = Answer<AppContract, 'host.browse'>;

export interface Browse {
  /** What is shown; stays the last good one while another folder is loading or cannot be read. */
  readonly listing: Listing | null;
  readonly loading: boolean;
  /** Why the folder asked for last cannot be shown; empty when it can. */
  readonly problem: string;
  go(path: string): void;
}

/** Walks through folders by `host.browse`, from `start` on. A slow answer never replaces a later one. */
export function useBrowse(start: string, showHidden: boolean): Browse {
  const [listing, setListing] = useState<Listing | null>(null);
  // An object, so that asking for the same folder again asks again: it may be readable now.
  const [wanted, setWanted] = useState({ path: start });
  const [loading, setLoading] = useState(true);
  const [problem, setProblem] = useState('');
  const round = useRef(0);

  useEffect(() => {
    round.current += 1;
    const mine = round.current;
    setLoading(true);
    host()
      .call('host.browse', { path: wanted.path, showHidden })
      .then((answer) => {
        if (mine !== round.current) return;
        setListing(answer);
        setProblem('');
        setLoading(false);
      })
      .catch((error: unknown) => {
        if (mine !== round.current) return;
        setProblem(messageOf(error));
        setLoading(false);
      });
    return () => {
      round.current += 1;
    };
  }, [wanted, showHidden]);

  const go = useCallback((path: string) => {
    setLoading(true);
    setWanted({ path });
  }, []);
  return { listing, loading, problem, go };
}
