// The two ends of a contract over a Transport. Everything is validated where it enters.
import { z } from 'zod';
import { CancelSource } from './cancel';
import type { Answer, CallName, CancelSignal, Contract, EventName, EventPayload, Handlers, ParamsIn } from './contract';
import { RpcError } from './errors';
import type { Transport, Unsubscribe } from './transport';
import { ClientMessage, ServerMessage } from './wire';

/** More requests than this in flight from one client answer `overloaded`; a page needs a handful. */
const maxRunningCalls = 1_000;

/** What a schema says of a value; null: the value is nested deeper than the stack holds. */
function fitting<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
): z.ZodSafeParseResult<z.output<Schema>> | null {
  try {
    return schema.safeParse(value);
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** The server's end: announces events; calls arrive at the handlers. */
export interface Served<C extends Contract> {
  emit<N extends EventName<C>>(name: N, payload: EventPayload<C, N>): void;
  close(reason: string): void;
}

/**
 * Answers a contract's calls on a transport until it closes. Errors thrown by a handler reach the caller with
 * their code when they are RpcError, else as `internal` without detail; `onBug` gets the original.
 */
export function serve<C extends Contract, Context>(options: {
  readonly contract: C;
  readonly transport: Transport;
  readonly handlers: Handlers<C, Context>;
  readonly context: Context;
  readonly onBug: (method: string, error: unknown) => void;
  /** What a call has to wait for before its handler runs; null: nothing. */
  readonly ready?: (method: string, params: unknown) => Promise<void> | null;
}): Served<C> {
  const { contract, transport, handlers, context, onBug, ready = () => null } = options;
  const running = new Map<number, CancelSource>();

  async function answer(request: { id: number; method: string; params: unknown }): Promise<unknown> {
    if (!Object.hasOwn(contract.calls, request.method)) {
      throw new RpcError('unknownMethod', `There is no call named ${JSON.stringify(request.method)}.`);
    }
    const method = request.method as CallName<C>;
    const spec = contract.calls[method];
    if (spec === undefined) throw new RpcError('unknownMethod', `There is no call named ${method}.`);
    const params = fitting(spec.params, request.params);
    if (params === null) throw new RpcError('invalid', `${method}: the request is nested too deep.`);
    if (!params.success) throw new RpcError('invalid', `${method}: ${z.prettifyError(params.error)}`);
    if (running.size >= maxRunningCalls) {
      throw new RpcError('overloaded', 'Too many requests at once. Wait for some to finish and try again.');
    }
    const source = new CancelSource();
    running.set(request.id, source);
    try {
      const wait = ready(request.method, params.data);
      if (wait !== null) await wait;
      const handler = handlers[method] as (params: unknown, context: unknown) => unknown;
      const value = await handler(params.data, { ...context, signal: source });
      return spec.answer.parse(value);
    } finally {
      running.delete(request.id);
    }
  }

  async function handleRequest(request: { id: number; method: string; params: unknown }): Promise<void> {
    try {
      transport.send({ type: 'ok', id: request.id, answer: await answer(request) });
    } catch (error) {
      if (!(error instanceof RpcError)) onBug(request.method, error);
      const known =
        error instanceof RpcError
          ? error
          : new RpcError('internal', `${request.method} failed because of a fault in Gatehouse. The log has details.`);
      transport.send({ type: 'err', id: request.id, code: known.code, message: known.message });
    }
  }

  const stopMessages = transport.onMessage((raw) => {
    const message = ClientMessage.safeParse(raw);
    if (!message.success) {
      transport.close('malformed message');
      return;
    }
    if (message.data.type === 'cancel') running.get(message.data.id)?.cancel();
    // Answers could not be told apart, and what runs is counted by its id.
    else if (running.has(message.data.id)) transport.close('malformed message');
    else void handleRequest(message.data);
  });
  const stopClose = transport.onClose(() => {
    stopMessages();
    stopClose();
    for (const source of running.values()) source.cancel();
  });

  return {
    emit: (name, payload) => transport.send({ type: 'evt', name, payload }),
    close: (reason) => transport.close(reason),
  };
}

/** The client's end. */
export interface Connected<C extends Contract> {
  /** Rejects with RpcError: the server's own, `unavailable` when the connection closes, `invalid` for an answer out of contract. */
  call<N extends CallName<C>>(
    method: N,
    params: ParamsIn<C, N>,
    options?: { readonly signal?: CancelSignal },
  ): Promise<Answer<C, N>>;
  on<N extends EventName<C>>(name: N, listener: (payload: EventPayload<C, N>) => void): Unsubscribe;
  onClose(listener: (reason: string) => void): Unsubscribe;
  close(reason: string): void;
}

interface Waiting {
  readonly method: string;
  resolve(answer: unknown): void;
  reject(error: RpcError): void;
}

/**
 * Opens the client's end of a contract on a transport. `sameProgram`: the other end is `serve` in this process, which has
 * checked its answers already, so that nothing is checked a second time.
 */
export function connect<C extends Contract>(
  contract: C,
  transport: Transport,
  { sameProgram = false }: { readonly sameProgram?: boolean } = {},
): Connected<C> {
  const waiting = new Map<number, Waiting>();
  const listeners = new Map<string, Set<(payload: never) => void>>();
  let nextId = 0;
  let closedBecause: string | undefined;

  function settle(message: Extract<ServerMessage, { type: 'ok' | 'err' }>): void {
    const call = waiting.get(message.id);
    if (call === undefined) return;
    waiting.delete(message.id);
    if (message.type === 'err') {
      call.reject(new RpcError(message.code, message.message));
      return;
    }
    if (sameProgram) {
      call.resolve(message.answer);
      return;
    }
    const spec = contract.calls[call.method];
    const answer = spec === undefined ? null : fitting(spec.answer, message.answer);
    if (answer?.success) call.resolve(answer.data);
    else call.reject(new RpcError('invalid', `The answer to ${call.method} does not fit the contract.`));
  }

  function announce(message: Extract<ServerMessage, { type: 'evt' }>): void {
    const heardBy = listeners.get(message.name);
    if (heardBy === undefined || heardBy.size === 0 || !Object.hasOwn(contract.events, message.name)) return;
    const schema = contract.events[message.name];
    if (schema === undefined) return;
    const payload = sameProgram ? { success: true, data: message.payload } : fitting(schema, message.payload);
    if (!payload?.success) return;
    for (const listener of [...heardBy]) listener(payload.data as never);
  }

  transport.onMessage((raw) => {
    const message = sameProgram ? { success: true, data: raw as ServerMessage } : ServerMessage.safeParse(raw);
    if (!message.success || message.data === undefined) transport.close('malformed message');
    else if (message.data.type === 'evt') announce(message.data);
    else settle(message.data);
  });
  transport.onClose((reason) => {
    closedBecause = reason;
    for (const call of waiting.values()) call.reject(new RpcError('unavailable', `The connection closed: ${reason}.`));
    waiting.clear();
  });

  return {
    call(method, params, options) {
      return new Promise((resolve, reject) => {
        if (closedBecause !== undefined) {
          reject(new RpcError('unavailable', `The connection is closed: ${closedBecause}.`));
          return;
        }
        const id = nextId++;
        waiting.set(id, { method, resolve: resolve as (answer: unknown) => void, reject });
        transport.send({ type: 'req', id, method, params });
        options?.signal?.onCancel(() => {
          if (waiting.has(id)) transport.send({ type: 'cancel', id });
        });
      });
    },
    on(name, listener) {
      const set = listeners.get(name) ?? new Set();
      listeners.set(name, set);
      set.add(listener as (payload: never) => void);
      return () => set.delete(listener as (payload: never) => void);
    },
    onClose: (listener) => transport.onClose(listener),
    close: (reason) => transport.close(reason),
  };
}
