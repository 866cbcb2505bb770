// What of the list of sessions is shown; kept while other pages are looked at.
import { create } from 'zustand';
import { type EntryFilter, noEntryFilter } from '../features/frame/entries';

interface SidebarStore {
  readonly filter: EntryFilter;
  readonly archivedOpen: boolean;
  /** The person has seen that transcripts will be swept. */
  readonly sweepSeen: boolean;
  setFilter(change: Partial<EntryFilter>): void;
  clearFilter(): void;
  setArchivedOpen(open: boolean): void;
  dismissSweep(): void;
}

export const useSidebar = create<SidebarStore>()((set) => ({
  filter: noEntryFilter,
  archivedOpen: false,
  sweepSeen: false,
  setFilter: (change) => set((sidebar) => ({ filter: { ...sidebar.filter, ...change } })),
  clearFilter: () => set({ filter: noEntryFilter }),
  setArchivedOpen: (archivedOpen) => set({ archivedOpen }),
  dismissSweep: () => set({ sweepSeen: true }),
}));
