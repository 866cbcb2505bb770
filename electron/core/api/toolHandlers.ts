import type { AppContract } from '#shared/api/app';
import type { toolCalls } from '#shared/api/tools';
import type { Handlers } from '#shared/rpc/contract';
import { RpcError } from '#shared/rpc/errors';
import { type ModelClient, ModelFailure } from '../model/client';
import type { CountedTotals } from '../tools/countedTotals';
import type { ToolRegistry } from '../tools/registry';
import { estimatedTotals, figuresOf, firstRequests, toolViews } from '../tools/toolViews';
import type { Connection } from './connection';
import type { ApiServices } from './services';

type ToolHandlers = Pick<Handlers<AppContract, { readonly connection: Connection }>, keyof typeof toolCalls>;

/** How long the page waits for a server's count before it gets estimates, in milliseconds. */
const countMs = 4_000;

type Services = Pick<ApiServices, 'sessions' | 'engine' | 'agent'> & {
  readonly models: Pick<ApiServices['models'], 'clientFor'>;
  readonly opened: { readonly claims: Pick<ApiServices['opened']['claims'], 'heldElsewhere'> };
};

export function toolHandlers(
  services: Services,
  about: { registry(sessionId: string): ToolRegistry; readonly counted: CountedTotals },
): ToolHandlers {
  const { sessions, engine, agent, models, opened } = services;

  /** Rules must be in force before anything of a session is told or run. */
  async function ready(sessionId: string): Promise<string> {
    if (!sessions.exists(sessionId)) throw new RpcError('notFound', 'This session no longer exists.');
    await engine.openSession(sessionId, sessions.state(sessionId).folder);
    return sessionId;
  }

  /** The session's model, or null where there is no key for it. */
  function clientOf(sessionId: string): ModelClient | null {
    try {
      return models.clientFor(sessions.state(sessionId).model);
    } catch (error) {
      if (error instanceof ModelFailure) return null;
      throw error;
    }
  }

  return {
    async 'tools.list'({ sessionId }) {
      const registry = about.registry(await ready(sessionId));
      const client = clientOf(sessionId);
      const { id: model } = sessions.state(sessionId).model;
      const requests = firstRequests(registry);
      const signal = AbortSignal.timeout(countMs);
      const counted = client === null ? null : await about.counted.of(requests, { client, model, signal });
      return {
        tools: toolViews({
          registry,
          found: sessions.conversation(sessionId).found(),
          rules: engine.inForce(sessionId),
        }),
        figures: figuresOf(registry, {
          totals: counted ?? estimatedTotals(requests),
          bringsTools: client?.bringsTools?.(model) === true,
        }),
      };
    },
    async 'tools.run'({ sessionId, name, input }) {
      await ready(sessionId);
      if (opened.claims.heldElsewhere(sessionId))
        throw new RpcError(
          'conflict',
          'Another Gatehouse is working in this session right now. Wait until it is done.',
        );
      return { callId: agent.runCall(sessionId, { name, input }) };
    },
  };
}
