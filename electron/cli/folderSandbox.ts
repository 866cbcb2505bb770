// What confines commands in a folder, for verbs that look at it without a workspace.
import type { SandboxProbe } from '../core/executor/supervisor';
import { hostEnvironment } from '../core/hostPaths';
import type { PermissionEngine } from '../core/permissions/engine';
import { createSandbox, type Sandbox } from '../core/sandbox/createSandbox';
import type { CliHost } from './host';

/** The sandbox of a folder as settings make it, on a machine that offers what `probe` says. */
export function sandboxOf(
  engine: PermissionEngine,
  { host, folder, probe }: { readonly host: CliHost; readonly folder: string; readonly probe: SandboxProbe },
): Sandbox {
  return createSandbox({
    machine: (network) => ({ active: probe.available, kind: probe.kind, reason: probe.reason, network }),
    noListed: () => probe.noListed,
    sessions: { exists: () => true, state: () => ({ folder, cwd: folder, network: false }) },
    engine,
    paths: host.paths,
    variables: hostEnvironment(host.surroundings.env).variables,
  });
}
