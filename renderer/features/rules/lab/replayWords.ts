import type { Replay } from '#shared/api/history';
import { counted } from '../../frame/words';

/** How many calls of a replay would go otherwise, and how many could not be told. */
export function changesOf({ matrix, undetermined }: Pick<Replay, 'matrix' | 'undetermined'>) {
  const { allow, ask, deny } = matrix;
  return {
    /** Negative: more prompts than before. */
    fewerPrompts: ask.allow + ask.deny - allow.ask - deny.ask,
    newlyAllowed: deny.allow,
    newlyDenied: allow.deny + ask.deny,
    undetermined: undetermined.reduce((sum, { calls }) => sum + calls, 0),
  };
}

/** `over 30 days, 8,412 calls: 214 prompts fewer, 3 newly allowed, 0 newly denied, 54 undetermined`. */
export function headline(replay: Pick<Replay, 'calls' | 'matrix' | 'undetermined'>, days: number): string {
  const { fewerPrompts, newlyAllowed, newlyDenied, undetermined } = changesOf(replay);
  const prompts = counted(Math.abs(fewerPrompts), 'prompt');
  return [
    `Over ${counted(days, 'day')}, ${counted(replay.calls, 'call')}: ${prompts} ${fewerPrompts < 0 ? 'more' : 'fewer'}`,
    `${newlyAllowed.toLocaleString('en')} newly allowed`,
    `${newlyDenied.toLocaleString('en')} newly denied`,
    `${undetermined.toLocaleString('en')} undetermined`,
  ].join(', ');
}
