// What a tool is. Nothing else in the program knows how a particular tool works.

import type { z } from 'zod';
import type { OperationAnswers, OperationName, OperationOf } from '#shared/api/executor';
import type { DecisionReason } from '#shared/permissions/decision';
import type { PermissionMode } from '#shared/permissions/modes';
import type { Question } from '#shared/session/ask';
import type { BackgroundTask } from '#shared/session/backgroundTask';
import type { ResultBlock, Todo } from '#shared/session/events';
import type { FailureKind } from '#shared/session/toolCall';
import type { CardIcon, View } from '#shared/tools/presentation';
import type { OutputCapture } from '../executor/output';
import type { FileStates } from './fileStates';

/** What a call will touch, as the tool knows it: paths absolute but not yet resolved through links. */
export type CallFact =
  | {
      readonly kind: 'command';
      readonly command: string;
      readonly cwd: string;
      /** Whoever calls wants it to run outside of the sandbox; left out: it runs inside, where there is one. */
      readonly outside?: true;
    }
  | { readonly kind: 'path'; readonly access: 'read' | 'write'; readonly path: string }
  | { readonly kind: 'host'; readonly host: string }
  /** A program in a language that nothing here understands: what it touches cannot be known. */
  | { readonly kind: 'code'; readonly language: 'javascript'; readonly code: string; readonly cwd: string };

/** Where a call takes place. `cwd` and `folder` are absolute; `cwd` lies in `folder` or an additional folder. */
export interface CallPlace {
  readonly sessionId: string;
  readonly callId: string;
  readonly folder: string;
  readonly cwd: string;
  readonly home: string;
  /** The id that the provider gave the call; providers may reuse them, so `callId` is what identifies. */
  readonly toolUseId?: string;
}

/** A read-only look at files for step 3, before anything was allowed: facts and dry runs, never contents. */
export interface Inspector {
  stat(path: string): Promise<OperationAnswers['file.stat']>;
  /** Runs the change without writing. */
  preview(
    operation: OperationOf<'file.edit'> | OperationOf<'file.write'> | OperationOf<'file.editCell'>,
  ): Promise<OperationAnswers['file.edit']>;
}

export interface ValidationContext extends CallPlace {
  readonly fileStates: FileStates;
  readonly inspect: Inspector;
}

/** The outcome of step 3. `ask` hands the decision to the person. `view` replaces the card's picture, for example by the diff. */
export type Validation =
  | { readonly verdict: 'ok'; readonly view?: View }
  | { readonly verdict: 'ask'; readonly message: string; readonly view?: View }
  | { readonly verdict: 'reject'; readonly message: string; readonly errorCode: string };

/** A tool's own opinion on a call; `passthrough` leaves it to the rules. */
export type OwnPermission =
  | { readonly behavior: 'passthrough' }
  | { readonly behavior: 'allow' | 'deny'; readonly detail: string }
  /** `hookMayAllow`: a PreToolUse hook's allow stands for the person's. */
  | { readonly behavior: 'ask'; readonly detail: string; readonly hookMayAllow?: true };

/** The only way for a tool to touch the world. It exists because a Grant was minted from an allowing Decision. */
export interface GrantedExecutor {
  /** Runs one operation that the grant covers; anything else throws GrantError. */
  run<N extends Exclude<OperationName, 'shell.run' | 'repl.run' | 'lsp.query'>>(
    operation: OperationOf<N>,
  ): Promise<OperationAnswers[N]>;
  /** Whether this host of the grant may lie on this machine or a private network: it says so itself, or a rule names it. */
  mayReachPrivate(host: string): boolean;
  /**
   * Starts the granted command and returns at once; its output streams to viewers. `timeoutMs` null: no limit but the one that the tool keeps.
   * `outputFile` gets the plain text of everything it prints, up to 64 MiB, beyond which it is only counted; short output leaves no file.
   * `capture.outcome` tells at the end what was written.
   */
  start(command: {
    readonly command: string;
    readonly cwd: string;
    readonly timeoutMs: number | null;
    readonly outputFile: string | null;
    /** Characters up to which output is short; the usual number when left out. */
    readonly keepAboveChars?: number;
    /** bash when left out. */
    readonly shell?: 'powershell';
  }): Promise<RunningCommand>;
  /**
   * Runs the granted code in the session's JavaScript process and returns at once; its output streams to viewers. The call's
   * abort ends the process.
   */
  startCode(code: {
    /** Whose process: the id of a session. */
    readonly session: string;
    readonly code: string;
    readonly cwd: string;
    readonly timeoutMs: number;
    readonly memoryMiB: number;
    readonly outputFile: string | null;
  }): Promise<RunningCode>;
  /** Asks a language server, which runs without network and may write nothing but its own temp folder. */
  askLanguageServer(question: Omit<OperationOf<'lsp.query'>, 'op' | 'sandbox'>): Promise<OperationAnswers['lsp.query']>;
}

