// Connects the tools that run code or ask language servers with the rest of the core.
import { programsInPath } from '../executor/programsInPath';
import type { ExecutorSupervisor } from '../executor/supervisor';
import type { CorePorts } from '../ports';
import type { PreferenceStore } from '../preferences';
import type { SessionService } from '../sessions/service';
import type { LanguageOptions } from './lsp/languages';
import type { PowerShellOptions } from './powerShell/powerShell';
import type { ReplOptions } from './repl/repl';

export interface CodeOptions {
  readonly repl: ReplOptions;
  readonly powerShell: PowerShellOptions;
  readonly languages: LanguageOptions;
}

const editing: ReadonlySet<string> = new Set(['Edit', 'MultiEdit', 'NotebookEdit', 'Write']);

/** What those tools need; programs are looked for in the PATH that the host was started with. */
export function connectCode(options: {
  readonly ports: Pick<CorePorts, 'host' | 'environment' | 'desktop'>;
  readonly preferences: PreferenceStore;
  readonly supervisor: Pick<ExecutorSupervisor, 'sandbox'>;
  readonly sessions: Pick<SessionService, 'state'>;
  readonly workingFolders: (sessionId: string) => readonly string[];
}): CodeOptions {
  const { ports, preferences, supervisor, sessions, workingFolders } = options;
  const { platform } = ports.host;
  const isInPath = programsInPath({ path: ports.environment.variables.PATH, platform });
  return {
    repl: {
      // The desktop's own program is no node; elsewhere the one that runs is.
      whyNot: () =>
        ports.desktop === undefined || isInPath('node')
          ? ''
          : 'No node was found in PATH. Install Node.js 20.19 or newer and start Gatehouse again.',
    },
    powerShell: { platform },
    languages: {
      preferences: () => preferences.get().lspServers,
      isInPath,
      confined: () => supervisor.sandbox.available,
      workingFolders,
      recentlyEdited: (sessionId) => recentlyEdited(sessions.state(sessionId).calls),
    },
  };
}

/** Absolute paths of files that calls changed, those changed last first. */
export function recentlyEdited(calls: ReturnType<SessionService['state']>['calls']): readonly string[] {
  const changed = Object.values(calls).flatMap((call) => {
    const { path } = call.presentation;
    return call.status === 'succeeded' && editing.has(call.name) && path !== undefined
      ? [{ path, at: call.endedAt }]
      : [];
  });
  changed.sort((a, b) => b.at - a.at);
  return [...new Set(changed.map(({ path }) => path))];
}
