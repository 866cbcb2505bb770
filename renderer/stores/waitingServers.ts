// MCP servers that came with the open folder and wait until it is trusted.
import { useEffect } from 'react';
import { create } from 'zustand';
import type { McpServerView } from '#shared/api/mcp';
import { host } from '../host/client';

/** What a server would start or reach. */
export type WaitingServer = Pick<McpServerView, 'name' | 'target'>;

interface WaitingServers {
  /** The folder they belong to; null: none were asked for yet. */
  readonly folder: string | null;
  readonly servers: readonly WaitingServer[];
  /** Reads them anew. What cannot be had leaves the list empty: the Tools page tells why. */
  load(folder: string): Promise<void>;
}

const none: readonly WaitingServer[] = [];

export const useServersOfFolder = create<WaitingServers>()((set, get) => ({
  folder: null,
  servers: none,
  async load(folder) {
    if (get().folder !== folder) set({ folder, servers: none });
    try {
      const { view } = await host().call('mcp.list', { folder });
      const servers = view.servers.filter(({ needs }) => needs === 'trust');
      if (get().folder === folder) set({ servers: servers.map(({ name, target }) => ({ name, target })) });
    } catch {
      if (get().folder === folder) set({ servers: none });
    }
  },
}));

/** Servers of a folder that wait for trust in it. */
export function useWaitingServers(folder: string): readonly WaitingServer[] {
  return useServersOfFolder((known) => (known.folder === folder ? known.servers : none));
}

/** Keeps them on a folder as long as somebody shows what waits there; `asks`: whether anything can wait. */
export function useFollowServers(folder: string, asks: boolean): void {
  useEffect(() => {
    if (!asks || folder === '') return;
    const load = () => void useServersOfFolder.getState().load(folder);
    load();
    const link = host();
    const stops = [
      link.on('mcp.changed', (change) => {
        if (change.folder === folder) load();
      }),
      link.onState((state) => {
        if (state.status === 'open') load();
      }),
    ];
    return () => {
      for (const stop of stops) stop();
    };
  }, [folder, asks]);
}