/** Code under way. */
export interface RunningCode {
  /** What it prints; grows while it runs. */
  readonly capture: OutputCapture;
  /** Resolves when it has ended and all output is in; rejects with ToolFailure when the executor was lost. */
  readonly ended: Promise<OperationAnswers['repl.run']>;
}

/** A command under way. It is stopped by the call's abort until it is detached. */
export interface RunningCommand {
  /** Grows while the command runs. */
  readonly capture: OutputCapture;
  /** Resolves when it has ended and all output is in; rejects with ToolFailure when the executor was lost. */
  readonly ended: Promise<OperationAnswers['shell.run']>;
  /** Ends it with everything that it started; `ended` then resolves. Idempotent. */
  stop(): void;
  /**
   * From here on the call's abort no longer stops it: it has become a background task. Its output file is made now, even
   * when empty, is at most a second behind what was printed, and stops the command when full (`capture.outcome.full`).
   */
  detach(): void;
}

/** Background tasks of the call's session. */
export interface SessionTasks {
  /** Takes a running command over and answers with its task at once. Ends it when its output reaches the cap. */
  adopt(task: {
    readonly command: string;
    readonly description: string;
    /** The one that the command was started with. */
    readonly outputFile: string | null;
    readonly running: RunningCommand;
  }): BackgroundTask;
  list(): readonly BackgroundTask[];
  find(taskId: string): BackgroundTask | undefined;
  /** Waits until the task has ended, at most `waitMs`, and answers with its present state. */
  wait(taskId: string, options: { readonly waitMs: number; readonly signal: AbortSignal }): Promise<BackgroundTask>;
  /**
   * Waits for a line that matches, at most `waitMs`, among those after the line that the last such call found. Null: ended
   * or late without one.
   */
  waitForLine(
    taskId: string,
    options: {
      readonly pattern: RegExp;
      readonly waitMs: number;
      readonly signal: AbortSignal;
    },
  ): Promise<string | null>;
  /**
   * Plain text that came since the last such call, the newest `maxChars` of it, without the lines that `filter` does not
   * match. Null: its output is no longer in memory, only in its file. Throws ToolFailure when the filter takes too long.
   */
  readNew(
    taskId: string,
    options: { readonly maxChars: number; readonly filter?: RegExp },
  ): { readonly text: string; readonly skippedChars: number; readonly hiddenLines: number } | null;
  /** Ends the task with everything it started; resolves when nothing of it is alive. */
  stop(taskId: string, by: 'model' | 'person'): Promise<BackgroundTask>;
}

/** Answers to questions: question text → chosen labels, or null when the person declined, with their words. */
export type QuestionAnswers =
  | { readonly answered: true; readonly answers: Readonly<Record<string, readonly string[]>> }
  | { readonly answered: false; readonly words: string };

/** What a call changes for the calls after it. It holds once all calls that may overlap this one have ended, in call order. */
export interface ContextChange {
  /** Where the session's next command starts, absolute. */
  readonly cwd?: string;
}

/** The tools of whoever makes a call. */
export interface ToolPool {
  readonly tools: readonly AnyTool[];
  /** Whether the model has it only after a search for it, made or not. */
  isDeferrable(tool: AnyTool): boolean;
}

export interface CallContext extends CallPlace {
  /** Left out where no model calls. */
  readonly pool?: ToolPool;
  readonly executor: GrantedExecutor;
  /**
   * The same access for the little that is to be put in order behind a stopped call; it ends by itself after `ms`
   * milliseconds. Left out: nothing can be.
   */
  readonly afterStop?: (ms: number) => GrantedExecutor;
  readonly fileStates: FileStates;
  readonly signal: AbortSignal;
  /** Facts about neighbours, for better advice after a failure; never contents. */
  readonly inspect?: Inspector;
  /** Shows questions to the person and waits. */
  askPerson(questions: readonly Question[]): Promise<QuestionAnswers>;
  setTodos(todos: readonly Todo[]): void;
  /** Where the session's next command starts. */
  setCwd(cwd: string): void;
  readonly tasks: SessionTasks;
  /** A file for the whole output of this call; null when none can be made. */
  outputFile(): Promise<string | null>;
  /** Progress for the card; never part of what the model gets. */
  onProgress(text: string): void;
}

