// What the guards know of each session: denials, repeated calls, and how often a classifier blocked.
import type { DenialBlock } from '#shared/api/permissions';
import type { Decision } from '#shared/permissions/decision';
import type { PermissionMode } from '#shared/permissions/modes';
import {
  activeBlocks,
  afterPerson,
  asksAgain,
  type ClassifierBlocks,
  type DenialState,
  guardDecision,
  liftBlock,
  noClassifierBlocks,
  noDenials,
  noRepeats,
  type RepeatState,
  recordCall,
  recordClassifier,
  recordDenial,
} from './denials';

interface Guards {
  denials: DenialState;
  repeats: RepeatState;
  classifier: ClassifierBlocks;
}

export class SessionGuards {
  private readonly sessions = new Map<string, Guards>();

  /** `now` gives epoch milliseconds. */
  constructor(private readonly now: () => number) {}

  forget(sessionId: string): void {
    this.sessions.delete(sessionId);
  }

  /** Calls are counted within one turn. */
  startTurn(sessionId: string): void {
    this.of(sessionId).repeats = noRepeats;
  }

  /** Counts a call; the answer says how often it came in a row, itself included. */
  countCall(sessionId: string, call: { readonly toolName: string; readonly input: unknown }): number {
    const guards = this.of(sessionId);
    guards.repeats = recordCall(guards.repeats, call);
    return guards.repeats.count;
  }

  /** Records a person's denial. The answer is the block that it brought, null when it brought none. */
  recordDenial(sessionId: string, pattern: string): DenialBlock | null {
    const guards = this.of(sessionId);
    const before = this.block(sessionId, pattern);
    guards.denials = recordDenial(guards.denials, pattern, this.now());
    return before === null ? this.block(sessionId, pattern) : null;
  }

  /** False when the pattern is not blocked. */
  lift(sessionId: string, pattern: string): boolean {
    const blocked = this.block(sessionId, pattern) !== null;
    const guards = this.of(sessionId);
    guards.denials = liftBlock(guards.denials, pattern);
    return blocked;
  }

  blocks(sessionId: string): DenialBlock[] {
    const known = this.sessions.get(sessionId);
    return known === undefined ? [] : [...activeBlocks(known.denials, this.now())];
  }

  /** A person allowed a call: the row of identical calls and of the classifier's blocks starts anew. */
  personAllowed(sessionId: string): void {
    const guards = this.of(sessionId);
    guards.repeats = noRepeats;
    guards.classifier = afterPerson(guards.classifier);
  }

  /** Whether the classifier has blocked so much that a person decides until they allow something. */
  classifierPaused(sessionId: string): boolean {
    const known = this.sessions.get(sessionId);
    return known !== undefined && asksAgain(known.classifier);
  }

  /** Records what the classifier said. True when it does not count because a person decides. */
  recordClassifier(sessionId: string, blocked: boolean): boolean {
    const guards = this.of(sessionId);
    if (asksAgain(guards.classifier)) return true;
    guards.classifier = recordClassifier(guards.classifier, blocked);
    return false;
  }

  /** The decision after the guards. */
  apply(options: {
    readonly sessionId: string;
    readonly decision: Decision;
    readonly mode: PermissionMode;
    readonly pattern: string;
    readonly repeats: number;
  }): Decision {
    const { sessionId, decision, mode, pattern, repeats } = options;
    return guardDecision({ decision, mode, repeats, block: this.block(sessionId, pattern), now: this.now() });
  }

  private block(sessionId: string, pattern: string): DenialBlock | null {
    return this.blocks(sessionId).find((one) => one.pattern === pattern) ?? null;
  }

  private of(sessionId: string): Guards {
    const known = this.sessions.get(sessionId) ?? {
      denials: noDenials,
      repeats: noRepeats,
      classifier: noClassifierBlocks,
    };
    this.sessions.set(sessionId, known);
    return known;
  }
}
