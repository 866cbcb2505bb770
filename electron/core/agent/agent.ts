// Turns of all sessions: one at a time per session, messages queue behind a running turn, anyone may stop it.
import { RpcError } from '#shared/rpc/errors';
import type { ModelChoice } from '#shared/session/events';
import type { CommandsInForce } from '../context/commandsInForce';
import type { Skill } from '../context/definitions';
import { skillText, typedCommand } from '../context/expand';
import type { SessionContexts } from '../context/sessionContexts';
import { boundedText } from '../hooks/longText';
import { newId } from '../ids';
import { type ModelClient, ModelFailure } from '../model/client';
import { announceCall, type CallRequest, runToolCall } from '../pipeline/runToolCall';
import type { PipelineServices } from '../pipeline/services';
import type { SessionService } from '../sessions/service';
import { type Admission, admit, endSession, erase, needsAdmission, startRefused } from './admission';
import { type CompactionOutcome, compact } from './compaction';
import { callIdOf } from './conversation';
import { deferredCall } from './deferred';
import { fire } from './sessionHooks';
import { systemPrompt } from './systemPrompt';
import { runTurn, type TurnOutcome } from './turn';
import { notice, type TurnContext } from './turnContext';

/** Longest title taken from a first message, in characters. */
const longestTitle = 60;
export const untitled = 'New session';
/** Times in a row that Stop hooks may make a turn go on, unless the environment says otherwise. */
export const defaultStopBlockCap = 8;

/** The pipeline over whole sessions. */
export type SessionServices = PipelineServices & { readonly sessions: SessionService };

export interface AgentOptions {
  readonly services: SessionServices;
  /** Memory, commands, skills and agents; left out: there are none. */
  readonly contexts?: Pick<SessionContexts, 'system' | 'skill' | 'near'>;
  readonly commands?: Pick<CommandsInForce, 'begin' | 'endTurn'>;
  /** The model that a file names; left out: files cannot choose one. */
  readonly modelFor?: (wish: string, own: ModelChoice) => Promise<ModelChoice>;
  readonly clientFor: (choice: ModelChoice) => ModelClient;
  /** Most tokens that a request to a model may have. */
  readonly contextTokens: (choice: ModelChoice) => Promise<number>;
  readonly platform: string;
  readonly concurrency: number;
  readonly stopBlockCap: number;
}

interface Message {
  readonly messageId: string;
  readonly text: string;
}

/** A command or skill that the person typed. */
interface Typed {
  readonly skill: Skill;
  readonly args: string;
}

interface RunningTurn {
  readonly abort: AbortController;
  readonly ended: Promise<void>;
}

/** `refused`: hooks or the person took the message back before the model heard of it. */
type LedTo = TurnOutcome | 'refused';

export class Agent {
  private readonly turns = new Map<string, RunningTurn>();
  /** Sessions whose start hooks have been told of, in this process. */
  private readonly started = new Set<string>();
  private disposed = false;

  constructor(private readonly options: AgentOptions) {}

  running(sessionId: string): boolean {
    return this.turns.has(sessionId);
  }

  /** Sends a message, or queues it behind the running turn. */
  send(sessionId: string, text: string): { messageId: string; queued: boolean } {
    this.requireOpen();
    const { sessions } = this.options.services;
    const messageId = newId('m');
    if (this.turns.has(sessionId)) {
      sessions.append(sessionId, { type: 'message.queued', messageId, text });
      return { messageId, queued: true };
    }
    this.endUnrecorded(sessionId);
    this.begin(sessionId, (signal) => this.answer(sessionId, { messageId, text }, signal));
    return { messageId, queued: false };
  }

  unqueue(sessionId: string, messageId: string): void {
    const { sessions } = this.options.services;
    if (!sessions.state(sessionId).queue.some((queued) => queued.messageId === messageId)) {
      throw new RpcError('conflict', 'This message is no longer in the queue.');
    }
    sessions.append(sessionId, { type: 'message.unqueued', messageId });
  }

  /**
   * Starts summing up the conversation so far, as a turn of its own. Throws `conflict` while a turn runs. How it went is told
   * in the session.
   */
  compact(sessionId: string): void {
    this.requireOpen();
    if (this.turns.has(sessionId)) throw new RpcError('conflict', 'The session is running. Stop it or wait.');
    this.begin(sessionId, (signal) =>
      this.turn({ sessionId, signal }, async (context) => {
        const outcome = await compact(context, { trigger: 'manual' });
        explainCompaction(context, outcome);
        return signal.aborted ? 'stopped' : outcome === 'failed' ? 'failed' : 'done';
      }),
    );
  }

  /**
   * Runs one call by the person's hand, as a turn of its own: it can be stopped, and messages wait behind it. The model is
   * not told. Returns the call's id at once. Throws `conflict` while a turn runs.
   */
  runCall(sessionId: string, { name, input }: Pick<CallRequest, 'name' | 'input'>): string {
    this.requireOpen();
    if (this.turns.has(sessionId)) throw new RpcError('conflict', 'The session is running. Stop it or wait.');
    this.endUnrecorded(sessionId);
    // No message of the model has this id, so the call belongs to no conversation.
    const messageId = newId('m');
    const callId = callIdOf(messageId, 0);
    const request = {
      sessionId,
      callId,
      messageId,
      toolUseId: callId,
      name,
      input,
      cutOff: false,
      byHand: true,
    } as const;
    this.begin(sessionId, (signal) => this.byHand(request, signal));
    return callId;
  }

