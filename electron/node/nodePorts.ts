// What the doors of plain Node give to the core: the loopback host and the command line.
import { join } from 'node:path';
import { ApiKey } from '../core/apiKey';
import { environmentKey, type HostSurroundings, hostEnvironment, hostPaths, signInFile } from '../core/hostPaths';
import type { Launch } from '../core/launchOptions';
import { type CorePorts, type Log, threadFiles } from '../core/ports';
import { secretFile } from '../core/secretFile';
import { forkExecutor } from './forkExecutor';
import { programVersion } from './programVersion';
import { optimiseLate, optimiseRarely } from './rareOptimising';
import { revealerFor } from './revealFile';

/** What the process was started with; read once, in a door's main. */
export interface NodeSurroundings extends HostSurroundings {
  /** Folder of the built program, absolute. */
  readonly dist: string;
  readonly runsAsRoot: boolean;
}

/** The ports of a core in this process. `label` names the door for people. */
export function nodePorts(options: {
  readonly label: string;
  readonly surroundings: NodeSurroundings;
  readonly launch: Launch;
  readonly log: Log;
  readonly headless?: NonNullable<CorePorts['headless']>;
}): CorePorts {
  const { label, surroundings, launch, log, headless } = options;
  const { dist, env, platform, runsAsRoot } = surroundings;
  const paths = hostPaths(surroundings);
  const storedKey = paths.privateFiles[0];
  optimiseRarely();
  if (headless !== undefined) optimiseLate();
  const environment = hostEnvironment(env);
  const revealFile = headless === undefined ? revealerFor(platform, environment.variables) : undefined;
  const capabilities = revealFile === undefined ? [] : (['revealFile'] as const);
  return {
    host: { label, version: programVersion(dist), platform, capabilities, runsAsRoot, ...launch },
    paths,
    environment,
    ...(revealFile === undefined ? {} : { revealFile }),
    ...(headless === undefined ? {} : { headless }),
    launchExecutor: () => forkExecutor({ modulePath: join(dist, 'executor.mjs'), env }),
    secrets: new ApiKey(environmentKey(env), storedKey === undefined ? null : secretFile(storedKey)),
    signIns: secretFile(signInFile(paths.data)),
    sqliteBinding: undefined,
    ...threadFiles(dist),
    log,
  };
}
