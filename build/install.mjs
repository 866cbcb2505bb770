// Brings node_modules up to date with the lock file. `node build/install.mjs` does it by hand.
// better-sqlite3 compiles for a minute where its prebuilt file cannot be had; the result is kept in the cache folder.
import { copyFileSync, existsSync, mkdirSync, renameSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { cacheFolder, readJson } from './cacheFolder.mjs';
import { npmCommand, run } from './command.mjs';
import { root as checkout } from './entries.mjs';
import { provide } from './systemPackages.mjs';

const sqliteAddon = 'node_modules/better-sqlite3/build/Release/better_sqlite3.node';

/**
 * Whether the installed tree differs from the lock: null when it does not, else the reason.
 * `lock` and `installed` are package-lock.json and node_modules/.package-lock.json.
 */
export function whyInstall({ lock, installed }) {
  if (installed === undefined) return 'nothing is installed yet';
  for (const [path, wanted] of Object.entries(lock.packages)) {
    if (path === '' || wanted.link) continue;
    const present = installed.packages[path];
    // Optional packages of other systems are in the lock and not in the tree.
    if (present === undefined && (wanted.optional || wanted.devOptional || wanted.peer)) continue;
    const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
    if (present === undefined) return `${name} is missing`;
    if (present.version !== wanted.version)
      return `${name} is ${present.version}, the lock file says ${wanted.version}`;
  }
  return null;
}

/** File name of a compiled better-sqlite3: everything that a V8 addon depends on. */
export function sqliteCacheName({ version, modules, platform, arch, libc }) {
  return `better-sqlite3-${version}-abi${modules}-${platform}-${arch}${platform === 'linux' ? `-${libc}` : ''}.node`;
}

function libcName() {
  return process.report?.getReport?.().header?.glibcVersionRuntime ? 'glibc' : 'musl';
}

/** Null when both addons load in a fresh process, else the error. */
async function whyAddonsFail(root) {
  const script = "const D = require('better-sqlite3'); new D(':memory:').close(); require('node-pty');";
  const result = await run({ command: process.execPath, args: ['-e', script], cwd: root, capture: true });
  return result.code === 0 ? null : (result.output.match(/Error: .*/)?.[0] ?? result.output.trim());
}

/** Environment for npm: node-gyp takes Node's headers from beside Node where they are, instead of downloading them. */
export function npmEnvironment({ env, execPath, exists }) {
  const prefix = resolve(dirname(execPath), '..');
  if (env.npm_config_nodedir || !exists(join(prefix, 'include/node/node.h'))) return env;
  return { ...env, npm_config_nodedir: prefix };
}

function keep({ from, to }) {
  try {
    mkdirSync(dirname(to), { recursive: true });
    copyFileSync(from, `${to}.${process.pid}`);
    renameSync(`${to}.${process.pid}`, to);
  } catch {
    // Without a cache the next install compiles again.
  }
}

/** Installs what is missing. Resolves to null, or to a message that says what is wrong and what to do. */
export async function install({ root = checkout, cache = cacheFolder(), log = console.log } = {}) {
  const lock = await readJson(join(root, 'package-lock.json'));
  if (lock === undefined)
    return 'package-lock.json cannot be read: the checkout is not complete. Restore it with `git checkout package-lock.json`.';
  const installed = await readJson(join(root, 'node_modules/.package-lock.json'));
  const reason = whyInstall({ lock, installed }) ?? (await whyAddonsFail(root));
  if (reason === null) return null;
  log(`Installing packages (${reason}) …`);

  const cached = join(
    cache,
    sqliteCacheName({
      version: lock.packages['node_modules/better-sqlite3'].version,
      modules: process.versions.modules,
      platform: process.platform,
      arch: process.arch,
      libc: libcName(),
    }),
  );
  // node-pty is always compiled on Linux.
  const tools =
    process.platform === 'linux' ? await provide({ purposes: ['compiler'], log }) : { missing: [], message: '' };
  if (tools.missing.length > 0) return `The native modules need a compiler. ${tools.message}`;

  const env = npmEnvironment({ env: process.env, execPath: process.execPath, exists: existsSync });
  const npm = (args, capture = false) => {
    const { command, args: first } = npmCommand();
    return run({ command, args: [...first, ...args], cwd: root, env, capture });
  };

  if (existsSync(cached)) {
    const result = await npm(['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']);
    if (result.code === 0) {
      keep({ from: cached, to: join(root, sqliteAddon) });
      await npm(['rebuild', 'node-pty'], true);
      const trouble = await whyAddonsFail(root);
      if (trouble === null) return null;
      log(`The kept better-sqlite3 does not work (${trouble}): installing in full.`);
    }
  } else log('better-sqlite3 may have to be compiled, which takes about a minute, once.');
  const result = await npm(['ci', '--no-audit', '--no-fund', '--loglevel=error']);
  if (result.code !== 0)
    return 'npm ci failed; its message is above. Without a network nothing can be installed; else run `npm ci` by hand and try again.';
  const trouble = await whyAddonsFail(root);
  if (trouble !== null)
    return `The native modules do not load: ${trouble}\nRun \`npm rebuild better-sqlite3 node-pty\` and read its output.`;
  keep({ from: join(root, sqliteAddon), to: cached });
  return null;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const problem = await install();
  if (problem !== null) {
    console.error(problem);
    process.exitCode = 1;
  }
}
