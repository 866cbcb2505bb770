// Trying a hook out: it runs with the input that a real event would bring, and what it says is told instead of done.
import type { HookTrial } from '#shared/api/hooks';
import type { HookEventName, HookRun } from '#shared/session/hookRun';
import { assertNever } from '#shared/util/assertNever';
import { newId } from '../ids';
import type { HooksOptions } from './createHooks';
import { eventRules, isToolEvent, subjectOf } from './eventRules';
import { blocksOnFailure, type Handler, labelOf, runsInBackground } from './handler';
import { hookInput } from './hookInput';
import type { HttpLimits } from './hookSettings';
import type { HookEvent, HookedCall, HookPlace } from './hooks';
import { boundedText } from './longText';
import { compileMatcher } from './matcher';
import { runHandler } from './runHandler';
import { budgetOf } from './timeouts';
import { type Ended, judge, type Verdict } from './verdict';

/** What an event is about in a trial. */
export interface TrialFacts {
  readonly call: HookedCall;
  /** What the call gave. */
  readonly response: unknown;
  /** Whether the call failed. */
  readonly failed: boolean;
  readonly durationMs: number;
  /** For events about no call. */
  readonly text: string;
  readonly folder: string;
}

/** The event as it would be, made of what is known of it. */
export function trialEvent(name: HookEventName, facts: TrialFacts): HookEvent {
  const { call, response, text, durationMs } = facts;
  switch (name) {
    case 'PreToolUse':
      return { name, call };
    case 'PermissionRequest':
      return { name, call, suggestions: [] };
    case 'PermissionDenied':
      return { name, call, reason: 'Denied in this trial.' };
    case 'PostToolUse':
      return { name, call, toolResponse: response, durationMs };
    case 'PostToolUseFailure':
      return { name, call, error: asText(response), isInterrupt: false, durationMs };
    case 'PostToolBatch':
      return { name, calls: [{ ...call, result: asText(response), isError: facts.failed }] };
    case 'UserPromptSubmit':
      return { name, prompt: text };
    case 'Stop':
      return { name, stopHookActive: false, lastAssistantMessage: text };
    case 'StopFailure':
      return { name, error: text || 'unknown', errorDetails: '' };
    case 'SubagentStart':
      return { name, agentId: 'a0', agentType: text || 'general-purpose' };
    case 'SubagentStop':
      return {
        name,
        agentId: 'a0',
        agentType: text || 'general-purpose',
        stopHookActive: false,
        lastAssistantMessage: '',
      };
    case 'SessionStart': {
      const source = (['startup', 'resume', 'clear', 'compact', 'fork'] as const).find((one) => one === text);
      return { name, source: source ?? 'startup' };
    }
    case 'SessionEnd':
      return { name, reason: text || 'other' };
    case 'PreCompact':
    case 'PostCompact':
      return { name, trigger: text === 'auto' ? 'auto' : 'manual' };
    case 'Notification':
      return { name, message: 'A trial.', title: 'Gatehouse', notificationType: text || 'permission_prompt' };
    case 'ConfigChange':
      return { name, source: text || 'project_settings', file: '' };
    case 'CwdChanged':
      return { name, oldCwd: facts.folder, newCwd: text || facts.folder };
    case 'FileChanged':
      return { name, file: text };
    default:
      return assertNever(name, 'hook event');
  }
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

/** Runs the handler alone. Nothing is recorded, no file of variables is handed out, and nobody acts on what it says. */
export async function tryHook(
  trial: {
    readonly handler: Handler;
    readonly event: HookEvent;
    readonly place: HookPlace;
    readonly limits: HttpLimits;
    readonly signal: AbortSignal;
  },
  options: HooksOptions,
): Promise<HookTrial> {
  const { handler, event, place, limits, signal } = trial;
  const because = await whyNot(handler, event, place, options);
  const input = hookInput(event, place, {
    transcriptPath: await options.transcript(place.sessionId),
    promptId: options.promptId(place.sessionId),
  });
  const stdin = JSON.stringify(input);
  const budgetMs = budgetOf(event.name, [handler.action]);
  const startedAt = options.now();
  const ended = await runHandler(
    { event, place, handler: inForeground(handler), input, stdin, limits, signal, budgetMs },
    { ...options, envFile: () => Promise.resolve(null) },
  ).catch((error: unknown): Ended => {
    options.log.error('trying a hook out failed', error);
    return { kind: 'failed', problem: 'it could not be run' };
  });
  const verdict = judge({ event, handler, ended });
  const exited = ended.kind === 'exited' ? ended : null;
  const run: HookRun = {
    runId: newId('h'),
    event: event.name,
    matcher: handler.matcher,
    handler: handler.action.type,
    label: labelOf(handler.action),
    source: handler.source,
    ...(handler.file === null ? {} : { file: handler.file }),
    startedAt,
    endedAt: options.now(),
    outcome: verdict.outcome,
    exitCode: exited?.exitCode ?? null,
    effect: boundedText(verdict.effect),
    stdin: boundedText(stdin),
    stdout: boundedText(exited?.stdout ?? ''),
    stderr: boundedText(exited?.stderr ?? ''),
  };
  const { updatedInput } = verdict.vote;
  return {
    fits: because === '',
    because,
    run,
    would: [...consequences(handler, event.name, verdict)],
    updatedInput: updatedInput === null ? null : boundedText(JSON.stringify(updatedInput.value, null, 2) ?? 'null'),
  };
}

/** In a trial somebody waits for the end. */
function inForeground(handler: Handler): Handler {
  const { action } = handler;
  if (!runsInBackground(action) || action.type !== 'command') return handler;
  return { ...handler, action: { ...action, async: false, asyncRewake: false } };
}

async function whyNot(
  { matcher, action }: Handler,
  event: HookEvent,
  place: HookPlace,
  { speaksOf, log }: Pick<HooksOptions, 'speaksOf' | 'log'>,
): Promise<string> {
  const compiled = compileMatcher(matcher, eventRules[event.name].matcher);
  const subject = subjectOf(event);
  if (!compiled.ok) return `${compiled.error}.`;
  if (!compiled.value(subject)) return `Its matcher “${matcher}” does not fit “${subject}”.`;
  if (action.if === undefined || !('call' in event)) return '';
  try {
    return (await speaksOf(action.if, event.call, place))
      ? ''
      : `Its condition ${action.if} does not speak of this call.`;
  } catch (error) {
    log.error('judging the condition of a hook failed', error);
    return '';
  }
}

/** What its outcome would do, each in a sentence. */
export function consequences(handler: Handler, event: HookEventName, verdict: Verdict): readonly string[] {
  if (runsInBackground(handler.action))
    return ['It runs in the background: whatever it says comes too late to stop or change anything.'];
  const { vote, outcome } = verdict;
  const about = isToolEvent(event) ? 'the call' : 'what it is about';
  const before = event === 'PreToolUse' || event === 'PermissionRequest';
  const told: (string | null)[] = [
    vote.stop === null ? null : `The turn would end: ${vote.stop}`,
    vote.block !== null && vote.opinion === null
      ? `${before ? 'The call would not run' : 'It would block'}: ${vote.block}`
      : null,
    vote.opinion === null ? null : opinionWords(vote.opinion),
    vote.updatedInput === null ? null : 'The call would run with another input, which rules judge anew.',
    vote.permissionUpdates.length === 0 ? null : 'It would change rules, mode or folders.',
    vote.updatedOutput === null ? null : 'The model would get another result.',
    vote.interrupt ? 'The turn would be interrupted.' : null,
    ...vote.context.map((text) => `The model would be told: ${text}`),
    ...vote.messages.map((text) => `You would be told: ${text}`),
    vote.retry ? 'The model could try again.' : null,
  ];
  const real = told.flatMap((text) => (text === null ? [] : [boundedText(text)]));
  const failed = outcome === 'error' || outcome === 'timeout';
  if (failed && vote.block === null && vote.opinion === null && !blocksOnFailure(handler.action))
    return [
      ...real,
      before
        ? 'It failed, so the call would go on as if it had not been asked.'
        : 'It failed and would change nothing.',
    ];
  return real.length === 0 ? [`Nothing: ${about} would go on as without it.`] : real;
}

function opinionWords({ behavior, reason }: NonNullable<Verdict['vote']['opinion']>): string {
  const because = reason === '' ? '' : `: ${reason}`;
  switch (behavior) {
    case 'allow':
      return `The call would be allowed, unless a deny or ask rule speaks against it${because}`;
    case 'ask':
      return `You would be asked${because}`;
    case 'deny':
      return `The call would be refused${because}`;
    case 'defer':
      return `The call would be put off${because}`;
  }
}
