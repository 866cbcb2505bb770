import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { app, safeStorage, shell } from 'electron';
import { ApiKey } from '../core/apiKey';
import { environmentKey, type HostSurroundings, hostEnvironment, hostPaths, signInFile } from '../core/hostPaths';
import type { Launch } from '../core/launchOptions';
import { type CorePorts, type Log, threadFiles } from '../core/ports';
import { sealedFile } from '../core/sealedFile';
import { secretFile } from '../core/secretFile';
import { openExternal, pickFolder } from './desktopPort';
import { findKeychain } from './keychain';
import { utilityExecutor } from './utilityExecutor';

/** What the process was started with; read once, in main. */
export interface Surroundings extends HostSurroundings {
  /** Folder of the built program. */
  readonly dist: string;
  /** Words of the command line after the program's name. */
  readonly words: readonly string[];
  /** The folder that it was started in. */
  readonly cwd: string;
  readonly runsAsRoot: boolean;
  readonly writeError: (text: string) => void;
}

/** What this host gives to the core. The keychain answers only after the app is ready. */
export function desktopPorts(options: {
  readonly surroundings: Surroundings;
  readonly launch: Launch;
  readonly log: Log;
}): CorePorts {
  const { surroundings, launch, log } = options;
  const { dist, env, platform, runsAsRoot } = surroundings;
  const paths = hostPaths(surroundings);
  const encrypted = join(paths.data, 'key.encrypted');
  const keychain = findKeychain(safeStorage, platform);
  const plain = secretFile(join(paths.data, 'secrets.json'));
  return {
    host: {
      label: 'Gatehouse desktop',
      version: app.getVersion(),
      platform,
      capabilities: ['pickFolder', 'openExternal', 'revealFile', ...(keychain === null ? [] : (['keychain'] as const))],
      runsAsRoot,
      ...launch,
    },
    paths: { ...paths, privateFiles: [...paths.privateFiles, encrypted] },
    environment: hostEnvironment(env),
    launchExecutor: () => utilityExecutor({ modulePath: join(dist, 'executor.mjs'), env }),
    secrets: new ApiKey(
      environmentKey(env),
      keychain === null
        ? { ...plain, protection: `This system has no keychain that Gatehouse can use. ${plain.protection}` }
        : sealedFile(encrypted, keychain),
    ),
    signIns: keychain === null ? secretFile(signInFile(paths.data)) : sealedFile(signInFile(paths.data), keychain),
    sqliteBinding: [join(dist, 'native', 'better_sqlite3.node')].find((file) => existsSync(file)),
    ...threadFiles(dist),
    desktop: { pickFolder, openExternal },
    revealFile: async (file) => shell.showItemInFolder(file),
    log,
  };
}
