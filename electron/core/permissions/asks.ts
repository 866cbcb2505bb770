// Questions that wait for a person: first in, first out, answered by id, the first answer wins.
import type { PermissionMode } from '#shared/permissions/modes';
import { RpcError } from '#shared/rpc/errors';
import type { Ask, AskAnswer, PermissionAsk, QuestionAsk } from '#shared/session/ask';
import { assertNever } from '#shared/util/assertNever';
import type { SessionService } from '../sessions/service';
import type { QuestionAnswers } from '../tools/tool';
import type { Evaluation, PermissionEngine, PermissionRequest, PermissionSituation, RulePreview } from './engine';

/** How a permission ask ended. `settled`: rules or mode changed so that nobody has to answer any more. */
export type PermissionOutcome =
  | { readonly kind: 'denied'; readonly words: string }
  | { readonly kind: 'once' }
  | { readonly kind: 'always'; readonly rules: readonly string[]; readonly where: string }
  | { readonly kind: 'settled'; readonly evaluation: Evaluation }
  | { readonly kind: 'aborted' };

export interface SavedRules {
  readonly rules: string[];
  readonly where: string;
  /** The written change, to take it back. */
  readonly step: string;
  /** Titles of the other waiting calls that the rules answered too. */
  readonly settled: string[];
}

interface PendingBase {
  readonly sessionId: string;
  readonly callId: string;
  readonly ask: Ask;
  /** True while an answer is being carried out; a second answer is too late already. */
  taken: boolean;
}
interface PendingPermission extends PendingBase {
  readonly kind: 'permission';
  readonly ask: PermissionAsk;
  readonly request: PermissionRequest;
  readonly situation: () => PermissionSituation;
  readonly resolve: (outcome: PermissionOutcome) => void;
}
interface PendingQuestion extends PendingBase {
  readonly kind: 'question';
  readonly resolve: (answers: QuestionAnswers | 'aborted') => void;
}
type Pending = PendingPermission | PendingQuestion;

/** Longest name of a call in a message to the person, in characters. */
const longestName = 100;

function whatAsks(ask: PermissionAsk): string {
  const text = (ask.view.kind === 'terminal' ? ask.view.command : ask.title).split('\n', 1)[0] ?? '';
  return text.length > longestName ? `${text.slice(0, longestName - 1)}…` : text;
}

export class Asks {
  private readonly pending = new Map<string, Pending>();
  /** Answers that are being saved, with what they settled so far. */
  private readonly savings = new Set<{ readonly sessionId: string; readonly settled: string[] }>();
  private readonly stopListening: () => void;

  constructor(
    private readonly sessions: SessionService,
    private readonly engine: PermissionEngine,
    private readonly onBug: (what: string, error: unknown) => void,
  ) {
    this.stopListening = engine.onChange((sessionId) => this.settleInBackground(sessionId));
  }

  /** Shows a permission ask and waits for its end. An abort withdraws it. */
  permission(options: {
    readonly sessionId: string;
    readonly callId: string;
    readonly ask: PermissionAsk;
    readonly request: PermissionRequest;
    readonly situation: () => PermissionSituation;
    readonly signal: AbortSignal;
  }): Promise<PermissionOutcome> {
    const { signal, ...about } = options;
    return new Promise((resolve) => {
      this.add({ ...about, kind: 'permission', taken: false, resolve }, signal, () => resolve({ kind: 'aborted' }));
    });
  }

  /** Shows questions and waits for answers. */
  questions(options: {
    readonly sessionId: string;
    readonly callId: string;
    readonly ask: QuestionAsk;
    readonly signal: AbortSignal;
  }): Promise<QuestionAnswers | 'aborted'> {
    const { signal, ...about } = options;
    return new Promise((resolve) => {
      this.add({ ...about, kind: 'question', taken: false, resolve }, signal, () => resolve('aborted'));
    });
  }

  /**
   * Carries out one answer. Throws RpcError: `conflict` when the ask is gone or being answered, `invalid` when the
   * answer is of the other kind, `refused` when its rules cannot be saved or would not let the call through.
   */
  async answer(options: { sessionId: string; askId: string; answer: AskAnswer }): Promise<SavedRules | null> {
    const pending = this.find(options.sessionId, options.askId);
    const { answer } = options;
    if (pending.kind === 'question') {
      this.answerQuestion(pending, answer);
      return null;
    }
    switch (answer.kind) {
      case 'deny':
        this.end(pending, 'person', () => pending.resolve({ kind: 'denied', words: answer.words?.trim() ?? '' }));
        return null;
      case 'allowOnce':
        await this.allowOnce(pending, answer.mode);
        return null;
      case 'allowAlways':
        return await this.saveAndAllow(pending, answer);
      case 'answers':
        throw new RpcError('invalid', 'This asks for permission; answer with allow or deny.');
      default:
        return assertNever(answer, 'answer');
    }
  }

  /** What saving rules would do for one waiting permission ask. */
  async preview(options: {
    sessionId: string;
    askId: string;
    rules: readonly string[];
    source: Extract<AskAnswer, { kind: 'allowAlways' }>['source'];
  }): Promise<RulePreview> {
    const pending = this.find(options.sessionId, options.askId);
    if (pending.kind !== 'permission') throw new RpcError('invalid', 'A question has no rules.');
    return await this.engine.preview({
      rules: options.rules,
      source: options.source,
      request: pending.request,
      situation: pending.situation(),
    });
  }

