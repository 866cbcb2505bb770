// What the Tools & MCP page shows, kept while another page is shown.
import { create } from 'zustand';
import type { ToolState } from '#shared/api/tools';

export type ToolsTab = 'tools' | 'servers';
/** `all`, `builtIn`, or `mcp:` with a server's name. */
export type OriginFilter = 'all' | 'builtIn' | `mcp:${string}`;

interface ToolsPageStore {
  readonly tab: ToolsTab;
  readonly search: string;
  readonly origin: OriginFilter;
  readonly state: ToolState | 'all';
  /** Name of the tool whose details are shown. */
  readonly tool: string | null;
  /** Id of the server whose details are shown. */
  readonly server: string | null;
  show(change: Partial<Omit<ToolsPageStore, 'show'>>): void;
}

export const useToolsPage = create<ToolsPageStore>()((set) => ({
  tab: 'tools',
  search: '',
  origin: 'all',
  state: 'all',
  tool: null,
  server: null,
  show: (change) => set(change),
}));
