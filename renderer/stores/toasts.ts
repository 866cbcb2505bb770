// Short messages at the edge of the window: the outcome of an action, with fact, cause and next step.
import { create } from 'zustand';
import { RpcError } from '#shared/rpc/errors';

export interface ToastAction {
  readonly label: string;
  readonly run: () => void;
}

export interface Toast {
  readonly id: number;
  readonly level: 'info' | 'error';
  /** The fact, one sentence. */
  readonly title: string;
  /** Cause and next step. */
  readonly text: string;
  readonly action?: ToastAction;
}

interface ToastStore {
  readonly toasts: readonly Toast[];
  show(toast: Omit<Toast, 'id'>): void;
  dismiss(id: number): void;
}

/** More would hide the page; the oldest goes. */
const maxToasts = 4;

let lastId = 0;

export const useToasts = create<ToastStore>()((set) => ({
  toasts: [],
  show(toast) {
    lastId += 1;
    const shown = { ...toast, id: lastId };
    set((store) => ({ toasts: [...store.toasts, shown].slice(-maxToasts) }));
  },
  dismiss(id) {
    set((store) => ({ toasts: store.toasts.filter((toast) => toast.id !== id) }));
  },
}));

/** Cause and next step of a failed action, for people. */
export function messageOf(error: unknown): string {
  if (error instanceof RpcError) return error.message;
  return `${error instanceof Error ? error.message : String(error)} This is a fault in Gatehouse.`;
}

/** Shows that an action failed. `fact` is a sentence: "The session was not renamed." */
export function reportFailure(fact: string, error: unknown): void {
  useToasts.getState().show({ level: 'error', title: fact, text: messageOf(error) });
}
