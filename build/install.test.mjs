import { describe, expect, it } from 'vitest';
import { cacheFolder } from './cacheFolder.mjs';
import { npmEnvironment, sqliteCacheName, whyInstall } from './install.mjs';
import { packageAdvice } from './systemPackages.mjs';

const lock = {
  packages: {
    '': { version: '0.1.0' },
    'node_modules/a': { version: '1.0.0' },
    'node_modules/a/node_modules/@x/b': { version: '2.0.0' },
    'node_modules/a-darwin': { version: '1.0.0', optional: true },
  },
};

describe('whyInstall', () => {
  const a = { version: '1.0.0' };
  const b = { version: '2.0.0' };
  it.each([
    ['nothing installed', undefined, 'nothing is installed yet'],
    ['all there, but for another system', { 'node_modules/a': a, 'node_modules/a/node_modules/@x/b': b }, null],
    ['one missing', { 'node_modules/a': a }, '@x/b is missing'],
    [
      'another version',
      { 'node_modules/a': { version: '0.9.0' }, 'node_modules/a/node_modules/@x/b': b },
      'a is 0.9.0, the lock file says 1.0.0',
    ],
    [
      'optional of another version',
      { 'node_modules/a': a, 'node_modules/a/node_modules/@x/b': b, 'node_modules/a-darwin': b },
      'a-darwin is 2.0.0, the lock file says 1.0.0',
    ],
  ])('%s', (_name, packages, expected) => {
    expect(whyInstall({ lock, installed: packages && { packages } })).toBe(expected);
  });
});

it('names a kept addon by all that it depends on', () => {
  const base = { version: '12.11.1', modules: '115', platform: 'linux', arch: 'x64', libc: 'glibc' };
  expect(sqliteCacheName(base)).toBe('better-sqlite3-12.11.1-abi115-linux-x64-glibc.node');
  expect(sqliteCacheName({ ...base, platform: 'darwin', arch: 'arm64' })).toBe(
    'better-sqlite3-12.11.1-abi115-darwin-arm64.node',
  );
});

describe('npmEnvironment', () => {
  const headers = (path) => path === '/opt/node/include/node/node.h';
  it.each([
    ['headers beside Node', { A: '1' }, headers, { A: '1', npm_config_nodedir: '/opt/node' }],
    ['no headers', { A: '1' }, () => false, { A: '1' }],
    ['stated by the person', { npm_config_nodedir: '/mine' }, headers, { npm_config_nodedir: '/mine' }],
  ])('%s', (_name, env, exists, expected) => {
    expect(npmEnvironment({ env, execPath: '/opt/node/bin/node', exists })).toEqual(expected);
  });
});

describe('cacheFolder', () => {
  it.each([
    [{ platform: 'linux', env: {} }, '/h/.cache/gatehouse'],
    [{ platform: 'linux', env: { XDG_CACHE_HOME: '/c' } }, '/c/gatehouse'],
    [{ platform: 'linux', env: { XDG_CACHE_HOME: 'relative' } }, '/h/.cache/gatehouse'],
    [{ platform: 'darwin', env: { XDG_CACHE_HOME: '/c' } }, '/h/Library/Caches/Gatehouse'],
  ])('%j', (where, expected) => {
    expect(cacheFolder({ ...where, home: '/h' })).toBe(expected);
  });
});

describe('packageAdvice', () => {
  const missing = ['chromium', 'bubblewrap'];
  it.each([
    [
      'nothing missing',
      { missing: [], isRoot: true, hasApt: true, platform: 'linux' },
      { install: false, message: '' },
    ],
    [
      'root on Debian',
      { missing, isRoot: true, hasApt: true, platform: 'linux' },
      { install: true, message: 'Installing Debian packages: chromium bubblewrap' },
    ],
    [
      'a user on Debian',
      { missing, isRoot: false, hasApt: true, platform: 'linux' },
      { install: false, message: 'Missing: chromium bubblewrap. Run: sudo apt-get install -y chromium bubblewrap' },
    ],
    [
      'another Linux',
      { missing, isRoot: true, hasApt: false, platform: 'linux' },
      { install: false, message: "Missing: chromium bubblewrap. Install them with the system's package manager." },
    ],
  ])('%s', (_name, situation, expected) => {
    expect(packageAdvice(situation)).toEqual(expected);
  });
});
