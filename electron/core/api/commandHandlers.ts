import type { AppContract } from '#shared/api/app';
import type { commandCalls } from '#shared/api/commands';
import type { Handlers } from '#shared/rpc/contract';
import { RpcError } from '#shared/rpc/errors';
import type { SessionContexts } from '../context/sessionContexts';
import type { SessionService } from '../sessions/service';

type CommandHandlers = Pick<Handlers<AppContract, object>, keyof typeof commandCalls>;

export function commandHandlers(services: {
  readonly sessions: SessionService;
  readonly contexts: Pick<SessionContexts, 'listed'>;
}): CommandHandlers {
  const { sessions, contexts } = services;
  return {
    async 'commands.list'({ sessionId }) {
      if (!sessions.exists(sessionId)) throw new RpcError('notFound', 'This session no longer exists.');
      const { skills, waiting, problems } = await contexts.listed(sessionId);
      const commands = skills
        .filter((skill) => skill.forPerson)
        .map(({ name, kind, source, description, argumentHint, file, allow, deny }) => ({
          name,
          kind,
          source,
          description,
          argumentHint,
          file,
          allows: [...allow],
          denies: [...deny],
        }));
      return { commands, waiting: [...waiting], problems: [...problems] };
    },
  };
}