  /**
   * Goes on with the call that a hook put off, as a turn without a message. False where there is none. Throws `conflict`
   * while a turn runs.
   */
  takeUp(sessionId: string): boolean {
    this.requireOpen();
    if (this.turns.has(sessionId)) throw new RpcError('conflict', 'The session is running. Stop it or wait.');
    this.endUnrecorded(sessionId);
    if (deferredCall(this.options.services.sessions, sessionId) === null) return false;
    this.begin(sessionId, (signal) => this.goOn(sessionId, signal));
    return true;
  }

  private async goOn(sessionId: string, signal: AbortSignal): Promise<LedTo> {
    const isStart = !this.started.has(sessionId);
    this.started.add(sessionId);
    const { services, stopBlockCap } = this.options;
    return await this.turn({ sessionId, signal }, async (context) => {
      if (isStart && (await startRefused({ services, sessionId, signal }))) return 'stopped';
      return await runTurn({ ...context, stopBlockCap });
    });
  }

  private async byHand(request: CallRequest, signal: AbortSignal): Promise<TurnOutcome> {
    const { services } = this.options;
    const { sessionId, name } = request;
    const turnId = newId('t');
    services.sessions.append(sessionId, {
      type: 'turn.started',
      turnId,
      model: services.sessions.state(sessionId).model,
    });
    notice({ services, sessionId }, 'info', `You ran the tool ${name.slice(0, 80)} by hand.`, 'The model is not told.');
    announceCall(services, request);
    await runToolCall(services, request, signal);
    const outcome = signal.aborted ? 'stopped' : 'done';
    this.turns.delete(sessionId);
    services.sessions.append(sessionId, { type: 'turn.finished', turnId, outcome });
    return outcome;
  }

  /** Stops the running turn and resolves when all of its calls have ended. What is queued stays queued. */
  async stop(sessionId: string): Promise<void> {
    const turn = this.turns.get(sessionId);
    if (turn === undefined) return this.endUnrecorded(sessionId);
    turn.abort.abort();
    await turn.ended;
  }

  /** Tells hooks that a session is over. Call it before the session goes; the turn must have ended. */
  async close(sessionId: string, reason: string): Promise<void> {
    if (this.started.delete(sessionId)) await endSession(this.options.services, sessionId, reason);
  }

  /** Stops everything. */
  async dispose(): Promise<void> {
    this.disposed = true;
    await Promise.all([...this.turns.keys()].map((sessionId) => this.stop(sessionId)));
    await Promise.all([...this.started].map((sessionId) => this.close(sessionId, 'other')));
  }

  private requireOpen(): void {
    if (this.disposed) throw new RpcError('unavailable', 'Gatehouse is closing.');
  }

  /** A turn whose end could not be written, for example because the disk was full, is ended in the log before anything else. */
  private endUnrecorded(sessionId: string): void {
    const { sessions } = this.options.services;
    if (sessions.state(sessionId).turn === null) return;
    sessions.endLostCalls(sessionId);
    sessions.repair(sessionId, 'The last turn could not be written to its end.');
  }

  private begin(sessionId: string, run: (signal: AbortSignal) => Promise<LedTo>): void {
    const abort = new AbortController();
    const ended = run(abort.signal)
      .catch((error: unknown): LedTo => {
        this.options.services.log.error('a turn could not be recorded', error);
        this.turns.delete(sessionId);
        return 'failed';
      })
      .then((outcome) => this.afterTurn(sessionId, outcome));
    this.turns.set(sessionId, { abort, ended });
  }

  /** From a person's message to the end of its turn. Nothing waits before the message is shown unless hooks listen. */
  private async answer(sessionId: string, message: Message, signal: AbortSignal): Promise<LedTo> {
    const { services } = this.options;
    const { sessions } = services;
    const session = { services, sessionId, signal };
    const isStart = !this.started.has(sessionId);
    this.started.add(sessionId);
    const admission: Admission = needsAdmission(session, isStart)
      ? await admit(session, { message, isStart })
      : { admitted: true, context: [] };
    if (!admission.admitted) {
      // Whoever waits for the end of the turn hears of it, though the model never did.
      const turnId = newId('t');
      sessions.append(sessionId, { type: 'turn.started', turnId, model: sessions.state(sessionId).model });
      if (admission.refusal !== null) erase(session, message.messageId, admission.refusal);
      this.turns.delete(sessionId);
      sessions.append(sessionId, { type: 'turn.finished', turnId, outcome: 'stopped' });
      return signal.aborted ? 'stopped' : 'refused';
    }
    const { title, items } = sessions.state(sessionId);
    const first = title === untitled && !items.some((item) => item.kind === 'user');
    sessions.append(sessionId, { type: 'message.sent', ...message });
    if (first) sessions.append(sessionId, { type: 'session.renamed', title: titleFrom(message.text) });
    for (const text of admission.context) {
      sessions.append(sessionId, { type: 'context.added', from: 'UserPromptSubmit hook', text });
    }
    const { stopBlockCap } = this.options;
    const typed = await this.typed(sessionId, message.text);
    return await this.turn({ sessionId, signal, typed }, (context) => runTurn({ ...context, stopBlockCap }));
  }

