// What the agent needs of a model, whoever serves it.
import type Anthropic from '@anthropic-ai/sdk';
import type { AssistantBlock, ModelChoice, Usage } from '#shared/session/events';

export interface ModelRequest {
  readonly model: string;
  readonly system: string;
  /** Definitions in their fixed order; empty = the request carries no tools at all. */
  readonly tools: Anthropic.Messages.Tool[];
  /** Tools that the server runs itself; they stand behind the others. Only the first-party API knows them. */
  readonly serverTools?: readonly Anthropic.Messages.WebSearchTool20250305[];
  /**
   * Name of the tool that ends what stays the same while MCP servers come and go: the prompt cache's first breakpoint. Left
   * out: the last tool that is loaded.
   */
  readonly lastStable?: string;
  readonly messages: Anthropic.Messages.MessageParam[];
  /** Output tokens that the answer may have; left out: the usual limit. */
  readonly maxTokens?: number;
  /** Name of one of the tools: the answer must be one call of it. */
  readonly mustCall?: string;
  readonly signal: AbortSignal;
}

/** A model as the server lists it. Tokens are null where the server does not say. */
export interface ListedModel {
  readonly choice: ModelChoice;
  /** Most tokens that a request may have. */
  readonly contextTokens: number | null;
}

/** A finished block. `cutOff`: the tool's input did not arrive whole; such a call must never run. */
export type FinishedBlock =
  | { readonly block: AssistantBlock; readonly cutOff: false }
  | { readonly block: Extract<AssistantBlock, { type: 'tool_use' }>; readonly cutOff: true };

/** What streams from a model, in order. A block event follows the last delta of its index. */
export type ModelEvent =
  | { readonly type: 'delta'; readonly index: number; readonly kind: 'text' | 'thinking'; readonly text: string }
  | ({ readonly type: 'block'; readonly index: number } & FinishedBlock)
  | { readonly type: 'finished'; readonly stopReason: string; readonly usage: Usage };

export interface ModelClient {
  readonly scripted: boolean;
  /** Throws ModelFailure; ends early without `finished` only by throwing. */
  stream(request: ModelRequest): AsyncIterable<ModelEvent>;
  /** Throws ModelFailure. */
  listModels(): Promise<ListedModel[]>;
  /**
   * Whether its server brings deferred tools to this model by itself: `defer_loading` in definitions, `tool_reference` in
   * results. Left out: no.
   */
  bringsTools?(model: string): boolean;
  /** Input tokens of a request as the server counts them. Throws ModelFailure. Left out: it cannot count. */
  countTokens?(request: Pick<ModelRequest, 'model' | 'system' | 'tools' | 'messages' | 'signal'>): Promise<number>;
}

/** Kinds of failure, in the words that StopFailure hooks match. */
export type ModelFailureKind =
  | 'rate_limit'
  | 'authentication_failed'
  | 'billing_error'
  | 'invalid_request'
  | 'context_exceeded'
  | 'server_error'
  | 'unknown';

/** Why a model gave no whole answer. The message is for people: fact, cause, next step. */
export class ModelFailure extends Error {
  override readonly name = 'ModelFailure';
  readonly next: string;
  /** Worth trying again by itself. `retryAfterMs` is the server's own wish. */
  readonly retryable: boolean;
  readonly retryAfterMs: number | null;
  /** A server that cannot be reached at all seldom comes back by itself, so people hear of it sooner. Null: as usual. */
  readonly mostAttempts: number | null;
  /** `context_exceeded`: the request is longer than the model or the server takes. */
  readonly kind: ModelFailureKind;
  constructor(
    message: string,
    about: {
      readonly next: string;
      readonly retryable: boolean;
      readonly retryAfterMs?: number | null;
      readonly mostAttempts?: number;
      readonly kind?: ModelFailureKind;
    },
  ) {
    super(message);
    this.next = about.next;
    this.retryable = about.retryable;
    this.retryAfterMs = about.retryAfterMs ?? null;
    this.mostAttempts = about.mostAttempts ?? null;
    this.kind = about.kind ?? 'unknown';
  }
}
