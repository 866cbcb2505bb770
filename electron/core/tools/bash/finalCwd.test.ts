import { describe, expect, it } from 'vitest';
import type { Inspector } from '../tool';
import { carryCwd, resetCwd } from './finalCwd';

/** Paths that exist as folders, with where they really lie. */
const world: Readonly<Record<string, string>> = {
  '/': '/',
  '/srv/app': '/srv/app',
  '/srv/app/src': '/srv/app/src',
  '/srv/application': '/srv/application',
  '/home/ada/link': '/data/real',
  '/data/real': '/data/real',
  '/data/real/sub': '/data/real/sub',
  '/etc': '/etc',
};

const inspect: Pick<Inspector, 'stat'> = {
  stat: async (path) => {
    const realPath = world[path];
    return {
      kind: 'stat',
      exists: realPath !== undefined,
      type: path === '/etc/passwd' ? 'file' : realPath === undefined ? 'none' : 'folder',
      size: 0,
      mtimeMs: 0,
      isLink: false,
      realPath: realPath ?? path,
      hash: '',
    };
  },
};

async function carry(
  reported: string | null,
  how: { readonly folder?: string; readonly cwd?: string; readonly more?: readonly string[] } = {},
) {
  const { folder = '/srv/app', cwd = folder, more = [] } = how;
  const set: string[] = [];
  const context = {
    folder,
    cwd,
    inspect: { ...inspect, preview: () => Promise.reject(new Error('no preview')) },
    setCwd: (path: string) => set.push(path),
  };
  const line = await carryCwd({ reported, folders: [folder, ...more], context });
  return [set, line];
}

const reset = 'Shell cwd was reset to /srv/app';

describe('the folder of the next command', () => {
  it.each<[string, Parameters<typeof carry>, unknown[]]>([
    ['unchanged', ['/srv/app'], [[], null]],
    ['below', ['/srv/app/src'], [['/srv/app/src'], null]],
    ['back up', ['/srv/app', { cwd: '/srv/app/src' }], [['/srv/app'], null]],
    ['not told', [null], [[], null]],
    ['outside', ['/etc'], [[], reset]],
    ['outside from below', ['/etc', { cwd: '/srv/app/src' }], [['/srv/app'], reset]],
    ['a name that only begins alike', ['/srv/application'], [[], reset]],
    ['the root', ['/'], [[], reset]],
    ['in another working folder', ['/data/real/sub', { more: ['/data/real'] }], [['/data/real/sub'], null]],
    ['spelled as people spell it', ['/data/real/sub', { folder: '/home/ada/link' }], [['/home/ada/link/sub'], null]],
    ['unchanged behind a link', ['/data/real', { folder: '/home/ada/link' }], [[], null]],
    ['everything is a working folder', ['/etc', { folder: '/' }], [['/etc'], null]],
    ['gone', ['/srv/app/gone'], [[], null]],
    ['a file', ['/etc/passwd'], [[], null]],
    ['not absolute', ['srv/app/src'], [[], null]],
    ['a link that is passed off as real', ['/home/ada/link', { more: ['/home/ada'] }], [[], null]],
    ['a working folder that is gone', ['/data/real', { more: ['/data/gone', '/data/real'] }], [['/data/real'], null]],
  ])('%s', async (_, args, expected) => {
    expect(await carry(...args)).toEqual(expected);
  });

  it('is left alone where it is the session folder already', () => {
    const set: string[] = [];
    const context = { folder: '/srv/app', cwd: '/srv/app', setCwd: (path: string) => set.push(path) };
    expect([resetCwd(context), set]).toEqual([reset, []]);
  });
});
