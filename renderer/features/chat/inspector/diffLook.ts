// How changes are looked at; kept in the browser.
import { z } from 'zod';
import { create } from 'zustand';
import { persist } from 'zustand/middleware';
import type { DiffLook } from '../views/diffModel';

interface LookStore extends DiffLook {
  set(change: Partial<DiffLook>): void;
}

const Remembered = z.object({ split: z.boolean(), ignoreBlanks: z.boolean(), fold: z.boolean() });

export const useDiffLook = create<LookStore>()(
  persist((set) => ({ split: false, ignoreBlanks: false, fold: false, set: (change) => set(change) }), {
    name: 'gatehouse.diff',
    partialize: ({ split, ignoreBlanks, fold }) => ({ split, ignoreBlanks, fold }),
    merge: (kept, current) => {
      const known = Remembered.safeParse(kept);
      return known.success ? { ...current, ...known.data } : current;
    },
  }),
);
