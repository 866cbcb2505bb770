// How the page is laid out; what should survive a reload is remembered in the browser.
import { z } from 'zod';
import { create } from 'zustand';
import { persist } from 'zustand/middleware';
import type { ConversationRef } from '#shared/api/search';
import { Theme } from '#shared/api/settings';

export const InspectorTab = z.enum(['call', 'diff', 'file', 'trace', 'result', 'why']);
export type InspectorTab = z.infer<typeof InspectorTab>;

/** The dialog over the page; there is one at a time. */
export type DialogName = 'folder' | 'shortcuts' | 'palette' | 'rename' | 'export';

/** Sections of the settings that other places lead to. */
export type SettingsSection = 'sandbox';

/** What the command palette offers. */
export type PaletteScope = 'all' | 'sessions';

/** A file that was asked for by a link, and where in it. */
export interface WantedFile {
  readonly path: string;
  readonly line: number | null;
}

/** Entries of the palette that are remembered as used. */
const mostRecent = 12;

const Remembered = z.object({
  sidebarOpen: z.boolean(),
  /** Pixels. */
  sidebarWidth: z.number().min(200).max(480),
  inspectorOpen: z.boolean(),
  /** Pixels. */
  inspectorWidth: z.number().min(280).max(800),
  inspectorTab: InspectorTab,
  /** The last known choice, so that the first paint has the right colours. */
  theme: Theme,
  /** Opened again when the page starts. */
  lastSessionId: z.string().nullable(),
  /** Entries of the palette that were used, the latest first. */
  recent: z.array(z.string().max(300)).max(mostRecent),
});
type Remembered = z.infer<typeof Remembered>;

interface UiFacts extends Remembered {
  /** The call that the inspector shows. */
  readonly selectedCallId: string | null;
  /** The file that the inspector shows in place of the call's own; null: the call's. */
  readonly wantedFile: WantedFile | null;
  readonly paletteScope: PaletteScope;
  /** When somebody wanted to be led to the ask that waits (`performance.now()`). */
  readonly askWantedAt: number;
  /** The section of the settings that somebody was led to; null once it has been shown. */
  readonly settingsSection: SettingsSection | null;
  /** On narrow windows: whether the sessions list lies over the content. */
  readonly sidebarSheet: boolean;
  readonly dialog: DialogName | null;
  /** What the dialog `export` is about. */
  readonly exporting: ConversationRef | null;
  /** Sessions whose missing-sandbox banner was dismissed in this window. */
  readonly sandboxDismissed: readonly string[];
  /** Notices about rules that were put aside in this window, by what they said. */
  readonly rulesDismissed: readonly string[];
}

interface UiStore extends UiFacts {
  /** Shows a call in the inspector, on the given tab or the one shown last. */
  inspectCall(callId: string, tab?: InspectorTab): void;
  setInspectorTab(tab: InspectorTab): void;
  /** Shows a file of the working folders in the inspector. */
  showFile(file: WantedFile): void;
  openPalette(scope: PaletteScope): void;
  /** Notes that an entry of the palette was used. */
  use(entry: string): void;
  /** Moves the focus to the ask that waits, now or once its session is there. It arms as ever. */
  focusAsk(): void;
  /** The settings begin with this section the next time they are shown; null: at their beginning. */
  openSettings(section: SettingsSection | null): void;
  setInspectorOpen(open: boolean): void;
  setSidebarOpen(open: boolean): void;
  setSidebarSheet(open: boolean): void;
  setDialog(dialog: DialogName | null): void;
  /** Opens the dialog that exports a conversation. */
  openExport(conversation: ConversationRef): void;
  dismissSandbox(sessionId: string): void;
  dismissRules(notice: string): void;
}

const defaults: Remembered = {
  sidebarOpen: true,
  sidebarWidth: 264,
  inspectorOpen: false,
  inspectorWidth: 380,
  inspectorTab: 'call',
  theme: 'system',
  lastSessionId: null,
  recent: [],
};

export const useUi = create<UiStore>()(
  persist(
    (set) => ({
      ...defaults,
      selectedCallId: null,
      wantedFile: null,
      paletteScope: 'all',
      askWantedAt: Number.NEGATIVE_INFINITY,
      settingsSection: null,
      sidebarSheet: false,
      dialog: null,
      exporting: null,
      sandboxDismissed: [],
      rulesDismissed: [],
      inspectCall: (callId, tab) =>
        set((ui) => ({
          selectedCallId: callId,
          wantedFile: null,
          inspectorTab: tab ?? ui.inspectorTab,
          inspectorOpen: true,
        })),
      setInspectorTab: (inspectorTab) => set({ inspectorTab }),
      showFile: (wantedFile) => set({ wantedFile, inspectorTab: 'file', inspectorOpen: true }),
      openPalette: (paletteScope) => set({ paletteScope, dialog: 'palette' }),
      use: (entry) =>
        set((ui) => ({ recent: [entry, ...ui.recent.filter((one) => one !== entry)].slice(0, mostRecent) })),
      focusAsk: () => set({ askWantedAt: performance.now() }),
      openSettings: (settingsSection) => set({ settingsSection }),
      setInspectorOpen: (inspectorOpen) => set({ inspectorOpen }),
      setSidebarOpen: (sidebarOpen) => set({ sidebarOpen }),
      setSidebarSheet: (sidebarSheet) => set({ sidebarSheet }),
      setDialog: (dialog) => set({ dialog }),
      openExport: (exporting) => set({ exporting, dialog: 'export' }),
      dismissSandbox: (sessionId) => set((ui) => ({ sandboxDismissed: [...ui.sandboxDismissed, sessionId] })),
      dismissRules: (notice) => set((ui) => ({ rulesDismissed: [...ui.rulesDismissed, notice] })),
    }),
    {
      name: 'gatehouse.ui',
      partialize: ({
        sidebarOpen,
        sidebarWidth,
        inspectorOpen,
        inspectorWidth,
        inspectorTab,
        theme,
        lastSessionId,
        recent,
      }) => ({
        sidebarOpen,
        sidebarWidth,
        inspectorOpen,
        inspectorWidth,
        inspectorTab,
        theme,
        lastSessionId,
        recent,
      }),
      // What the browser kept may come from another version: only what fits is taken.
      merge: (kept, current) => {
        const known = Remembered.partial().safeParse(kept);
        return known.success ? { ...current, ...withoutUndefined(known.data) } : current;
      },
    },
  ),
);

function withoutUndefined(values: object): Partial<Remembered> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}
