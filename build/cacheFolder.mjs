// What is worth keeping outside of the checkout: compiled addons, and that a download did not work.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';

/** Gatehouse's folder for things that can be made again. */
export function cacheFolder({ env = process.env, platform = process.platform, home = homedir() } = {}) {
  if (platform === 'win32') return join(env.LOCALAPPDATA ?? join(home, 'AppData', 'Local'), 'Gatehouse', 'Cache');
  if (platform === 'darwin') return join(home, 'Library', 'Caches', 'Gatehouse');
  const stated = env.XDG_CACHE_HOME;
  return join(stated?.startsWith('/') ? stated : join(home, '.cache'), 'gatehouse');
}

/** A JSON file's value, undefined when there is none that can be read. */
export async function readJson(path) {
  try {
    return JSON.parse(await readFile(path, 'utf8'));
  } catch {
    return undefined;
  }
}

/** Keeps a value for later. A cache that cannot be written only costs time, so that is no error. */
export async function keepJson({ path, value }) {
  try {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, `${JSON.stringify(value, null, 2)}\n`);
  } catch {
    // Nothing to do: the next start finds nothing and does the work again.
  }
}
