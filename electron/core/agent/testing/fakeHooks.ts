// Hooks that answer what a test says, without settings or processes.
import type { HookEvent, HookOutcome, HookPlace, Hooks } from '../../hooks/hooks';
import { noHookOutcome } from '../../hooks/hooks';

type Answer =
  | Partial<HookOutcome>
  | ((event: HookEvent, place: HookPlace) => Partial<HookOutcome> | Promise<Partial<HookOutcome>>);

export interface FakeHooks extends Hooks {
  /** Every event that was fired, in order. */
  readonly fired: HookEvent[];
}

/** Hooks on the named events; each answers the same each time, or what its function gives. */
export function fakeHooks(answers: Partial<Record<HookEvent['name'], Answer>>): FakeHooks {
  const fired: HookEvent[] = [];
  return {
    fired,
    listens: (_sessionId, name) => Object.hasOwn(answers, name),
    async fire(event, place) {
      fired.push(event);
      const answer = answers[event.name] ?? {};
      const given = typeof answer === 'function' ? await answer(event, place) : answer;
      return { ...noHookOutcome, ran: 1, ...given };
    },
    dispose: () => Promise.resolve(),
  };
}

/** What a hook says when it blocks. */
export const blocked = (reason: string): Partial<HookOutcome> => ({ block: { reason, hook: 'guard.sh' } });
/** What a hook says with `continue: false`. */
export const stopped = (reason: string): Partial<HookOutcome> => ({ stop: { reason, hook: 'guard.sh' } });
