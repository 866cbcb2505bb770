import type { z } from 'zod';

/** One call: what goes in and what comes out, as zod schemas that serve as types and as validators. */
export interface CallSpec<Params extends z.ZodType = z.ZodType, Answer extends z.ZodType = z.ZodType> {
  readonly params: Params;
  readonly answer: Answer;
}

/** All that may cross one boundary: calls from client to server, events from server to client. */
export interface Contract {
  readonly calls: Readonly<Record<string, CallSpec>>;
  readonly events: Readonly<Record<string, z.ZodType>>;
}

/** Declares one call. */
export function call<Params extends z.ZodType, Answer extends z.ZodType>(
  params: Params,
  answer: Answer,
): CallSpec<Params, Answer> {
  return { params, answer };
}

/** Tells a running call that nobody wants its answer any more. */
export interface CancelSignal {
  readonly cancelled: boolean;
  /** Runs `listener` once on cancellation, at once if it has already happened. */
  onCancel(listener: () => void): () => void;
}

export type CallName<C extends Contract> = keyof C['calls'] & string;
export type EventName<C extends Contract> = keyof C['events'] & string;
/** What a caller passes (before defaults). */
export type ParamsIn<C extends Contract, N extends CallName<C>> = z.input<C['calls'][N]['params']>;
/** What a handler receives (after defaults). */
export type Params<C extends Contract, N extends CallName<C>> = z.output<C['calls'][N]['params']>;
export type Answer<C extends Contract, N extends CallName<C>> = z.output<C['calls'][N]['answer']>;
export type EventPayload<C extends Contract, N extends EventName<C>> = z.output<C['events'][N]>;

/** One handler per call; leaving one out does not compile. */
export type Handlers<C extends Contract, Context> = {
  readonly [N in CallName<C>]: (
    params: Params<C, N>,
    context: Context & { readonly signal: CancelSignal },
  ) => Promise<Answer<C, N>> | Answer<C, N>;
};
