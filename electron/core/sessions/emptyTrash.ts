// Deleted sessions are kept for some days, then they go for good with all that was kept beside them.
import { setImmediate as afterOthers } from 'node:timers/promises';
import type { Log } from '../ports';
import type { SessionStore } from './store';

const dayMs = 86_400_000;
/** How long a deleted session can be brought back, in days. */
export const trashDays = 7;
/** Events that are deleted at a stretch. */
const atOnce = 500;

/** Deletes for good what was deleted long enough ago. Never rejects; what cannot go now goes next time. */
export async function emptyTrash(options: {
  readonly store: SessionStore;
  /** Epoch milliseconds. */
  readonly now: number;
  /** Removes what lies on the disk for a session. */
  readonly removeFiles: (session: { readonly sessionId: string; readonly folder: string }) => Promise<void>;
  readonly stopped: () => boolean;
  readonly log: Log;
}): Promise<void> {
  const { store, now, removeFiles, stopped, log } = options;
  let removed = 0;
  try {
    for (const { sessionId, folder } of store.deletedBefore(now - trashDays * dayMs)) {
      if (stopped()) return;
      // Files first: as long as the session is known, they are found again.
      await removeFiles({ sessionId, folder });
      while (!stopped() && store.removeSomeEvents(sessionId, atOnce)) await afterOthers();
      if (stopped()) return;
      store.remove(sessionId);
      removed += 1;
    }
  } catch (error) {
    log.error('deleted sessions could not be taken away for good', error);
  }
  if (removed > 0) log.info('deleted sessions are gone for good', { sessions: removed });
}