  /** What a message that begins with / stands for; null where it is a text like any other. */
  private async typed(sessionId: string, text: string): Promise<Typed | null> {
    const found = typedCommand(text);
    if (found === null) return null;
    const skill = await this.options.contexts?.skill(sessionId, found.name);
    return skill?.forPerson === true ? { skill, args: found.args } : null;
  }

  /** Puts the text of a typed command beside the message, and its rules in force. */
  private beginTyped(sessionId: string, { skill, args }: Typed): void {
    const { services, commands } = this.options;
    commands?.begin({ sessionId, skill, byAgent: false });
    const text = skillText({ skill, args, sessionId });
    services.sessions.append(sessionId, { type: 'context.added', from: `command /${skill.name}`, text });
  }

  /** What memory files say, with a word to people about those that were left out. */
  private async sections(sessionId: string): Promise<string> {
    const known = await this.options.contexts?.system(sessionId);
    if (known === undefined) return '';
    if (known.fresh && known.problems.length > 0) {
      const place = { services: this.options.services, sessionId };
      notice(place, 'warning', boundedText(known.problems.join('\n')), 'The rest of the files is in force.');
    }
    return known.text;
  }

  private async turn(
    about: { readonly sessionId: string; readonly signal: AbortSignal; readonly typed?: Typed | null },
    run: (context: TurnContext) => Promise<TurnOutcome>,
  ): Promise<TurnOutcome> {
    const { sessionId, signal, typed = null } = about;
    const { services, clientFor, contextTokens, platform, concurrency } = this.options;
    const turnId = newId('t');
    const { model: own, folder, createdAt } = services.sessions.state(sessionId);
    const wish = typed?.skill.model ?? null;
    const model = wish === null ? own : ((await this.options.modelFor?.(wish, own)) ?? own);
    services.sessions.append(sessionId, { type: 'turn.started', turnId, model });
    const outcome = await this.explained({ sessionId, signal }, async () => {
      if (typed !== null) this.beginTyped(sessionId, typed);
      const client = clientFor(model);
      const day = new Date(createdAt).toISOString().slice(0, 10);
      const system = systemPrompt({ folder, platform, day, sections: await this.sections(sessionId) });
      return await run({
        services,
        sessionId,
        client,
        model: model.id,
        system,
        concurrency,
        signal,
        contextTokens: () => contextTokens(model),
        memoryNear: async (paths) => (await this.options.contexts?.near({ sessionId, paths })) ?? [],
      });
    });
    // First no longer running, then announced: a message sent on the announcement must not queue behind nothing.
    this.turns.delete(sessionId);
    this.options.commands?.endTurn(sessionId);
    services.sessions.endLostCalls(sessionId);
    services.sessions.append(sessionId, { type: 'turn.finished', turnId, outcome });
    return outcome;
  }

  /** Faults end the turn with a notice, never the session. */
  private async explained(
    about: { readonly sessionId: string; readonly signal: AbortSignal },
    run: () => Promise<TurnOutcome>,
  ): Promise<TurnOutcome> {
    const session = { services: this.options.services, ...about };
    try {
      return await run();
    } catch (error) {
      const known = error instanceof ModelFailure;
      if (!known) session.services.log.error('a turn failed', error);
      const text = known ? error.message : 'The turn ended because of a fault in Gatehouse.';
      notice(session, 'error', text, known ? error.next : 'The log has details. Send a message to go on.');
      await fire(session, { name: 'StopFailure', error: known ? error.kind : 'unknown', errorDetails: text });
      return 'failed';
    }
  }

  private afterTurn(sessionId: string, outcome: LedTo): void {
    const { sessions } = this.options.services;
    const goesOn = outcome === 'done' || outcome === 'refused';
    if (this.disposed || !goesOn || this.turns.has(sessionId) || !sessions.exists(sessionId)) return;
    const next = sessions.state(sessionId).queue[0];
    if (next !== undefined) this.begin(sessionId, (signal) => this.answer(sessionId, next, signal));
  }
}

/** Why a manual compaction changed nothing, where nobody has said so yet. */
function explainCompaction(context: TurnContext, outcome: CompactionOutcome): void {
  if (outcome === 'nothing') notice(context, 'info', 'There is nothing to compact yet.');
}

/** The first line of a message, cut at a word. */
export function titleFrom(text: string): string {
  const line = text.trim().split('\n', 1)[0]?.trim() ?? '';
  if (line.length <= longestTitle) return line || untitled;
  const cut = line.slice(0, longestTitle);
  const space = cut.lastIndexOf(' ');
  return `${(space > longestTitle / 2 ? cut.slice(0, space) : cut).trimEnd()}…`;
}
