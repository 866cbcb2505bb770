// Hooks that tests steer: what they answer to an event, and what they were told.
import type { HookEventName } from '#shared/session/hookRun';
import { type HookEvent, type HookOutcome, type HookPlace, type Hooks, noHookOutcome } from '../../hooks/hooks';

type Answer = Partial<HookOutcome> | ((event: HookEvent, signal: AbortSignal) => Promise<Partial<HookOutcome>>);

export interface FakeHooks extends Hooks {
  readonly fired: { readonly event: HookEvent; readonly place: HookPlace }[];
}

/** Listens to the events that have an answer, for every tool. */
export function fakeHooks(answers: Partial<Record<HookEventName, Answer>>): FakeHooks {
  const fired: FakeHooks['fired'] = [];
  return {
    fired,
    listens: (_sessionId, name) => answers[name] !== undefined,
    async fire(event, place, signal) {
      fired.push({ event, place });
      const answer = answers[event.name] ?? {};
      const given = typeof answer === 'function' ? await answer(event, signal) : answer;
      return { ...noHookOutcome, ran: 1, ...given };
    },
    dispose: () => Promise.resolve(),
  };
}

/** One event, answered by a function. */
export function answering(name: HookEventName, answer: Extract<Answer, (...args: never) => unknown>): FakeHooks {
  return fakeHooks({ [name]: answer });
}

/** An opinion of the hook `guard.sh`. */
export const opinion = (behavior: 'allow' | 'ask' | 'deny' | 'defer', reason = 'because'): Partial<HookOutcome> => ({
  opinion: { behavior, reason, hook: 'guard.sh' },
});

/** Other input wanted by the hook `rewrite.sh`. */
export const updatedInput = (value: unknown): Partial<HookOutcome> => ({
  updatedInput: { value, hook: 'rewrite.sh' },
});
