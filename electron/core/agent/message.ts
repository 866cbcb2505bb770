// One assistant message: asked for, streamed into the log, its calls run while it streams.
import { newId } from '../ids';
import { type ModelEvent, ModelFailure, type ModelRequest } from '../model/client';
import {
  announceCall,
  type CallAfter,
  type CallRequest,
  isConcurrencySafe,
  runToolCall,
} from '../pipeline/runToolCall';
import type { PipelineServices } from '../pipeline/services';
import type { ToolLoading } from '../tools/loading';
import { ContextChanges } from './contextChanges';
import { callIdOf } from './conversation';
import { askedAgain } from './entry';
import { askModel } from './modelStep';
import { requestTools } from './requestTools';
import { Scheduler } from './scheduler';
import type { TurnContext } from './turnContext';

type BlockEvent = Extract<ModelEvent, { type: 'block' }>;

export interface MessageOptions {
  readonly loading: ToolLoading;
  /** Output tokens; left out: the usual limit. */
  readonly maxTokens?: number;
  /** Stop reasons for which the caller asks again, provided that nothing has run: the message is then not kept. */
  readonly askAgainFor: ReadonlySet<string>;
}

export interface MessageEnd {
  readonly messageId: string;
  /** Calls that were announced; every one of them has ended. */
  readonly calls: readonly CallRequest[];
  readonly stopReason: string;
  /** The message came to nothing, as asked for by `askAgainFor`. */
  readonly askAgain: boolean;
  /** What the model wrote, without its calls. */
  readonly text: string;
  /** The turn ends here; the words are for the person, and missing when they said no themselves. */
  readonly stop: TurnStop | null;
  readonly failure: ModelFailure | null;
}

export interface TurnStop {
  readonly text: string | null;
  /** The message's one call was put off by a hook. */
  readonly deferred: boolean;
}

/** What a call means for its turn; null: it goes on. */
export function stopAfter({ stopTurn, stopText, deferred }: CallAfter): TurnStop | null {
  return stopTurn ? { text: stopText ?? null, deferred: deferred === true } : null;
}

/** Whatever happens, every call that was announced has ended when this resolves. */
export async function runMessage(context: TurnContext, options: MessageOptions): Promise<MessageEnd> {
  const { services, sessionId, signal } = context;
  const { sessions } = services;
  const messageId = newId('m');
  const scheduler = new Scheduler(context.concurrency);
  const changes = new ContextChanges(services);
  let endStream: () => void = () => undefined;
  const streamEnded = new Promise<void>((resolve) => {
    endStream = resolve;
  });
  const callServices = deferringAlone(changes.services, async () => {
    await streamEnded;
    return calls.length === 1 && stopReason !== 'broken';
  });
  const calls: CallRequest[] = [];
  /** Calls whose input did not arrive whole; the stop reason says what becomes of them. */
  const cutOff: BlockEvent[] = [];
  const texts: string[] = [];
  let stopReason = 'broken';
  let askAgain = false;
  let stop: MessageEnd['stop'] = null;
  let failure: ModelFailure | null = null;

  function keep(event: BlockEvent): void {
    const { index, block } = event;
    sessions.append(sessionId, { type: 'assistant.block', messageId, index, block });
    if (block.type === 'text') texts.push(block.text);
    if (block.type === 'tool_use') startCall(event, block);
  }

  function startCall({ index, cutOff: cut }: BlockEvent, block: Extract<BlockEvent['block'], { type: 'tool_use' }>) {
    const { id: toolUseId, name, input } = block;
    const callId = callIdOf(messageId, index);
    const request: CallRequest = { sessionId, callId, messageId, toolUseId, name, input, cutOff: cut };
    calls.push(request);
    announceCall(services, request);
    scheduler.add({
      concurrencySafe: isConcurrencySafe(services, request),
      run: async () => {
        stop ??= stopAfter(await runToolCall(callServices, request, signal));
      },
      applyContext: () => changes.apply(callId),
    });
  }

  function onEvent(event: ModelEvent): void {
    switch (event.type) {
      case 'delta':
        sessions.publish(sessionId, {
          type: 'assistant.delta',
          messageId,
          index: event.index,
          kind: event.kind,
          text: event.text,
        });
        break;
      case 'block':
        if (event.cutOff) cutOff.push(event);
        else keep(event);
        break;
      case 'finished': {
        stopReason = event.stopReason;
        const pointless = stopReason !== 'max_tokens' || cutOff.length > 0;
        askAgain = calls.length === 0 && pointless && options.askAgainFor.has(stopReason);
        // A call without its whole input never runs; it gets a result that says so.
        if (!askAgain) for (const cut of cutOff) keep(cut);
        const reason = askAgain ? askedAgain : stopReason;
        sessions.append(sessionId, { type: 'assistant.finished', messageId, stopReason: reason, usage: event.usage });
        break;
      }
    }
  }

  sessions.append(sessionId, { type: 'assistant.started', messageId });
  const { loading, maxTokens } = options;
  const { client, model, system } = context;
  const notes = services.serverNotes?.(sessionId) ?? [];
  const messages = sessions.conversation(sessionId).messages();
  const request: ModelRequest = {
    model,
    ...requestTools({ loading, client, model, system, notes, messages }),
    ...(maxTokens === undefined ? {} : { maxTokens }),
    signal,
  };
  try {
    await askModel(context, { request, onEvent });
  } catch (error) {
    if (!(error instanceof ModelFailure)) throw error;
    failure = error;
  } finally {
    endStream();
    await scheduler.drain();
  }
  if (failure !== null) {
    keepPartialText(context, messageId);
    const reason = signal.aborted ? 'stopped' : 'broken';
    const usage = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 };
    sessions.append(sessionId, { type: 'assistant.finished', messageId, stopReason: reason, usage });
    // The calls that came whole have run and are answered, so the model can go on from their results.
    if (calls.length > 0 && failure.retryable && !signal.aborted) failure = null;
  }
  return { messageId, calls, stopReason, askAgain, text: texts.join('\n').trim(), stop, failure };
}

/** Lets a call be put off only where it is the one call of its message, and the session's own. */
function deferringAlone(services: PipelineServices, isAlone: () => Promise<boolean>): PipelineServices {
  const { deferCall } = services;
  if (deferCall === undefined) return services;
  return {
    ...services,
    deferCall: async (deferral) => services.agent === undefined && (await isAlone()) && (await deferCall(deferral)),
  };
}

/** Text that streamed without its block being finished is kept as far as it came. */
function keepPartialText({ services, sessionId }: TurnContext, messageId: string): void {
  for (const event of services.sessions.liveText(sessionId)) {
    if (event.type !== 'assistant.delta' || event.messageId !== messageId || event.kind !== 'text') continue;
    const block = { type: 'text' as const, text: event.text };
    services.sessions.append(sessionId, { type: 'assistant.block', messageId, index: event.index, block });
  }
}
