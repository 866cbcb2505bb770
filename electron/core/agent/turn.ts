// One turn: model → calls → results → model, until the model asks for nothing more.
import { setTimeout as delay } from 'node:timers/promises';
import { newId } from '../ids';
import { type ModelClient, type ModelEvent, ModelFailure } from '../model/client';
import { announceCall, type CallRequest, isConcurrencySafe, runToolCall } from '../pipeline/runToolCall';
import type { PipelineServices } from '../pipeline/services';
import { callIdOf } from './conversation';
import { maxAttempts, modelStep } from './modelStep';
import { Scheduler } from './scheduler';

/** Messages of one turn after which people are asked whether to go on; keeps a runaway loop finite. */
const maxMessages = 200;

export interface TurnOptions {
  readonly services: PipelineServices;
  readonly sessionId: string;
  readonly client: ModelClient;
  readonly model: string;
  readonly system: string;
  readonly concurrency: number;
  readonly signal: AbortSignal;
}

export type TurnOutcome = 'done' | 'stopped' | 'failed';

/** Runs one turn. Whatever happens, every call that was announced has ended when this resolves. */
export async function runTurn(options: TurnOptions): Promise<TurnOutcome> {
  for (let count = 0; count < maxMessages; count += 1) {
    const message = await runMessage(options);
    if (message.failure !== null) {
      if (options.signal.aborted) return 'stopped';
      notice(options, 'error', message.failure.message, message.failure.next);
      return 'failed';
    }
    if (options.signal.aborted) return 'stopped';
    if (message.stopTurn) {
      notice(options, 'info', 'You denied a call, so the turn stopped here.', 'Write what to do instead.');
      return 'stopped';
    }
    const goesOn = message.calls > 0 || message.stopReason === 'pause_turn';
    if (!goesOn) {
      explainStop(options, message.stopReason);
      return 'done';
    }
  }
  const next = 'Send a message to let it go on.';
  notice(options, 'warning', `The turn was paused after ${maxMessages} messages of the model.`, next);
  return 'stopped';
}

interface MessageEnd {
  readonly calls: number;
  readonly stopReason: string;
  readonly stopTurn: boolean;
  readonly failure: ModelFailure | null;
}

async function runMessage(options: TurnOptions): Promise<MessageEnd> {
  const { services, sessionId, signal } = options;
  const messageId = newId('m');
  const scheduler = new Scheduler(options.concurrency);
  let calls = 0;
  let stopReason = 'broken';
  let stopTurn = false;
  let failure: ModelFailure | null = null;

  function startCall(event: Extract<ModelEvent, { type: 'block' }>): void {
    if (event.block.type !== 'tool_use') return;
    calls += 1;
    const { id: toolUseId, name, input } = event.block;
    const callId = callIdOf(messageId, event.index);
    const request: CallRequest = { sessionId, callId, messageId, toolUseId, name, input, cutOff: event.cutOff };
    announceCall(services, request);
    scheduler.add({
      concurrencySafe: isConcurrencySafe(services, request),
      run: async () => {
        const end = await runToolCall(services, request, signal);
        if (end.stopTurn) stopTurn = true;
      },
    });
  }

  function onEvent(event: ModelEvent): void {
    switch (event.type) {
      case 'delta':
        services.sessions.publish(sessionId, {
          type: 'assistant.delta',
          messageId,
          index: event.index,
          kind: event.kind,
          text: event.text,
        });
        break;
      case 'block':
        services.sessions.append(sessionId, {
          type: 'assistant.block',
          messageId,
          index: event.index,
          block: event.block,
        });
        startCall(event);
        break;
      case 'finished':
        stopReason = event.stopReason;
        services.sessions.append(sessionId, { type: 'assistant.finished', messageId, stopReason, usage: event.usage });
        break;
    }
  }

  services.sessions.append(sessionId, { type: 'assistant.started', messageId });
  const registry = services.registry(sessionId);
  const request = {
    model: options.model,
    system: options.system,
    tools: registry.toolDefinitions(),
    messages: services.sessions.conversation(sessionId).messages(),
    signal,
  };
  try {
    await modelStep({
      client: options.client,
      request,
      onEvent,
      onRetry: ({ attempt, waitMs, reason }) =>
        services.sessions.publish(sessionId, {
          type: 'model.retrying',
          attempt,
          ofAttempts: maxAttempts,
          waitMs,
          reason,
        }),
      sleep: async (ms, abort) => {
        await delay(ms, undefined, { signal: abort }).catch(() => undefined);
      },
      random: Math.random,
    });
  } catch (error) {
    if (!(error instanceof ModelFailure)) throw error;
    failure = error;
  } finally {
    await scheduler.drain();
  }
  if (failure !== null) {
    keepPartialText(options, messageId);
    const reason = signal.aborted ? 'stopped' : 'broken';
    const usage = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 };
    services.sessions.append(sessionId, { type: 'assistant.finished', messageId, stopReason: reason, usage });
    // The calls that came whole have run and are answered, so the model can go on from their results.
    if (calls > 0 && failure.retryable && !signal.aborted) failure = null;
  }
  return { calls, stopReason, stopTurn, failure };
}

/** Text that streamed without its block being finished is kept as far as it came. */
function keepPartialText({ services, sessionId }: TurnOptions, messageId: string): void {
  for (const event of services.sessions.liveText(sessionId)) {
    if (event.type !== 'assistant.delta' || event.messageId !== messageId || event.kind !== 'text') continue;
    const block = { type: 'text' as const, text: event.text };
    services.sessions.append(sessionId, { type: 'assistant.block', messageId, index: event.index, block });
  }
}

function explainStop(options: TurnOptions, stopReason: string): void {
  if (stopReason === 'max_tokens') {
    notice(
      options,
      'warning',
      'The answer reached the longest length the model may write.',
      'Send "continue" for the rest.',
    );
  } else if (stopReason === 'refusal') {
    notice(options, 'warning', 'The model declined to answer this.', 'Rephrase the request or start a new session.');
  } else if (stopReason === 'model_context_window_exceeded') {
    notice(options, 'warning', 'The conversation has outgrown what the model can read.', 'Start a new session.');
  }
}

function notice(options: TurnOptions, level: 'info' | 'warning' | 'error', text: string, next: string): void {
  options.services.sessions.append(options.sessionId, { type: 'notice', level, text, next });
}
