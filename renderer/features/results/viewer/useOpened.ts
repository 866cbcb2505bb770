import { useEffect, useState } from 'react';
import type { AppContract } from '#shared/api/app';
import type { TextIndex } from '#shared/api/results';
import type { Answer } from '#shared/rpc/contract';
import { RpcError } from '#shared/rpc/errors';
import { host } from '../../../host/client';
import { messageOf } from '../../../stores/toasts';

export type OpenedFile = Answer<AppContract, 'results.open'>;

export type Opened =
  | { readonly status: 'loading' }
  | { readonly status: 'failed'; readonly gone: boolean; readonly problem: string }
  | {
      readonly status: 'open';
      readonly file: OpenedFile;
      readonly index: TextIndex;
      /** What happened to the file since; null: nothing that needs it to be opened anew. */
      readonly change: 'rewritten' | 'gone' | null;
      readonly round: number;
    };

/** Opens a file for as long as it is looked at, also after the connection was lost. `again` opens it anew. */
export function useOpened(id: string): { readonly opened: Opened; again(): void } {
  const [round, setRound] = useState(0);
  const [opened, setOpened] = useState<Opened>({ status: 'loading' });
  useEffect(() => {
    let mine = true;
    host()
      .call('results.open', { id })
      .then(
        (file) => {
          if (mine) setOpened({ status: 'open', file, index: file.index, change: null, round });
        },
        (error: unknown) => {
          const gone = error instanceof RpcError && error.code === 'notFound';
          if (mine) setOpened({ status: 'failed', gone, problem: messageOf(error) });
        },
      );
    const stops = [
      host().on('results.indexed', (told) => {
        if (told.id === id)
          setOpened((before) =>
            before.status === 'open' && before.change !== 'rewritten' ? { ...before, index: told.index } : before,
          );
      }),
      host().on('results.fileChanged', ({ id: told, how, bytes }) => {
        if (told === id)
          setOpened((before) => {
            if (before.status !== 'open') return before;
            return how === 'grew' ? { ...before, file: { ...before.file, bytes } } : { ...before, change: how };
          });
      }),
      host().onState((state) => {
        if (state.status === 'open') setRound((before) => before + 1);
      }),
    ];
    return () => {
      mine = false;
      for (const stop of stops) stop();
      // Nothing to be done where the connection is gone: so is what it had open.
      host()
        .call('results.close', { id })
        .catch(() => undefined);
    };
  }, [id, round]);
  return { opened, again: () => setRound((before) => before + 1) };
}
