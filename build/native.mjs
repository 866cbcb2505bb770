// better-sqlite3 for Electron. The one in node_modules fits Node (tests, loopback host); this one is built in a folder
// of its own, so that neither replaces the other.
import { copyFileSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { cacheFolder } from './cacheFolder.mjs';
import { run } from './command.mjs';
import { electronVersion } from './electronBinary.mjs';
import { root as checkout, electronSqlite } from './entries.mjs';

/** Compiling takes about a minute; fetching what somebody compiled takes seconds. */
const compileLimit = 300_000;
const fetchLimit = 30_000;

/** Environment without the settings that make node-gyp use Node's headers where Electron's were asked for. */
export function electronBuildEnvironment(env) {
  return Object.fromEntries(
    Object.entries(env).filter(([name]) => !/^npm_config_(nodedir|runtime|target|disturl)$/i.test(name)),
  );
}

async function makeAddon({ folder, root, version, log }) {
  const env = electronBuildEnvironment(process.env);
  const addon = join(folder, 'build/Release/better_sqlite3.node');
  const fetched = await run({
    command: process.execPath,
    args: [
      join(root, 'node_modules/prebuild-install/bin.js'),
      '--runtime=electron',
      `--target=${version}`,
      `--arch=${process.arch}`,
    ],
    cwd: folder,
    env,
    capture: true,
    timeout: fetchLimit,
  });
  if (fetched.code === 0 && existsSync(addon)) return { addon };
  log('Compiling better-sqlite3 for Electron, which takes about a minute, once.');
  const compiled = await run({
    command: process.execPath,
    args: [
      join(root, 'node_modules/node-gyp/bin/node-gyp.js'),
      'rebuild',
      '--release',
      `--target=${version}`,
      '--dist-url=https://electronjs.org/headers',
    ],
    cwd: folder,
    env,
    capture: true,
    timeout: compileLimit,
  });
  if (compiled.code === 0 && existsSync(addon)) return { addon };
  const cause =
    /getaddrinfo \S+ \S+|connect \S+ \S+|gyp ERR! stack (?:Error: )?.*/.exec(compiled.output)?.[0] ??
    `it took more than ${compileLimit / 60_000} minutes`;
  return { problem: `better-sqlite3 could not be built for Electron ${version} (${cause})` };
}

function keptFile({ root, cache }) {
  const { modules } = electronVersion(root);
  const { version } = JSON.parse(readFileSync(join(root, 'node_modules/better-sqlite3/package.json'), 'utf8'));
  return join(cache, `better-sqlite3-${version}-electron-abi${modules}-${process.platform}-${process.arch}.node`);
}

/** Whether better-sqlite3 for Electron was made before, so that no network is needed. */
export function hasElectronSqlite({ root = checkout, cache = cacheFolder() } = {}) {
  return existsSync(keptFile({ root, cache }));
}

/** Puts better-sqlite3 for Electron into dist. Resolves to null, or to why that is not possible. */
export async function provideElectronSqlite({ root = checkout, cache = cacheFolder(), log = console.log } = {}) {
  const source = join(root, 'node_modules/better-sqlite3');
  const kept = keptFile({ root, cache });
  try {
    if (!existsSync(kept)) {
      mkdirSync(cache, { recursive: true });
      const folder = mkdtempSync(join(cache, 'build-'));
      try {
        cpSync(source, folder, { recursive: true, filter: (path) => path !== join(source, 'build') });
        const { addon, problem } = await makeAddon({ folder, root, version: electronVersion(root).version, log });
        if (problem !== undefined) return problem;
        renameSync(addon, kept);
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    }
    mkdirSync(dirname(electronSqlite), { recursive: true });
    copyFileSync(kept, electronSqlite);
    return null;
  } catch (error) {
    return `better-sqlite3 for Electron could not be kept (${error.message})`;
  }
}
