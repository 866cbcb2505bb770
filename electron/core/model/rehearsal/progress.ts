// Where the current turn stands, derived from the whole conversation of a request: nothing is remembered in between.
import type { PastCall, PastResult, RehearsalRequest } from './request';
import { callsOf, resultsOf, wordsOf } from './request';
import type { Step } from './steps';
import { parseSteps } from './steps';

/** A step whose calls have all been answered. */
export interface FinishedStep {
  readonly step: Step;
  readonly results: readonly PastResult[];
}

export interface Progress {
  /** Steps of this turn that are over, all of them well. */
  readonly done: readonly FinishedStep[];
  /** The step that was denied, failed or was interrupted; nothing after it is done. */
  readonly halted: FinishedStep | null;
  /** Steps still to do, the next one first. */
  readonly todo: readonly Step[];
  /** What the next step has prepared: the file as `replace` has just read it, the tool that `use` or `ask` has searched for; null when it has not begun. */
  readonly prepared: PastResult | null;
}

const nothing: Progress = { done: [], halted: null, todo: [], prepared: null };

/** Walks the messages and says what has been done of the latest instructions and what comes next. */
export function progressOf(messages: RehearsalRequest['messages']): Progress {
  let progress = nothing;
  let open: readonly PastCall[] = [];
  for (const message of messages) {
    if (message.role === 'assistant') {
      open = callsOf(message);
      // An answer without calls ends a turn.
      progress = open.length === 0 ? nothing : { ...progress, ...withoutSpokenSteps(progress) };
    } else if (message.role === 'user') {
      const results = resultsOf(message).filter((result) => open.some((call) => call.id === result.id));
      if (results.length > 0) progress = settle(progress, open, results);
      progress = wordsOf(message).reduce(instruct, progress);
    }
  }
  return progress;
}

/** Text steps before a call were spoken in the same message. */
function withoutSpokenSteps(progress: Progress): Pick<Progress, 'done' | 'todo'> {
  const next = progress.todo.findIndex((step) => step.kind !== 'count');
  const spoken = next === -1 ? [] : progress.todo.slice(0, next);
  return {
    done: [...progress.done, ...spoken.map((step) => ({ step, results: [] }))],
    todo: progress.todo.slice(spoken.length),
  };
}

/** The tool whose call comes before a step's own; null: nothing does. */
function preparationOf(step: Step): string | null {
  if (step.kind === 'replace') return 'Read';
  const searches = step.kind === 'ask' || (step.kind === 'use' && step.tool !== 'ToolSearch');
  return searches ? 'ToolSearch' : null;
}

function settle(progress: Progress, calls: readonly PastCall[], results: readonly PastResult[]): Progress {
  const [step, ...rest] = progress.todo;
  if (step === undefined) return progress;
  const finished = { step, results };
  if (results.some((result) => result.isError)) return { ...progress, halted: finished, todo: rest, prepared: null };
  const preparation = preparationOf(step);
  if (preparation !== null && calls.every((call) => call.name === preparation))
    return { ...progress, prepared: results[0] ?? null };
  return { done: [...progress.done, finished], halted: null, todo: rest, prepared: null };
}

/**
 * Words that come while steps are still to do are put behind them; else they begin a new turn. Words that nobody
 * answered and that mean nothing here, for example said to another model that was down, are left behind.
 */
function instruct(progress: Progress, words: string): Progress {
  const steps = parseSteps(words);
  const running = progress.halted === null && progress.todo.some((step) => step.kind !== 'unknown');
  return running ? { ...progress, todo: [...progress.todo, ...steps] } : { ...nothing, todo: steps };
}