  /** Looks again at every waiting permission ask of a session after rules or mode have changed. */
  async settle(sessionId: string): Promise<void> {
    for (const pending of [...this.pending.values()]) {
      if (pending.kind !== 'permission' || pending.sessionId !== sessionId || pending.taken) continue;
      const evaluation = await this.engine.evaluate(pending.request, pending.situation());
      if (evaluation.decision.behavior === 'ask' || pending.taken || !this.pending.has(pending.ask.askId)) continue;
      this.end(pending, 'rule', () => pending.resolve({ kind: 'settled', evaluation }));
      if (evaluation.decision.behavior !== 'allow') continue;
      for (const saving of this.savings) if (saving.sessionId === sessionId) saving.settled.push(whatAsks(pending.ask));
    }
  }

  dispose(): void {
    this.stopListening();
  }

  private add(pending: Pending, signal: AbortSignal, onAbort: () => void): void {
    if (signal.aborted) {
      onAbort();
      return;
    }
    this.pending.set(pending.ask.askId, pending);
    signal.addEventListener(
      'abort',
      () => {
        if (this.pending.has(pending.ask.askId)) this.end(pending, 'abort', onAbort);
      },
      { once: true },
    );
    this.sessions.append(pending.sessionId, { type: 'call.asked', callId: pending.callId, ask: pending.ask });
  }

  private find(sessionId: string, askId: string): Pending {
    const pending = this.pending.get(askId);
    if (pending === undefined || pending.sessionId !== sessionId || pending.taken) {
      throw new RpcError('conflict', 'This has already been answered or withdrawn.');
    }
    return pending;
  }

  private end(pending: Pending, by: 'person' | 'rule' | 'abort', resolve: () => void): void {
    pending.taken = true;
    this.pending.delete(pending.ask.askId);
    const { sessionId, callId, ask } = pending;
    this.sessions.append(sessionId, { type: 'call.answered', callId, askId: ask.askId, by });
    resolve();
  }

  private answerQuestion(pending: PendingQuestion, answer: AskAnswer): void {
    if (answer.kind === 'answers') {
      const { answers } = answer;
      this.end(pending, 'person', () => pending.resolve({ answered: true, answers }));
    } else if (answer.kind === 'deny') {
      const words = answer.words?.trim() ?? '';
      this.end(pending, 'person', () => pending.resolve({ answered: false, words }));
    } else {
      throw new RpcError('invalid', 'This is a question; answer it or decline.');
    }
  }

  /** Lets one call through; where the ask offers modes, the session goes over to the chosen one first. */
  private async allowOnce(pending: PendingPermission, mode: PermissionMode | undefined): Promise<void> {
    const { sessionId } = pending;
    if (mode !== undefined) {
      if (pending.ask.modes?.includes(mode) !== true)
        throw new RpcError('invalid', 'This ask does not offer that mode.');
      const { available, reason } = this.engine.modeAvailable(mode, sessionId);
      if (!available) throw new RpcError('refused', reason);
      this.sessions.append(sessionId, { type: 'mode.changed', mode });
    }
    this.end(pending, 'person', () => pending.resolve({ kind: 'once' }));
    if (mode !== undefined) await this.settle(sessionId);
  }

  private async saveAndAllow(
    pending: PendingPermission,
    answer: Extract<AskAnswer, { kind: 'allowAlways' }>,
  ): Promise<SavedRules> {
    pending.taken = true;
    // The engine announces the change while it saves, so the other asks may be settled before the save is done.
    const saving = { sessionId: pending.sessionId, settled: [] };
    this.savings.add(saving);
    try {
      return { ...(await this.saveAndEnd(pending, answer)), settled: saving.settled };
    } finally {
      this.savings.delete(saving);
    }
  }

  private async saveAndEnd(
    pending: PendingPermission,
    answer: Extract<AskAnswer, { kind: 'allowAlways' }>,
  ): Promise<Omit<SavedRules, 'settled'>> {
    const saved = await this.save(pending, answer).catch((error: unknown) => {
      pending.taken = false;
      throw error;
    });
    if (!this.pending.has(pending.ask.askId)) throw new RpcError('conflict', 'The call was stopped meanwhile.');
    this.sessions.append(pending.sessionId, {
      type: 'rule.saved',
      callId: pending.callId,
      rules: answer.rules,
      source: answer.source,
      ...(saved.file === null ? {} : { file: saved.file }),
    });
    const outcome = { kind: 'always' as const, rules: answer.rules, where: saved.where };
    this.end(pending, 'person', () => pending.resolve(outcome));
    await this.settle(pending.sessionId);
    return { rules: answer.rules, where: saved.where, step: saved.step };
  }

  private async save(
    pending: PendingPermission,
    answer: Extract<AskAnswer, { kind: 'allowAlways' }>,
  ): Promise<{ where: string; file: string | null; step: string }> {
    const { rules, source, lifetime } = answer;
    if (lifetime !== undefined && source !== 'session')
      throw new RpcError('invalid', 'Only rules of this session can end by themselves.');
    const situation = pending.situation();
    const preview = await this.engine.preview({ rules, source, request: pending.request, situation });
    if (preview.problems.length > 0) throw new RpcError('refused', `Not saved: ${preview.problems.join(' ')}`);
    if (!preview.wouldRun) throw new RpcError('refused', `Not saved: it would still not run. ${preview.stillBecause}`);
    const saved = await this.engine.saveRules({
      sessionId: pending.sessionId,
      rules,
      source,
      ...(lifetime === undefined ? {} : { lifetime }),
    });
    if (!saved.ok) throw new RpcError('refused', `Not saved: ${saved.error}`);
    return saved.value;
  }

  private settleInBackground(sessionId: string): void {
    this.settle(sessionId).catch((error: unknown) => this.onBug('re-evaluating asks', error));
  }
}
