// `npm start`: from a fresh clone to the running workspace. Installs and builds what is missing, chooses the host and
// says why, and lives as long as the host does.
import { spawn } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { cacheFolder, keepJson, readJson } from './cacheFolder.mjs';
import { run } from './command.mjs';
import { electronVersion, fetchElectron, findElectron, progressLine } from './electronBinary.mjs';
import { buildStamp, dist, root } from './entries.mjs';
import { install } from './install.mjs';
import { hasElectronSqlite, provideElectronSqlite } from './native.mjs';
import { browserCommand, chooseHost, rememberedFailure, shouldOpenBrowser, whyNoWindow } from './start/chooseHost.mjs';
import { parseOptions, usage } from './start/options.mjs';
import { endLike, runHost } from './start/runHost.mjs';
import { whyBuild } from './start/staleBuild.mjs';

const { env, platform } = process;

function fail({ message, code }) {
  console.error(message);
  process.exit(code);
}

/** Linux forbids user namespaces in two ways, by distribution. */
function userNamespaces() {
  const read = (path) => {
    try {
      return readFileSync(path, 'utf8').trim();
    } catch {
      return undefined;
    }
  };
  return (
    read('/proc/sys/kernel/unprivileged_userns_clone') !== '0' &&
    read('/proc/sys/kernel/apparmor_restrict_unprivileged_userns') !== '1'
  );
}

/**
 * Null when Electron and an SQLite that fits it are there, fetching them when they are not; else the reason. A failure
 * is remembered, so that the next starts do not wait for a network again.
 */
async function whyNoElectron({ insist }) {
  if (findElectron() !== undefined && hasElectronSqlite()) return provideElectronSqlite();
  const { version } = electronVersion();
  const note = join(cacheFolder(), 'electron-not-fetched.json');
  const earlier = rememberedFailure({ remembered: await readJson(note), version, now: Date.now() });
  if (earlier !== null && !insist) return earlier;
  const reason = await obtainElectron(version);
  if (reason !== null) await keepJson({ path: note, value: { version, at: new Date().toISOString(), reason } });
  return reason;
}

async function obtainElectron(version) {
  if (findElectron() === undefined) {
    console.log(`Fetching Electron ${version} …`);
    const reason = await fetchElectron({ show: progressLine({ stream: process.stdout, label: 'Electron' }) });
    if (reason !== null) return `Electron could not be fetched: ${reason}`;
  }
  return provideElectronSqlite();
}

async function build() {
  const reason = whyBuild({ root, stamp: buildStamp });
  if (reason === null) return;
  console.log(`Building (${reason}) …`);
  const { code } = await run({ command: process.execPath, args: [join(root, 'build/bundle.mjs')], cwd: root });
  if (code !== 0) fail({ message: 'The build failed; the reason is above.', code: 1 });
}

function openBrowser(url) {
  const { command, args } = browserCommand({ platform, url });
  const child = spawn(command, args, { stdio: 'ignore', detached: true });
  child.on('error', () => console.log(`No browser could be opened (${command} is missing): open the address by hand.`));
  child.unref();
}

// npm changes to the checkout before it runs this; INIT_CWD is where the person stands.
const standing = env.INIT_CWD ?? process.cwd();
const options = parseOptions({
  args: process.argv.slice(2),
  isFolder: (path) => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false,
  toAbsolute: (path) => resolve(standing, path),
});
if (options.error !== undefined) fail({ message: `${options.error}\n\n${usage}`, code: 2 });
if (options.help) {
  console.log(usage);
  process.exit(0);
}

const trouble = await install();
if (trouble !== null) fail({ message: trouble, code: 1 });

const isRoot = process.getuid?.() === 0;
const noWindow = whyNoWindow({ platform, env, isRoot, userNamespaces: userNamespaces() });
const wantsDesktop = options.host !== 'loopback' && noWindow === null;
const noElectron = wantsDesktop ? await whyNoElectron({ insist: options.host === 'desktop' }) : null;
const choice = chooseHost({ requested: options.host, noWindow, noElectron });
if (choice.error !== undefined) fail({ message: choice.error, code: 1 });
await build();

console.log(`Starting the ${choice.host === 'desktop' ? 'desktop app' : 'loopback host'}: ${choice.why}.`);
const shared = [
  ...(options.folder === undefined ? [] : ['--folder', options.folder]),
  ...(options.allowBypass ? ['--allow-bypass'] : []),
  ...options.forHost,
];
const followParent = env.npm_lifecycle_event === 'start';
if (choice.host === 'desktop') {
  const { ELECTRON_RUN_AS_NODE: _unused, ...desktopEnv } = env;
  endLike(
    await runHost({ command: findElectron(), args: [root, ...shared], cwd: root, env: desktopEnv, followParent }),
  );
} else {
  const port = options.port === undefined ? [] : ['--port', String(options.port)];
  const open = shouldOpenBrowser({ open: options.open, platform, env });
  endLike(
    await runHost({
      command: process.execPath,
      args: [join(dist, 'server.mjs'), ...port, ...shared],
      cwd: root,
      env,
      onReady: (url) => open && openBrowser(url),
      followParent,
    }),
  );
}
