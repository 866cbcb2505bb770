import type { AppContract } from '#shared/api/app';
import type { permissionCalls } from '#shared/api/permissions';
import type { Handlers } from '#shared/rpc/contract';
import { RpcError } from '#shared/rpc/errors';
import type { Connection } from './connection';
import type { ApiServices } from './services';

type PermissionHandlers = Pick<
  Handlers<AppContract, { readonly connection: Connection }>,
  keyof typeof permissionCalls
>;

export function permissionHandlers({ engine, sessions }: ApiServices): PermissionHandlers {
  async function opened(sessionId: string): Promise<string> {
    if (!sessions.exists(sessionId)) throw new RpcError('notFound', 'This session no longer exists.');
    await engine.openSession(sessionId, sessions.state(sessionId).folder);
    return sessionId;
  }
  return {
    async 'permissions.rules'({ sessionId }) {
      return engine.view(await opened(sessionId));
    },
    async 'permissions.previewRule'({ sessionId, rule, behavior, source }) {
      const change = { behavior, rules: [rule], destination: source };
      const { problems, file, addedLines } = await engine.previewAdded(await opened(sessionId), change);
      return { problems: [...problems], file, addedLines: [...addedLines] };
    },
    async 'permissions.addRule'({ sessionId, rule, behavior, source }) {
      const [added] = await engine.applyUpdates(await opened(sessionId), [
        { type: 'addRules', behavior, rules: [rule], destination: source },
      ]);
      if (typeof added?.problem === 'string') throw new RpcError('refused', `Nothing was saved. ${added.problem}`);
      return {};
    },
    async 'permissions.removeRule'({ sessionId, rule }) {
      const removed = await engine.removeRule(await opened(sessionId), rule);
      if (!removed.ok) throw new RpcError('conflict', removed.error);
      return {};
    },
    async 'permissions.trust'({ sessionId, trusted }) {
      engine.setTrust(await opened(sessionId), trusted);
      return {};
    },
    async 'permissions.liftDenial'({ sessionId, pattern }) {
      if (!engine.liftDenial(await opened(sessionId), pattern))
        throw new RpcError('conflict', 'This is not denied without asking any more.');
      return {};
    },
  };
}
