// What can be said of a past call: a verdict, or why there is none.
import type { Verdict } from '#shared/api/history';

/** Why a verdict cannot be told, in words. */
export const doubts = {
  mode: 'The record does not say in which mode the session was, and the modes differ here.',
  hook: 'A PreToolUse hook would have been asked, and hooks are not run again.',
  folder: 'The folder is gone, so where its files would have led cannot be told.',
  link: 'A link on the disk decides which file it is, and it may have led elsewhere then.',
  tool: 'No tool of this name is known here.',
  input: 'The tool would not have taken this input as it stands in the record.',
  model: 'In auto mode a model judges it, and it is not asked again.',
  policy: 'Which rules count in this folder cannot be told.',
  gone: 'The call is no longer in the index.',
} as const;

export type Doubt = keyof typeof doubts;
export type Outcome = Exclude<Verdict, 'undetermined'> | Doubt;

export function isDoubt(outcome: Outcome): outcome is Doubt {
  return outcome !== 'allow' && outcome !== 'ask' && outcome !== 'deny';
}

export function verdictOf(outcome: Outcome): Verdict {
  return isDoubt(outcome) ? 'undetermined' : outcome;
}
