// Which call of a tool was run last by hand, by session and tool; gone with the page.
import { create } from 'zustand';

interface LastCalls {
  readonly calls: Readonly<Record<string, string>>;
  remember(key: string, callId: string): void;
}

export const useLastCalls = create<LastCalls>()((set) => ({
  calls: {},
  remember: (key, callId) => set(({ calls }) => ({ calls: { ...calls, [key]: callId } })),
}));
