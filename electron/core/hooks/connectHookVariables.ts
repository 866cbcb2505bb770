// What hooks have set for a session's commands, read anew for each, with a word to people about lines that do not count.
import type { CorePorts } from '../ports';
import type { SessionService } from '../sessions/service';
import { hookEnvFile, readHookVariables } from './hookVariables';

/** Of the host's variables, those that every command has and that a value may refer to. */
const ofCommands = ['HOME', 'LANG', 'LOGNAME', 'PATH', 'SHELL', 'TZ', 'USER'];

export function connectHookVariables(services: {
  readonly ports: Pick<CorePorts, 'paths'> & { readonly environment: Pick<CorePorts['environment'], 'variables'> };
  readonly sessions: Pick<SessionService, 'append' | 'exists'>;
}): (sessionId: string) => Promise<Readonly<Record<string, string>>> {
  const { ports, sessions } = services;
  const known = Object.fromEntries(
    Object.entries(ports.environment.variables).filter(([name]) => ofCommands.includes(name)),
  );
  const told = new Map<string, string>();
  return async (sessionId) => {
    const file = hookEnvFile(ports.paths.data, sessionId);
    const { variables, problems } = await readHookVariables(file, known);
    const text = problems.join(' ');
    if (text !== '' && told.get(sessionId) !== text && sessions.exists(sessionId)) {
      told.set(sessionId, text);
      sessions.append(sessionId, {
        type: 'notice',
        level: 'warning',
        text: `Not all variables that hooks set for commands count: ${text}`,
        next: 'Let the hook write lines of the form export NAME=value to $CLAUDE_ENV_FILE; they are read, not run.',
      });
    }
    return variables;
  };
}
