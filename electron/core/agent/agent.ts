// Turns of all sessions: one at a time per session, messages queue behind a running turn, anyone may stop it.
import { RpcError } from '#shared/rpc/errors';
import type { ModelChoice } from '#shared/session/events';
import { newId } from '../ids';
import { type ModelClient, ModelFailure } from '../model/client';
import type { PipelineServices } from '../pipeline/services';
import { systemPrompt } from './systemPrompt';
import { runTurn, type TurnOutcome } from './turn';

/** Longest title taken from a first message, in characters. */
const longestTitle = 60;
export const untitled = 'New session';

export interface AgentOptions {
  readonly services: PipelineServices;
  readonly clientFor: (choice: ModelChoice) => ModelClient;
  readonly platform: string;
  readonly concurrency: number;
}

interface RunningTurn {
  readonly abort: AbortController;
  readonly ended: Promise<void>;
}

export class Agent {
  private readonly turns = new Map<string, RunningTurn>();
  private disposed = false;

  constructor(private readonly options: AgentOptions) {}

  running(sessionId: string): boolean {
    return this.turns.has(sessionId);
  }

  /** Sends a message, or queues it behind the running turn. */
  send(sessionId: string, text: string): { messageId: string; queued: boolean } {
    if (this.disposed) throw new RpcError('unavailable', 'Gatehouse is closing.');
    const { sessions } = this.options.services;
    const messageId = newId('m');
    if (this.turns.has(sessionId)) {
      sessions.append(sessionId, { type: 'message.queued', messageId, text });
      return { messageId, queued: true };
    }
    this.begin(sessionId, messageId, text);
    return { messageId, queued: false };
  }

  unqueue(sessionId: string, messageId: string): void {
    const { sessions } = this.options.services;
    if (!sessions.state(sessionId).queue.some((queued) => queued.messageId === messageId)) {
      throw new RpcError('conflict', 'This message is no longer in the queue.');
    }
    sessions.append(sessionId, { type: 'message.unqueued', messageId });
  }

  /** Stops the running turn and resolves when all of its calls have ended. What is queued stays queued. */
  async stop(sessionId: string): Promise<void> {
    const turn = this.turns.get(sessionId);
    if (turn === undefined) return;
    turn.abort.abort();
    await turn.ended;
  }

  /** Stops everything. */
  async dispose(): Promise<void> {
    this.disposed = true;
    await Promise.all([...this.turns.keys()].map((sessionId) => this.stop(sessionId)));
  }

  private begin(sessionId: string, messageId: string, text: string): void {
    const { sessions } = this.options.services;
    const first = sessions.state(sessionId).items.length === 0;
    sessions.append(sessionId, { type: 'message.sent', messageId, text });
    if (first && sessions.state(sessionId).title === untitled) {
      sessions.append(sessionId, { type: 'session.renamed', title: titleFrom(text) });
    }
    const abort = new AbortController();
    const ended = this.turn(sessionId, abort.signal)
      .catch((error: unknown): TurnOutcome => {
        this.options.services.log.error('a turn could not be recorded', error);
        this.turns.delete(sessionId);
        return 'failed';
      })
      .then((outcome) => this.afterTurn(sessionId, outcome));
    this.turns.set(sessionId, { abort, ended });
  }

  private async turn(sessionId: string, signal: AbortSignal): Promise<TurnOutcome> {
    const { services, clientFor, platform, concurrency } = this.options;
    const turnId = newId('t');
    const { model, folder, createdAt } = services.sessions.state(sessionId);
    services.sessions.append(sessionId, { type: 'turn.started', turnId, model });
    const outcome = await this.answerWith(sessionId, async () => {
      const client = clientFor(model);
      const system = systemPrompt({ folder, platform, day: new Date(createdAt).toISOString().slice(0, 10) });
      return await runTurn({ services, sessionId, client, model: model.id, system, concurrency, signal });
    });
    // First no longer running, then announced: a message sent on the announcement must not queue behind nothing.
    this.turns.delete(sessionId);
    services.sessions.append(sessionId, { type: 'turn.finished', turnId, outcome });
    return outcome;
  }

  /** Faults end the turn with a notice, never the session. */
  private async answerWith(sessionId: string, run: () => Promise<TurnOutcome>): Promise<TurnOutcome> {
    const { sessions, log } = this.options.services;
    try {
      return await run();
    } catch (error) {
      const known = error instanceof ModelFailure;
      if (!known) log.error('a turn failed', error);
      const text = known ? error.message : 'The turn ended because of a fault in Gatehouse.';
      const next = known ? error.next : 'The log has details. Send a message to go on.';
      sessions.append(sessionId, { type: 'notice', level: 'error', text, next });
      return 'failed';
    }
  }

  private afterTurn(sessionId: string, outcome: TurnOutcome): void {
    const { sessions } = this.options.services;
    if (this.disposed || outcome !== 'done' || this.turns.has(sessionId) || !sessions.exists(sessionId)) return;
    const next = sessions.state(sessionId).queue[0];
    if (next !== undefined) this.begin(sessionId, next.messageId, next.text);
  }
}

/** The first line of a message, cut at a word. */
export function titleFrom(text: string): string {
  const line = text.trim().split('\n', 1)[0]?.trim() ?? '';
  if (line.length <= longestTitle) return line || untitled;
  const cut = line.slice(0, longestTitle);
  const space = cut.lastIndexOf(' ');
  return `${(space > longestTitle / 2 ? cut.slice(0, space) : cut).trimEnd()}…`;
}
