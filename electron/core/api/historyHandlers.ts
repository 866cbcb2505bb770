import type { AppContract } from '#shared/api/app';
import type { HistoryScope, historyCalls } from '#shared/api/history';
import type { CancelSignal, Handlers } from '#shared/rpc/contract';
import { RpcError } from '#shared/rpc/errors';
import type { History } from '../history/createHistory';
import type { Connection } from './connection';

type HistoryHandlers = Pick<Handlers<AppContract, { readonly connection: Connection }>, keyof typeof historyCalls>;

interface Context {
  readonly connection: Connection;
  readonly signal: CancelSignal;
}

/** Questions of which a page wants only the newest answer: each keystroke in a draft asks anew. */
type Superseded = 'replay' | 'usage' | 'reach' | 'suggest' | 'calls';

const endings = { csv: 'csv', json: 'json', markdown: 'md' } as const;

interface Services {
  readonly sessions: { exists(sessionId: string): boolean; state(sessionId: string): { readonly folder: string } };
  readonly engine: { openSession(sessionId: string, folder: string): Promise<void> };
}

export function historyHandlers({ sessions, engine }: Services, history: History): HistoryHandlers {
  const running = new WeakMap<Connection, Map<Superseded, AbortController>>();

  /** A signal that fires when the page gives up, or asks the same anew. */
  function signalOf({ connection, signal }: Context, kind: Superseded | null): AbortSignal {
    connection.followsHistory = true;
    const stop = new AbortController();
    signal.onCancel(() => stop.abort());
    if (kind === null) return stop.signal;
    const own = running.get(connection) ?? new Map<Superseded, AbortController>();
    own.get(kind)?.abort();
    own.set(kind, stop);
    running.set(connection, own);
    return stop.signal;
  }

  /** The session's rules must be known before anything is decided by them. */
  async function ready({ sessionId }: HistoryScope): Promise<void> {
    if (!sessions.exists(sessionId)) throw new RpcError('notFound', 'This session no longer exists.');
    await engine.openSession(sessionId, sessions.state(sessionId).folder);
  }

  return {
    'history.state': (_params, context) => history.state(signalOf(context, null)),
    'history.pause': ({ paused }, context) => history.pause(paused, signalOf(context, null)),
    async 'history.calls'(question, context) {
      const signal = signalOf(context, 'calls');
      await ready(question.scope);
      return await history.calls(question, signal);
    },
    async 'history.usage'(question, context) {
      const signal = signalOf(context, 'usage');
      await ready(question.scope);
      return { usage: [...(await history.usage(question, signal))] };
    },
    async 'history.replay'(question, context) {
      const signal = signalOf(context, 'replay');
      await ready(question.scope);
      return await history.replay(question, signal);
    },
    async 'history.exportReplay'(question, context) {
      const signal = signalOf(context, null);
      await ready(question.scope);
      return { name: `replay.${endings[question.format]}`, text: await history.exported(question, signal) };
    },
    async 'history.explain'(question, context) {
      const signal = signalOf(context, null);
      await ready(question.scope);
      return await history.explain(question, signal);
    },
    async 'history.reach'(question, context) {
      const signal = signalOf(context, 'reach');
      await ready(question.scope);
      return await history.reach(question, signal);
    },
    async 'history.suggest'(question, context) {
      const signal = signalOf(context, 'suggest');
      await ready(question.scope);
      const { suggestions, asked } = await history.suggest(question, signal);
      return { suggestions: [...suggestions], asked };
    },
  };
}
