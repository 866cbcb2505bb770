// The classifier's two stages behind one interface: what a call does, told from its parts at once, and what a model
// thinks of it, awaited for a bounded time. Neither ever beats a deny rule, an ask rule or a hard gate.
import type { PermissionMode } from '#shared/permissions/modes';
import type { ModelChoice } from '#shared/session/events';
import type { CallFacts } from './callFacts';
import { destructiveWarning } from './destructive';

/** What a call does, as far as its text tells. */
export interface StaticOpinion {
  readonly effect: 'readOnly' | 'destructive' | 'unknown';
  /** In words. */
  readonly why: string;
}

/** The static stage. Pure and instant. */
export function classifyStatically(facts: CallFacts): StaticOpinion {
  const warning = destructiveWarning(facts);
  if (warning !== undefined) return { effect: 'destructive', why: warning };
  const [problem] = facts.shellProblems;
  if (problem !== undefined) return { effect: 'unknown', why: `the line cannot be understood: ${problem}` };
  const written = facts.files.find((file) => file.access === 'write');
  if (written !== undefined) return { effect: 'unknown', why: `it writes ${written.given}` };
  if (facts.shellText === null)
    return facts.isReadOnly
      ? { effect: 'readOnly', why: `${facts.toolName} only reads` }
      : { effect: 'unknown', why: `what ${facts.toolName} does is not known` };
  const other = facts.commands.find((command) => !command.readOnly.yes);
  if (other !== undefined) return { effect: 'unknown', why: other.readOnly.why };
  return { effect: 'readOnly', why: 'every command of it only reads' };
}

/** Descriptions in the person's or the administrator's own words: what may run, and what may not. */
export interface Descriptions {
  readonly allow: readonly string[];
  readonly deny: readonly string[];
  /** What surrounds the project and is trusted. By itself it decides nothing. */
  readonly environment?: readonly string[];
}

export interface ClassifierQuestion {
  readonly toolName: string;
  /** The call as the tool tells it to a classifier; never file contents. */
  readonly call: string;
  readonly folder: string;
  readonly cwd: string;
  readonly mode: PermissionMode;
  readonly descriptions: Descriptions;
  readonly effect: StaticOpinion;
  /** The model that the session works with. */
  readonly model: ModelChoice;
}

/** `none`: neither fits. Only `high` confidence ever counts. */
export interface ClassifierAnswer {
  readonly behavior: 'allow' | 'deny' | 'none';
  readonly confidence: 'high' | 'medium' | 'low';
  /** One sentence for people and for the model that asked for the call. */
  readonly reason: string;
}

/** Thrown by a model stage that declines, with the reason as a phrase for people. No failure: nothing is logged. */
export class NoOpinion extends Error {
  override readonly name = 'NoOpinion';
}

/** The model stage. */
export interface ModelClassifier {
  /** May reject or never settle; both mean that it has no opinion. */
  classify(question: ClassifierQuestion, signal: AbortSignal): Promise<ClassifierAnswer>;
}

/** What comes of it. `none`: it decides nothing, and the reason says why, as a phrase for people. */
export interface ClassifierOpinion {
  readonly behavior: ClassifierAnswer['behavior'];
  readonly reason: string;
}

/** Longest wait for the model stage once everything else is decided, in milliseconds. */
export const classifierWaitMs = 3_000;

/** Whether the model stage takes part: in `auto` mode, or when somebody described what may run. */
export function classifierTakesPart(mode: PermissionMode, descriptions: Descriptions): boolean {
  return mode === 'auto' || descriptions.allow.length > 0 || descriptions.deny.length > 0;
}

/** A model's opinion under way. */
export interface RunningClassifier {
  /** Waits at most `waitMs` from now. Late, failed or unsure = `none`. Never rejects. */
  opinion(waitMs: number): Promise<ClassifierOpinion>;
  /** Lets go of it: whoever works on it may stop. */
  cancel(): void;
}

/** Where the model stage would take part and cannot. `why` is a phrase for people. */
export function absentClassifier(why: string): RunningClassifier {
  return { opinion: () => Promise.resolve(none(why)), cancel: () => undefined };
}

function none(reason: string): ClassifierOpinion {
  return { behavior: 'none', reason };
}

/** Only a sure answer counts; the words of an unsure one help whoever decides instead. */
function usable({ behavior, confidence, reason }: ClassifierAnswer): ClassifierOpinion {
  if (behavior === 'none') return none(reason);
  return confidence === 'high' ? { behavior, reason } : none(`not sure whether to ${behavior} it: ${reason}`);
}

/** Starts the model stage; it runs while other steps do. A failure is told to `onFailure` and is no opinion. */
export function startClassifier(options: {
  readonly classifier: ModelClassifier;
  readonly question: ClassifierQuestion;
  readonly signal: AbortSignal;
  readonly onFailure: (error: unknown) => void;
}): RunningClassifier {
  const { classifier, question, signal, onFailure } = options;
  const own = new AbortController();
  const answer = Promise.resolve()
    .then(() => classifier.classify(question, AbortSignal.any([signal, own.signal])))
    .then(usable, (error: unknown): ClassifierOpinion => {
      if (error instanceof NoOpinion) return none(error.message);
      if (!signal.aborted && !own.signal.aborted) onFailure(error);
      return none('the model could not be asked');
    });
  return {
    async opinion(waitMs) {
      let timer: ReturnType<typeof setTimeout> | undefined;
      const late = new Promise<ClassifierOpinion>((resolve) => {
        timer = setTimeout(() => resolve(none(`no answer within ${waitMs / 1_000} seconds`)), waitMs);
      });
      const opinion = await Promise.race([answer, late]);
      clearTimeout(timer);
      return opinion;
    },
    cancel: () => own.abort(),
  };
}
