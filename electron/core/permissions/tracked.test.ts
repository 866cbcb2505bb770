import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isTracked } from './tracked';

let root: string;
beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'tracked-')));
});
afterEach(() => rm(root, { recursive: true, force: true }));

async function put(path: string, content: string | Buffer): Promise<void> {
  await mkdir(dirname(join(root, path)), { recursive: true });
  await writeFile(join(root, path), content);
}

type Version = 2 | 3 | 4;

/** An index as git's own documentation describes it. */
function indexOf(
  names: readonly string[],
  given: { version?: Version; hashBytes?: number; link?: string } = {},
): Buffer {
  const { version = 2, hashBytes = 20, link } = given;
  let before = '';
  const entries = names.map((name) => {
    const bytes = Buffer.from(name, 'utf8');
    const fixed = Buffer.alloc(40 + hashBytes + 2, 7);
    const extended = version === 3;
    fixed.writeUInt16BE(Math.min(bytes.length, 0xfff) | (extended ? 0x4000 : 0), 40 + hashBytes);
    const head = Buffer.concat([fixed, Buffer.alloc(extended ? 2 : 0)]);
    if (version !== 4) {
      const length = head.length + bytes.length;
      return Buffer.concat([head, bytes, Buffer.alloc(8 - (length % 8))]);
    }
    const shared = [...name].findIndex((character, at) => character !== before[at]);
    const common = shared === -1 ? Math.min(name.length, before.length) : shared;
    const cut = before.length - common;
    before = name;
    // One byte holds up to 127; two bytes the rest, one less in the first, as git counts.
    const varint = cut < 128 ? [cut] : [(((cut >> 7) - 1) & 0x7f) | 0x80, cut & 0x7f];
    return Buffer.concat([head, Buffer.from(varint), Buffer.from(`${name.slice(common)}\0`)]);
  });
  const header = Buffer.alloc(12);
  header.write('DIRC');
  header.writeUInt32BE(version, 4);
  header.writeUInt32BE(names.length, 8);
  const extension = Buffer.from(link === undefined ? '' : `link\0\0\0\u0014`, 'latin1');
  const linked = Buffer.from(link ?? '', 'hex');
  return Buffer.concat([header, ...entries, extension, linked, Buffer.alloc(hashBytes)]);
}

const local = '.claude/settings.local.json';
const tracked = (path = local, ignoreCase = false) => isTracked(join(root, path), { ignoreCase });

/** Made by git itself: the local file, a.txt and sub/b.txt. */
const madeByGit: readonly (readonly [string, string])[] = [
  [
    'version 2',
    'RElSQwAAAAIAAAADawy/+BwSz4FrDL/4HBLPgQAA/gAAIsTjAACBpAAAAAAAAAAAAAAAAtAEkf1+W7b6KMUXoLsyuLUGU51NABsuY2xhdWRlL3NldHRpbmdzLmxvY2FsLmpzb24AAAAAAAAAawy/+BwSz4FrDL/4HBLPgQAA/gAAIsTkAACBpAAAAAAAAAAAAAAAAgz78IiG/KmpHLdT7Ic0yE/L5SyfAAVhLnR4dAAAAAAAawy/+BwSz4FrDL/4HBLPgQAA/gAAIsTlAACBpAAAAAAAAAAAAAAAAgB1DtwH1kFdzAeuA1HpOXsCIre6AAlzdWIvYi50eHQAcuZeWAY7IFJLmsgE6KllTnfRDXg=',
  ],
  [
    'version 3, with a file that is only announced',
    'RElSQwAAAAMAAAAEawy/+BwSz4FrDL/4HBLPgQAA/gAAIsTjAACBpAAAAAAAAAAAAAAAAtAEkf1+W7b6KMUXoLsyuLUGU51NABsuY2xhdWRlL3NldHRpbmdzLmxvY2FsLmpzb24AAAAAAAAAawy/+BwSz4FrDL/4HBLPgQAA/gAAIsTkAACBpAAAAAAAAAAAAAAAAgz78IiG/KmpHLdT7Ic0yE/L5SyfAAVhLnR4dAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAACBpAAAAAAAAAAAAAAAAOad4puy0dZDS4sprnda2MLkjFORQAUgAG4udHh0AAAAawy/+BwSz4FrDL/4HBLPgQAA/gAAIsTlAACBpAAAAAAAAAAAAAAAAgB1DtwH1kFdzAeuA1HpOXsCIre6AAlzdWIvYi50eHQAOVRxn/FsBmD1/leuC9eoWBJ3yss=',
  ],
  [
    'version 4',
    'RElSQwAAAAQAAAADawy/+BwSz4FrDL/4HBLPgQAA/gAAIsTjAACBpAAAAAAAAAAAAAAAAtAEkf1+W7b6KMUXoLsyuLUGU51NABsALmNsYXVkZS9zZXR0aW5ncy5sb2NhbC5qc29uAGsMv/gcEs+Bawy/+BwSz4EAAP4AACLE5AAAgaQAAAAAAAAAAAAAAAIM+/CIhvypqRy3U+yHNMhPy+UsnwAFG2EudHh0AGsMv/gcEs+Bawy/+BwSz4EAAP4AACLE5QAAgaQAAAAAAAAAAAAAAAIAdQ7cB9ZBXcwHrgNR6Tl7AiK3ugAJBXN1Yi9iLnR4dAC+VSzp9+GFQZxDfDlpLblUkbefdg==',
  ],
];

