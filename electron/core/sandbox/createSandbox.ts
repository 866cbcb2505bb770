// What confines the commands of each session, put together from settings, rules and what the machine offers.
import type { SandboxPolicy } from '#shared/api/executor';
import type { SandboxEntry, SandboxView } from '#shared/api/sandbox';
import type { SandboxState } from '#shared/session/ask';
import type { PermissionEngine } from '../permissions/engine';
import { type CommandPattern, compileCommand } from '../permissions/matchCommand';
import { isInside } from '../permissions/paths';
import type { CommandSandbox } from '../permissions/sandboxed';
import type { CorePorts } from '../ports';
import { worktreeAt } from '../worktrees/worktrees';
import { diskView } from './diskView';
import { type DiskView, planSandbox, type SandboxPlan } from './plan';
import { placeOf, readSandboxSettings, type SandboxSettings } from './sandboxSettings';

/** The lists by which hosts are judged, and the proxies of the person's own. */
export type SandboxDomains = SandboxSettings['network'];

export interface Sandbox {
  /** How the session's next command is confined. */
  policy(sessionId: string): SandboxPolicy;
  /** What it really runs in, for people. */
  state(sessionId: string): SandboxState;
  /** All that is in force, with where it comes from. */
  view(sessionId: string): SandboxView;
  domains(sessionId: string): SandboxDomains;
  /** Of variables for a command in the sandbox those that no setting keeps from it. */
  withoutDenied(sessionId: string, variables: Readonly<Record<string, string>>): Readonly<Record<string, string>>;
  /** What a decision about a command of the session has to know. */
  forDecision(sessionId: string): CommandSandbox;
}

export interface SandboxServices {
  /** What the machine offers, with the session's network switch. */
  machine(network: boolean): SandboxState;
  /** Why commands cannot be let to listed hosts alone here; empty when they can. */
  noListed(): string;
  readonly sessions: {
    exists(sessionId: string): boolean;
    state(sessionId: string): { readonly folder: string; readonly cwd: string; readonly network: boolean };
  };
  readonly engine: Pick<PermissionEngine, 'settings' | 'inForce' | 'workingFolders'>;
  readonly paths: Pick<CorePorts['paths'], 'data' | 'home' | 'claudeConfig' | 'privateFiles'>;
  readonly variables: Readonly<Record<string, string>>;
  /** The disk; left out: the real one. */
  readonly disk?: DiskView;
  /** Milliseconds; left out: the system's clock. */
  readonly now?: () => number;
}

/**
 * For this long a plan counts although files may have come into being that its patterns stand for: milliseconds, or so many
 * times what it took to make it.
 */
const planMs = 2_000;
const planTimes = 30;

interface Kept {
  readonly key: string;
  /** Until when it counts. */
  readonly until: number;
  readonly plan: SandboxPlan;
}

