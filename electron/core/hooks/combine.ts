// What all handlers of one event come to together.
import type { HookEventName } from '#shared/session/hookRun';
import { type HookOpinion, type HookOutcome, noHookOutcome } from './hooks';
import type { Vote } from './verdict';

export interface NamedVote {
  /** The handler, for people. */
  readonly hook: string;
  readonly vote: Vote;
}

const strength: readonly HookOpinion['behavior'][] = ['deny', 'defer', 'ask', 'allow'];

function strongest(votes: readonly NamedVote[]): HookOpinion | null {
  for (const behavior of strength)
    for (const { hook, vote } of votes) if (vote.opinion?.behavior === behavior) return { ...vote.opinion, hook };
  return null;
}

/**
 * Combines votes in the handlers' fixed order: the strongest opinion (deny, defer, ask, allow), the first block and the
 * first stop, the last change of input or result, all context and messages. A change of input by a handler that does
 * not allow a PermissionRequest counts for nothing, and none counts beside a deny.
 */
export function combine(event: HookEventName, votes: readonly NamedVote[]): HookOutcome {
  if (votes.length === 0) return noHookOutcome;
  const first = (key: 'block' | 'stop') => {
    for (const { hook, vote } of votes) {
      const reason = vote[key];
      if (reason !== null) return { reason, hook };
    }
    return null;
  };
  const last = (key: 'updatedInput' | 'updatedOutput') => {
    const found = votes.findLast(({ vote }) => vote[key] !== null);
    const changed = found?.vote[key];
    return found === undefined || changed === null || changed === undefined
      ? null
      : { value: changed.value, hook: found.hook };
  };
  const opinion = strongest(votes);
  const block = first('block');
  const refused = opinion?.behavior === 'deny' || (block !== null && event === 'PreToolUse');
  return {
    ran: votes.length,
    block,
    stop: first('stop'),
    opinion,
    updatedInput: refused ? null : last('updatedInput'),
    permissionUpdates: refused ? [] : votes.flatMap(({ vote }) => vote.permissionUpdates),
    interrupt: votes.some(({ vote }) => vote.interrupt),
    context: votes.flatMap(({ vote }) => vote.context),
    messages: votes.flatMap(({ vote }) => vote.messages),
    updatedOutput: last('updatedOutput'),
    retry: votes.some(({ vote }) => vote.retry),
  };
}