describe('an index made by git', () => {
  it.each(madeByGit)('%s', async (_name, base64) => {
    await put('.git/index', Buffer.from(base64, 'base64'));
    expect([local, 'a.txt', 'sub/b.txt', 'b.txt', 'settings.local.json', 'c.txt'].map((path) => tracked(path))).toEqual(
      [true, true, true, false, false, false],
    );
  });

  it('with long hashes', async () => {
    const index =
      'RElSQwAAAAIAAAABawy/+DsMVHtrDL/4OwxUewAA/gAAIsUNAACBpAAAAAAAAAAAAAAAArMjW+1+ONx9ZHfDH85hjXfLofENchPJolDXd7mLVONuABsuY2xhdWRlL3NldHRpbmdzLmxvY2FsLmpzb24AAABhAWnmSxc5FZSg47jojCT6OVv66V1klahdaX3/Uwqa2g==';
    await put('.git/index', Buffer.from(index, 'base64'));
    expect([tracked(), tracked('a.txt')]).toEqual([true, false]);
  });
});

describe('an index written here', () => {
  const long = `${'d/'.repeat(150)}x`;
  it.each<[string, readonly string[], Parameters<typeof indexOf>[1], boolean]>([
    ['the file alone', [local], {}, true],
    ['another file', ['a'], {}, false],
    ['a file of that name elsewhere', [`sub/${local}`], {}, false],
    ['nothing', [], {}, false],
    ['version 3', ['a', local], { version: 3 }, true],
    ['version 4 behind a long name', [long, local], { version: 4 }, true],
    ['long hashes', ['a', local, 'z'], { hashBytes: 32 }, true],
    ['long hashes without it', ['a', 'z'], { hashBytes: 32 }, false],
  ])('%s', async (_name, names, options, expected) => {
    await put('.git/index', indexOf(names, options));
    expect(tracked()).toBe(expected);
  });

  it('reads the other half of a split index', async () => {
    const hash = 'ab'.repeat(20);
    await put('.git/index', indexOf(['a'], { link: hash }));
    await put(`.git/sharedindex.${hash}`, indexOf([local]));
    expect([tracked(), tracked('a'), tracked('b')]).toEqual([true, true, false]);
  });

  it('counts as tracking what it cannot be read for', async () => {
    await put('.git/index', 'DIRC this is not an index at all, but long enough to look at');
    expect(tracked()).toBe(true);
  });

  it('notices when it changes', async () => {
    await put('.git/index', indexOf(['a']));
    expect(tracked()).toBe(false);
    await put('.git/index', indexOf(['a', local]));
    expect(tracked()).toBe(true);
  });

  it('ignores case only where the disk does', async () => {
    await put('.git/index', indexOf(['.Claude/Settings.Local.json']));
    expect([tracked(local, false), tracked(local, true)]).toEqual([false, true]);
  });
});

describe('where there is no index', () => {
  it('nothing is tracked outside git', () => expect(tracked()).toBe(false));
  it('nothing is tracked before the first file was added', async () => {
    await mkdir(join(root, '.git'));
    expect(tracked()).toBe(false);
  });
  it('a linked worktree has its own', async () => {
    await put('main/.git/worktrees/w/index', indexOf(['x.txt']));
    await put('w/.git', `gitdir: ${join(root, 'main/.git/worktrees/w')}\n`);
    expect([tracked('w/x.txt'), tracked('w/y.txt')]).toEqual([true, false]);
  });
});
