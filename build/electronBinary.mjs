// Electron's program: where it is, and one try to fetch it. npm does not bring it; it comes from GitHub.
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { run } from './command.mjs';
import { root as checkout } from './entries.mjs';

/** A network that says nothing for this long is given up. */
const quietLimit = 10_000;

const packageFolder = (root) => join(root, 'node_modules/electron');

/** Electron's version by its package, and the number that native modules must fit. */
export function electronVersion(root = checkout) {
  const { version } = JSON.parse(readFileSync(join(packageFolder(root), 'package.json'), 'utf8'));
  return { version, modules: readFileSync(join(packageFolder(root), 'abi_version'), 'utf8').trim() };
}

/** Path of Electron's program, undefined when it is not there. ELECTRON_OVERRIDE_DIST_PATH names another place. */
export function findElectron({ root = checkout, env = process.env } = {}) {
  const folder = packageFolder(root);
  const pathFile = join(folder, 'path.txt');
  const name = existsSync(pathFile) ? readFileSync(pathFile, 'utf8').trim() : undefined;
  const elsewhere = env.ELECTRON_OVERRIDE_DIST_PATH;
  if (elsewhere) {
    const path = join(elsewhere, name ?? 'electron');
    return existsSync(path) ? path : undefined;
  }
  const path = name === undefined ? undefined : join(folder, 'dist', name);
  return path !== undefined && existsSync(path) ? path : undefined;
}

/**
 * Runs a download that is given up after `limit` milliseconds without progress. `download({signal, onProgress})`
 * resolves when it is done. Resolves to null, or to the reason of the failure.
 */
export async function downloadWithPatience({ download, limit = quietLimit, show }) {
  const control = new AbortController();
  const quiet = `the network did not answer for ${limit / 1000} seconds`;
  let timer;
  const stopped = new Promise((_resolve, reject) => {
    control.signal.addEventListener('abort', () => reject(new Error(quiet)));
  });
  const restart = () => {
    clearTimeout(timer);
    timer = setTimeout(() => control.abort(), limit);
  };
  restart();
  try {
    const onProgress = ({ transferred, total }) => {
      restart();
      show({ transferred, total });
    };
    await Promise.race([download({ signal: control.signal, onProgress }), stopped]);
    return null;
  } catch (error) {
    const cause = error.cause?.code ?? error.cause?.message;
    return cause === undefined ? error.message : `${error.message}: ${cause}`;
  } finally {
    clearTimeout(timer);
  }
}

/** A line on the terminal that shows how far it is; in a file one line for each quarter. */
export function progressLine({ stream, label }) {
  let quarter = -1;
  return ({ transferred, total }) => {
    const megabytes = (bytes) => `${(bytes / 1_000_000).toFixed(0)} MB`;
    const text = `${label} ${megabytes(transferred)}${total ? ` of ${megabytes(total)}` : ''}`;
    if (stream.isTTY) stream.write(`\r${text}${transferred === total ? '\n' : ''}`);
    else if (total && Math.floor((transferred / total) * 4) > quarter) {
      quarter = Math.floor((transferred / total) * 4);
      stream.write(`${text}\n`);
    }
  };
}

/** Fetches and unpacks Electron's program. Resolves to null, or to why that did not work. */
export async function fetchElectron({ root = checkout, limit = quietLimit, show } = {}) {
  const require = createRequire(join(packageFolder(root), 'package.json'));
  const { version } = electronVersion(root);
  let downloader;
  try {
    downloader = await import(pathToFileURL(require.resolve('@electron/get')).href);
  } catch (error) {
    return `its downloader does not run on Node ${process.versions.node} (${error.message})`;
  }
  const download = ({ signal, onProgress }) =>
    downloader.downloadArtifact({
      version,
      artifactName: 'electron',
      checksums: require('./checksums.json'),
      downloadOptions: { quiet: true, signal, getProgressCallback: async (progress) => onProgress(progress) },
    });
  const failure = await downloadWithPatience({ download, limit, show });
  if (failure !== null) return failure;
  // It is in the downloader's own cache now: the package's script only unpacks.
  const unpacked = await run({
    command: process.execPath,
    args: [join(packageFolder(root), 'install.js')],
    capture: true,
    timeout: 120_000,
  });
  if (unpacked.code === 0) return null;
  return `it could not be unpacked (${unpacked.output.trim().split('\n')[0]})`;
}
