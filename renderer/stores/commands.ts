// What can be typed as `/name` in the open session, asked for when somebody begins to type it.
import { create } from 'zustand';
import type { TypedCommand } from '#shared/api/commands';
import { host } from '../host/client';
import { useSession } from './session';

interface CommandFacts {
  /** The session they belong to; null: none were asked for yet. */
  readonly sessionId: string | null;
  readonly commands: readonly TypedCommand[];
  /** Files that count once the folder is trusted. */
  readonly waiting: readonly string[];
  readonly problems: readonly string[];
}

interface CommandStore extends CommandFacts {
  /** Reads them anew. What cannot be had leaves the list empty: typing goes on without it. */
  load(sessionId: string): Promise<void>;
}

const nothing: CommandFacts = { sessionId: null, commands: [], waiting: [], problems: [] };

export const useCommands = create<CommandStore>()((set, get) => ({
  ...nothing,
  async load(sessionId) {
    if (get().sessionId !== sessionId) set({ ...nothing, sessionId });
    try {
      const answer = await host().call('commands.list', { sessionId });
      if (get().sessionId === sessionId) set(answer);
    } catch {
      if (get().sessionId === sessionId) set({ ...nothing, sessionId });
    }
  },
}));

const none: readonly string[] = [];

/** Files of the open session's folder that wait for trust. */
export function useWaitingFiles(): readonly string[] {
  const active = useSession((session) => session.sessionId);
  return useCommands((known) => (known.sessionId === active ? known.waiting : none));
}
