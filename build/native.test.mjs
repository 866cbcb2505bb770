import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { electronVersion, findElectron } from './electronBinary.mjs';
import { electronBuildEnvironment, hasElectronSqlite } from './native.mjs';

let root = '';
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'gatehouse-native-'));
  await mkdir(join(root, 'node_modules/electron/dist'), { recursive: true });
  await mkdir(join(root, 'node_modules/better-sqlite3'));
  await mkdir(join(root, 'cache'));
  await writeFile(join(root, 'node_modules/electron/package.json'), '{"version":"45.5.0"}');
  await writeFile(join(root, 'node_modules/electron/abi_version'), '150\n');
  await writeFile(join(root, 'node_modules/better-sqlite3/package.json'), '{"version":"12.11.1"}');
});
afterEach(async () => rm(root, { recursive: true }));

describe('findElectron', () => {
  it('is undefined until the program is there', async () => {
    expect(findElectron({ root, env: {} })).toBeUndefined();
    await writeFile(join(root, 'node_modules/electron/path.txt'), 'electron');
    expect(findElectron({ root, env: {} })).toBeUndefined();
    await writeFile(join(root, 'node_modules/electron/dist/electron'), '');
    expect(findElectron({ root, env: {} })).toBe(join(root, 'node_modules/electron/dist/electron'));
  });

  it('may lie in another place', async () => {
    const env = { ELECTRON_OVERRIDE_DIST_PATH: join(root, 'elsewhere') };
    expect(findElectron({ root, env })).toBeUndefined();
    await mkdir(join(root, 'elsewhere'));
    await writeFile(join(root, 'elsewhere/electron'), '');
    expect(findElectron({ root, env })).toBe(join(root, 'elsewhere/electron'));
  });
});

it('reads what native modules must fit from the package', () => {
  expect(electronVersion(root)).toEqual({ version: '45.5.0', modules: '150' });
});

it('knows a kept SQLite by package, Electron and system', async () => {
  const cache = join(root, 'cache');
  await writeFile(join(cache, `better-sqlite3-12.11.1-electron-abi149-${process.platform}-${process.arch}.node`), '');
  expect(hasElectronSqlite({ root, cache })).toBe(false);
  await writeFile(join(cache, `better-sqlite3-12.11.1-electron-abi150-${process.platform}-${process.arch}.node`), '');
  expect(hasElectronSqlite({ root, cache })).toBe(true);
});

it('builds for Electron without what npm says about Node', () => {
  expect(
    electronBuildEnvironment({
      PATH: '/bin',
      npm_config_nodedir: '/usr',
      NPM_CONFIG_TARGET: '20',
      npm_config_cache: '/c',
    }),
  ).toEqual({ PATH: '/bin', npm_config_cache: '/c' });
});
