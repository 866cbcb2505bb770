import type { AppContract } from '#shared/api/app';
import type { SandboxView, sandboxCalls } from '#shared/api/sandbox';
import type { Handlers } from '#shared/rpc/contract';
import { RpcError } from '#shared/rpc/errors';
import type { PermissionEngine } from '../permissions/engine';
import type { SessionService } from '../sessions/service';

type SandboxHandlers = Pick<Handlers<AppContract, object>, keyof typeof sandboxCalls>;

/** What confines the commands of a session. */
export function sandboxHandlers(services: {
  readonly sessions: Pick<SessionService, 'exists' | 'state'>;
  readonly engine: Pick<PermissionEngine, 'openSession'>;
  readonly sandbox: { view(sessionId: string): SandboxView };
}): SandboxHandlers {
  const { sessions, engine, sandbox } = services;
  return {
    async 'sandbox.view'({ sessionId }) {
      if (!sessions.exists(sessionId)) throw new RpcError('notFound', 'This session no longer exists.');
      await engine.openSession(sessionId, sessions.state(sessionId).folder);
      return sandbox.view(sessionId);
    },
  };
}