/** Thrown or returned by `call` for an expected failure; its text goes to the model and says what to do next. */
export class ToolFailure extends Error {
  override readonly name = 'ToolFailure';
  readonly kind: FailureKind;
  /** What the card shows; absent = the message as text. */
  readonly view: View | undefined;
  /** One line for the card's foot. */
  readonly note: string | undefined;
  /** Images that belong to it; the model gets them beside the error, which is text only. */
  readonly images: readonly Extract<ResultBlock, { readonly type: 'image' }>[];
  constructor(
    kind: FailureKind,
    message: string,
    shown: {
      readonly view?: View;
      readonly note?: string;
      readonly images?: readonly Extract<ResultBlock, { readonly type: 'image' }>[];
    } = {},
  ) {
    super(message);
    this.images = shown.images ?? [];
    this.kind = kind;
    this.view = shown.view;
    this.note = shown.note;
  }
}

/** A tool's input as the Messages API wants it: plain JSON Schema of an object. */
export interface ApiInputSchema {
  type: 'object';
  properties: Record<string, unknown>;
  required?: string[];
  [keyword: string]: unknown;
}

/** One tool. `Input` is the parsed input, `Output` what `call` returns. See spec section 1.1. */
export interface Tool<Input, Output> {
  // identity
  readonly name: string;
  readonly aliases: readonly string[];
  readonly searchHint: string;
  /** Names of other tools whose scoped rules govern this one too: `Edit(src/**)` governs Write. */
  readonly governedBy?: readonly string[];
  readonly isMcp: boolean;
  readonly mcpInfo: { readonly serverName: string; readonly toolName: string } | null;
  /** How rules name it, where `name` had to be shortened for the model. */
  readonly ruleName?: string;
  // what the model sees
  readonly prompt: string;
  /** Strict object, made on first use. */
  inputSchema(): z.ZodType<Input>;
  /** The schema for the API where it does not come from `inputSchema`, as with MCP tools. */
  inputJSONSchema?(): ApiInputSchema;
  outputSchema(): z.ZodType<Output> | null;
  // capability
  isEnabled(): boolean;
  /** Why `isEnabled` says no: a sentence for the Tools page, what is missing and what would help. Empty when enabled. */
  unavailableReason(): string;
  isConcurrencySafe(input: Input): boolean;
  isReadOnly(input: Input): boolean;
  /** Whether some input of it is read-only: such tools stay in the pool of `dontAsk` mode. */
  canBeReadOnly(): boolean;
  isDestructive(input: Input): boolean;
  isOpenWorld(input: Input): boolean;
  requiresUserInteraction(): boolean;
  /** How its ask is put to the person where approving it changes the session's mode: to one of `modes`, as they choose. */
  approval?(): { readonly title: string; readonly modes: readonly PermissionMode[] };
  interruptBehavior(): 'cancel' | 'block';
  isSearchOrReadCommand(input: Input): boolean;
  // loading
  readonly shouldDefer: boolean;
  readonly alwaysLoad: boolean;
  // lifecycle
  validateInput(input: Input, context: ValidationContext): Promise<Validation>;
  /** Pure: what the call will touch. */
  facts(input: Input, place: CallPlace): readonly CallFact[];
  checkPermissions(input: Input, place: CallPlace): OwnPermission;
  /**
   * Input as hooks and rules see it: a shallow clone with derived fields such as absolute paths.
   * The model's own input stays unchanged for the transcript and for `call`.
   */
  observableInput(input: Input, place: CallPlace): Readonly<Record<string, unknown>>;
  call(input: Input, context: CallContext): Promise<Output>;
  /** What the output changes for later calls, where `call` did not say so itself; null: nothing. */
  contextModifier?(output: Output, input: Input): ContextChange | null;
  // result
  readonly maxResultSizeChars: number;
  mapResult(output: Output, input: Input): readonly ResultBlock[];
  /** The file that already holds the output's whole text, and its size; null where the text is only in memory. */
  writtenOutput(output: Output): { readonly file: string; readonly bytes: number } | null;
  // presentation
  readonly icon: CardIcon;
  userFacingName(input: Input): string;
  getToolUseSummary(input: Input, place: CallPlace): string;
  getActivityDescription(input: Input, place: CallPlace): string;
  getPath(input: Input, place: CallPlace): string | null;
  extractSearchText(output: Output): string;
  toAutoClassifierInput(input: Input): string;
  renderUse(input: Input, place: CallPlace): View;
  renderResult(output: Output, input: Input, place: CallPlace): { readonly view: View; readonly note: string };
  renderRejected(input: Input, place: CallPlace, reason: DecisionReason): View;
}

/** A tool as registry and pipeline hold it: its input has passed its own schema before any method sees it. */
export type AnyTool = Tool<unknown, unknown>;
