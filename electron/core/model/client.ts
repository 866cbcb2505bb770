// What the agent needs of a model, whoever serves it.
import type Anthropic from '@anthropic-ai/sdk';
import type { AssistantBlock, ModelChoice, Usage } from '#shared/session/events';

export interface ModelRequest {
  readonly model: string;
  readonly system: string;
  readonly tools: Anthropic.Messages.Tool[];
  readonly messages: Anthropic.Messages.MessageParam[];
  readonly signal: AbortSignal;
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
  listModels(): Promise<ModelChoice[]>;
}

/** Why a model gave no whole answer. The message is for people: fact, cause, next step. */
export class ModelFailure extends Error {
  override readonly name = 'ModelFailure';
  readonly next: string;
  /** Worth trying again by itself. `retryAfterMs` is the server's own wish. */
  readonly retryable: boolean;
  readonly retryAfterMs: number | null;
  constructor(message: string, about: { next: string; retryable: boolean; retryAfterMs?: number | null }) {
    super(message);
    this.next = about.next;
    this.retryable = about.retryable;
    this.retryAfterMs = about.retryAfterMs ?? null;
  }
}
