// Which cards are open: each card's own state, the last choice for its title, and what is sensible at first.

import { z } from 'zod';
import { create } from 'zustand';
import { persist } from 'zustand/middleware';
import type { Density } from '#shared/api/settings';
import type { ToolCall } from '#shared/session/toolCall';
import type { View } from '#shared/tools/presentation';

interface OpenCards {
  /** Card title → open; remembered in the browser. */
  readonly titles: Readonly<Record<string, boolean>>;
  /** Call id → open; for this visit. */
  readonly calls: Readonly<Record<string, boolean>>;
  set(call: { readonly callId: string; readonly title: string; readonly open: boolean }): void;
  /** Opens one card for this visit; others of its title stay as they are. */
  open(callId: string): void;
}

const Remembered = z.object({ titles: z.record(z.string(), z.boolean()) });

export const useOpenCards = create<OpenCards>()(
  persist(
    (set) => ({
      titles: {},
      calls: {},
      open: (callId) => set((cards) => ({ calls: { ...cards.calls, [callId]: true } })),
      set: ({ callId, title, open }) =>
        set((cards) => ({
          titles: { ...cards.titles, [title]: open },
          calls: { ...cards.calls, [callId]: open },
        })),
    }),
    {
      name: 'gatehouse.cards',
      partialize: ({ titles }) => ({ titles }),
      merge: (kept, current) => {
        const known = Remembered.safeParse(kept);
        return known.success ? { ...current, titles: known.data.titles } : current;
      },
    },
  ),
);

/** Commands and changes are worth seeing at once; what was merely read or listed is not. */
const openByKind: Readonly<Record<View['kind'], boolean>> = {
  terminal: true,
  diff: true,
  markdown: true,
  image: true,
  text: false,
  table: false,
  json: false,
  files: false,
};

/** Whether a card is open. Errors are, unless the person closed that very card. */
export function isOpen(
  call: ToolCall,
  cards: Pick<OpenCards, 'titles' | 'calls'>,
  density: Density = 'normal',
): boolean {
  const own = cards.calls[call.callId];
  if (own !== undefined) return own;
  if (density === 'summary') return false;
  if (density === 'verbose') return call.status !== 'asking' && call.status !== 'checking';
  if (call.status === 'failed' || call.status === 'running') return true;
  // The ask above the message box shows the same in full.
  if (call.status === 'asking' || call.status === 'checking' || call.status === 'denied') return false;
  const view = viewOf(call);
  return cards.titles[call.presentation.title] ?? (view === null ? false : openByKind[view.kind]);
}

/** What a card shows: the result's view, or the call's own before there is one. */
export function viewOf(call: ToolCall): View | null {
  return ('view' in call ? call.view : null) ?? call.presentation.view ?? null;
}