/** Makes the sandbox of all sessions. A change of settings or rules counts from the next command on. */
export function createSandbox(services: SandboxServices): Sandbox {
  const { sessions, engine, paths, variables, disk = diskView, now = () => performance.now() } = services;
  const ownPlaces = [paths.data, ...paths.privateFiles.filter((file) => !isInside(file, paths.data))];
  const plans = new Map<string, Kept>();
  const read = new Map<string, { readonly version: number; readonly settings: SandboxSettings }>();
  const patterns = new WeakMap<readonly SandboxEntry[], CommandSandbox['excluded']>();

  function settingsOf(sessionId: string): SandboxSettings & { readonly version: number; readonly files: string[] } {
    const { folder } = sessions.state(sessionId);
    const { version, files } = engine.settings({ sessionId, folder });
    const known = read.get(sessionId);
    const settings = known?.version === version ? known.settings : readSandboxSettings({ files, folder });
    read.set(sessionId, { version, settings });
    return { ...settings, version, files: files.flatMap(({ path }) => (path === null ? [] : [path])) };
  }

  function planOf(sessionId: string): SandboxPlan {
    const { folder, cwd } = sessions.state(sessionId);
    const settings = settingsOf(sessionId);
    const workingFolders = [...new Set([folder, ...engine.workingFolders(sessionId)])];
    const worktree = worktreeAt(folder, cwd)?.path ?? null;
    const key = JSON.stringify([settings.version, cwd, workingFolders]);
    const known = plans.get(sessionId);
    if (known?.key === key && now() < known.until) return known.plan;
    const startedAt = now();
    const plan = planSandbox({
      settings,
      rules: engine.inForce(sessionId),
      anchors: { home: paths.home, claudeConfig: paths.claudeConfig, folder, folders: [cwd, ...workingFolders] },
      workingFolders,
      worktree,
      ownPlaces,
      settingsFiles: settings.files,
      variables,
      disk,
    });
    forgetEnded();
    const endedAt = now();
    plans.set(sessionId, { key, until: endedAt + Math.max(planMs, planTimes * (endedAt - startedAt)), plan });
    return plan;
  }

  function forgetEnded(): void {
    for (const kept of [plans, read])
      for (const sessionId of kept.keys()) if (!sessions.exists(sessionId)) kept.delete(sessionId);
  }

  function state(sessionId: string): SandboxState {
    const { network } = sessions.state(sessionId);
    const machine = services.machine(network);
    const { enabled } = settingsOf(sessionId);
    if (enabled.on) return machine;
    const reason = `sandbox.enabled is false in ${placeOf(enabled.from)}. Take it out there to confine commands again.`;
    return { ...machine, active: false, kind: 'none', reason };
  }

  function reachOf(sessionId: string): SandboxPolicy['network'] {
    if (sessions.state(sessionId).network && !settingsOf(sessionId).network.managedOnly) return 'open';
    return services.noListed() === '' ? 'listed' : 'off';
  }

  return {
    state,
    domains: (sessionId) => settingsOf(sessionId).network,
    withoutDenied(sessionId, given) {
      const { deniedVariables } = settingsOf(sessionId);
      return Object.fromEntries(Object.entries(given).filter(([name]) => !deniedVariables.includes(name)));
    },

    policy(sessionId) {
      const settings = settingsOf(sessionId);
      const plan = planOf(sessionId);
      const texts = (entries: readonly SandboxEntry[]) => entries.map(({ text }) => text);
      const readOnly = texts(plan.readOnly).filter((path) => !/\/\.git\/(?:hooks|config)$/.test(path));
      const writable = [...texts(plan.writable), ...plan.worktrees];
      return {
        enabled: state(sessionId).active,
        network: reachOf(sessionId),
        networkName: sessionId,
        ...ownProxyOf(settings.network),
        writable: writable.filter((path) => !isRedundant(path, writable, readOnly)),
        readOnly,
        hidden: texts(plan.hidden),
        readable: texts(plan.readable),
        limits: settings.limits,
        unixSockets: settings.network.unixSockets.on,
      };
    },

    view(sessionId) {
      const settings = settingsOf(sessionId);
      const { worktrees: _worktrees, ...plan } = planOf(sessionId);
      const { enabled, failIfUnavailable, autoAllow, allowOutside, excluded, limits, network } = settings;
      return {
        state: state(sessionId),
        ...{ enabled, failIfUnavailable, autoAllow, allowOutside, limits },
        excluded: [...excluded],
        network: {
          reach: shownReach(reachOf(sessionId), network.strict.on || network.managedOnly),
          problem: services.noListed(),
          allowed: [...network.allowed],
          denied: [...network.denied],
          unixSockets: network.unixSockets,
        },
        ...plan,
      };
    },

    forDecision(sessionId) {
      const settings = settingsOf(sessionId);
      const { active, reason } = state(sessionId);
      const { excluded, autoAllow, allowOutside } = settings;
      const compiled = patterns.get(excluded) ?? excluded.map(compiledPattern);
      patterns.set(excluded, compiled);
      return {
        active,
        refusal: refusalOf(settings, { active, reason }),
        autoAllow: autoAllow.on,
        allowOutside: allowOutside.on,
        excluded: compiled,
      };
    },
  };
}

/** Where both are named, the one for HTTP: it can say why it refuses. */
function ownProxyOf({ httpProxyPort, socksProxyPort }: SandboxDomains): Pick<SandboxPolicy, 'ownProxy'> {
  if (httpProxyPort !== null) return { ownProxy: { kind: 'http', port: httpProxyPort } };
  return socksProxyPort === null ? {} : { ownProxy: { kind: 'socks', port: socksProxyPort } };
}

function shownReach(reach: SandboxPolicy['network'], strict: boolean): SandboxView['network']['reach'] {
  return reach === 'listed' && !strict ? 'asks' : reach;
}

/** Why no command may run, with the remedy; empty when they may. */
function refusalOf(
  { problem, enabled, failIfUnavailable }: SandboxSettings,
  { active, reason }: { readonly active: boolean; readonly reason: string },
): string {
  if (problem !== '') return problem;
  if (active || !enabled.on || !failIfUnavailable.on) return '';
  return `sandbox.failIfUnavailable lets no command run without a sandbox (${placeOf(failIfUnavailable.from)}), and there is none here: ${reason}`;
}

/** In a rule's form, with or without the tool's name around it. */
function compiledPattern({ text, from }: SandboxEntry): CommandSandbox['excluded'][number] {
  const content = /^Bash\(([\s\S]*)\)$/.exec(text)?.[1] ?? text;
  const pattern: CommandPattern = compileCommand(content);
  return { text, where: placeOf(from), pattern };
}

/** Whether a place is writable already, because it lies in one that is, with nothing read-only between them. */
function isRedundant(path: string, writable: readonly string[], readOnly: readonly string[]): boolean {
  return writable.some(
    (other) =>
      other !== path &&
      isInside(path, other) &&
      !readOnly.some((between) => isInside(path, between) && isInside(between, other)),
  );
}
