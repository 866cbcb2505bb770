// How the page is laid out; what should survive a reload is remembered in the browser.
import { z } from 'zod';
import { create } from 'zustand';
import { persist } from 'zustand/middleware';
import type { ConversationRef } from '#shared/api/search';
import { Theme } from '#shared/api/settings';

export const InspectorTab = z.enum(['call', 'diff', 'trace', 'why', 'result']);
export type InspectorTab = z.infer<typeof InspectorTab>;

/** The dialog over the page; there is one at a time. */
export type DialogName = 'folder' | 'shortcuts' | 'switcher' | 'export';

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
});
type Remembered = z.infer<typeof Remembered>;

interface UiFacts extends Remembered {
  /** The call that the inspector shows. */
  readonly selectedCallId: string | null;
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
};

export const useUi = create<UiStore>()(
  persist(
    (set) => ({
      ...defaults,
      selectedCallId: null,
      sidebarSheet: false,
      dialog: null,
      exporting: null,
      sandboxDismissed: [],
      rulesDismissed: [],
      inspectCall: (callId, tab) =>
        set((ui) => ({
          selectedCallId: callId,
          inspectorTab: tab ?? ui.inspectorTab,
          inspectorOpen: true,
        })),
      setInspectorTab: (inspectorTab) => set({ inspectorTab }),
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
      }) => ({
        sidebarOpen,
        sidebarWidth,
        inspectorOpen,
        inspectorWidth,
        inspectorTab,
        theme,
        lastSessionId,
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
