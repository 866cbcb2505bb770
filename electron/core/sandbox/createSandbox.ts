// What confines the commands of each session, put together from settings, rules and what the machine offers.
import type { SandboxPolicy } from '#shared/api/executor';
import type { SandboxOrigin, SandboxView } from '#shared/api/sandbox';
import type { SandboxState } from '#shared/session/ask';

export interface Sandbox {
  /** How the session's next command is confined. */
  policy(sessionId: string): SandboxPolicy;
  /** What it really runs in, for people. */
  state(sessionId: string): SandboxState;
  /** All that is in force, with where it comes from. */
  view(sessionId: string): SandboxView;
}

export interface SandboxServices {
  /** What the machine offers, with the session's network switch. */
  state(network: boolean): SandboxState;
  /** Whether the person switched the network on for the session. */
  networkOn(sessionId: string): boolean;
  workingFolders(sessionId: string): readonly string[];
  /** Gatehouse's own places, which no command sees. */
  readonly ownPlaces: readonly string[];
}

/** Makes the sandbox of all sessions. Settings are read anew whenever they are asked for. */
export function createSandbox(services: SandboxServices): Sandbox {
  const session: SandboxOrigin = { kind: 'session' };
  const builtIn: SandboxOrigin = { kind: 'builtIn' };
  const byDefault: SandboxOrigin = { kind: 'default' };
  const state = (sessionId: string) => services.state(services.networkOn(sessionId));
  return {
    policy: (sessionId) => ({
      enabled: state(sessionId).active,
      network: services.networkOn(sessionId) ? 'open' : 'off',
      writable: [...services.workingFolders(sessionId)],
      hidden: [...services.ownPlaces],
    }),
    state,
    view: (sessionId) => ({
      state: state(sessionId),
      enabled: { on: true, from: byDefault },
      failIfUnavailable: { on: false, from: byDefault },
      autoAllow: { on: false, from: byDefault },
      allowOutside: { on: false, from: byDefault },
      network: {
        reach: services.networkOn(sessionId) ? 'open' : 'off',
        problem: '',
        allowed: [],
        denied: [],
        unixSockets: { on: false, from: byDefault },
      },
      writable: services.workingFolders(sessionId).map((text) => ({ text, from: session })),
      readOnly: [],
      hidden: services.ownPlaces.map((text) => ({ text, from: builtIn })),
      readable: [],
      excluded: [],
      limits: {},
      ignored: [],
    }),
  };
}
