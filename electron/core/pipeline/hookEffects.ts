// Firing hooks for a call, and what all their outcomes have in common: text for the model, words for the person.
import type { JsonValue } from '#shared/util/json';
import type { HookEvent, HookOutcome } from '../hooks/hooks';
import { boundText } from '../results/bound';
import { untilAborted } from './abortable';
import { type CallToJudge, hookPlace } from './request';
import { traced } from './traced';

/** How long hooks may still take to end once they are told to. */
const hookGraceMs = 2_000;
/** Longest text that one hook adds for the model or says to the person, in characters. */
const maxText = 10_000;

export function listens(call: CallToJudge, name: HookEvent['name']): boolean {
  return call.services.hooks.listens(call.place.sessionId, name, call.tool.name);
}

/** Fires an event and carries out what every outcome may hold. Rejects with Abandoned when hooks outlive a stop. */
export async function fire(call: CallToJudge, event: HookEvent, signal: AbortSignal): Promise<HookOutcome> {
  const { services, place } = call;
  const fired = async () => await services.hooks.fire(event, hookPlace(call), signal);
  const outcome = await untilAborted(fired(), { signal, graceMs: hookGraceMs });
  for (const text of outcome.context)
    services.sessions.append(place.sessionId, {
      type: 'context.added',
      from: `${event.name} hook`,
      text: boundText(text, maxText),
    });
  for (const text of outcome.messages)
    services.sessions.append(place.sessionId, {
      type: 'notice',
      level: 'info',
      text: boundText(text, maxText),
      next: 'The trace of the call shows what the hook was told and what it said.',
    });
  return outcome;
}

/** Longest reason of a hook, in characters. */
const maxReason = 2_000;

/** `the hook check.sh: not on a Friday`. */
export function saidBy(about: { readonly hook: string; readonly reason: string }): string {
  const reason = about.reason.trim();
  return reason === '' ? `the hook ${about.hook}` : `the hook ${about.hook}: ${boundText(reason, maxReason)}`;
}

/** An outcome for the trace: only what says something. */
export function tracedOutcome(outcome: HookOutcome): Record<string, JsonValue> {
  const { ran, block, stop, opinion, updatedInput, updatedOutput, permissionUpdates, context, messages } = outcome;
  return {
    ran,
    ...(block === null ? {} : { block: traced(block) }),
    ...(stop === null ? {} : { stop: traced(stop) }),
    ...(opinion === null ? {} : { opinion: traced(opinion) }),
    ...(updatedInput === null ? {} : { updatedInput: traced(updatedInput) }),
    ...(updatedOutput === null ? {} : { updatedOutput: traced(updatedOutput) }),
    ...(permissionUpdates.length === 0 ? {} : { permissionUpdates: traced(permissionUpdates) }),
    ...(context.length === 0 ? {} : { context: traced(context) }),
    ...(messages.length === 0 ? {} : { messages: traced(messages) }),
    ...(outcome.interrupt ? { interrupt: true } : {}),
    ...(outcome.retry ? { retry: true } : {}),
  };
}
