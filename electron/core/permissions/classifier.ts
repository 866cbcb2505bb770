// The classifier's two stages behind one interface: what a call does, told from its parts at once, and what a model
// thinks of it, awaited for a bounded time. Neither ever beats a deny rule, an ask rule or a hard gate.
import type { PermissionMode } from '#shared/permissions/modes';
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
}

export interface ClassifierQuestion {
  readonly toolName: string;
  /** The call as the tool tells it to a classifier; never file contents. */
  readonly call: string;
  readonly folder: string;
  readonly cwd: string;
  readonly descriptions: Descriptions;
  readonly effect: StaticOpinion;
}

/** `none`: neither fits. Only `high` confidence ever counts. */
export interface ClassifierAnswer {
  readonly behavior: 'allow' | 'deny' | 'none';
  readonly confidence: 'high' | 'medium' | 'low';
  /** One sentence for people and for the model that asked for the call. */
  readonly reason: string;
}

/** The model stage. */
export interface ModelClassifier {
  /** May reject or never settle; both mean that it has no opinion. */
  classify(question: ClassifierQuestion, signal: AbortSignal): Promise<ClassifierAnswer>;
}

/** A usable opinion; null = none. */
export type ClassifierOpinion = { readonly behavior: 'allow' | 'deny'; readonly reason: string } | null;

/** Longest wait for the model stage once everything else is decided, in milliseconds. */
export const classifierWaitMs = 3_000;

/** Whether the model stage takes part: in `auto` mode, or when somebody described what may run. */
export function classifierTakesPart(mode: PermissionMode, descriptions: Descriptions): boolean {
  return mode === 'auto' || descriptions.allow.length > 0 || descriptions.deny.length > 0;
}

/** A model's opinion under way. */
export interface RunningClassifier {
  /** Waits at most `waitMs` from now. Late, failed or unsure = null. Never rejects. */
  opinion(waitMs: number): Promise<ClassifierOpinion>;
  /** Lets go of it: whoever works on it may stop. */
  cancel(): void;
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
    .then(
      (given): ClassifierOpinion =>
        given.confidence === 'high' && given.behavior !== 'none'
          ? { behavior: given.behavior, reason: given.reason }
          : null,
      (error: unknown): ClassifierOpinion => {
        if (!signal.aborted && !own.signal.aborted) onFailure(error);
        return null;
      },
    );
  return {
    async opinion(waitMs) {
      let timer: ReturnType<typeof setTimeout> | undefined;
      const late = new Promise<null>((resolve) => {
        timer = setTimeout(() => resolve(null), waitMs);
      });
      const opinion = await Promise.race([answer, late]);
      clearTimeout(timer);
      return opinion;
    },
    cancel: () => own.abort(),
  };
}
