// Whether git tracks a file: read from the repository's index, since no program is started here.
import { statSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { readRegularFile } from '../regularFile';
import { signatureOf } from './ruleFile';

interface Index {
  readonly file: string;
  /** The file's path in the index, with `/`. */
  readonly name: string;
}

/** Bytes of an entry before its name, by length of the object hash. */
const fixedBytes = (hashBytes: number): number => 40 + hashBytes + 2;

function gitFolder(root: string): string | null {
  const dotGit = join(root, '.git');
  try {
    const found = statSync(dotGit, { throwIfNoEntry: false });
    if (found === undefined) return null;
    if (found.isDirectory()) return dotGit;
    const pointer = /^gitdir:\s*(.+?)\s*$/m.exec(readRegularFile(dotGit).toString())?.[1];
    return pointer === undefined ? null : resolve(root, pointer);
  } catch {
    return null;
  }
}

function indexOf(path: string): Index | null {
  for (let at = dirname(path); ; at = dirname(at)) {
    const git = gitFolder(at);
    if (git !== null) return { file: join(git, 'index'), name: relative(at, path).split(sep).join('/') };
    if (at === dirname(at)) return null;
  }
}

/** The names that an index lists. Throws RangeError where the bytes are no index of this kind. */
function* entryNames(index: Buffer, hashBytes: number): Generator<string, number> {
  const version = index.readUInt32BE(4);
  if (index.toString('latin1', 0, 4) !== 'DIRC' || version < 2 || version > 4) throw new RangeError('no git index');
  const fixed = fixedBytes(hashBytes);
  let at = 12;
  let previous = '';
  for (let count = index.readUInt32BE(8); count > 0; count -= 1) {
    const flags = index.readUInt16BE(at + fixed - 2);
    let start = at + fixed + (version >= 3 && (flags & 0x4000) !== 0 ? 2 : 0);
    let kept = '';
    if (version === 4) {
      // How many characters of the name before are not taken over, in git's own variable-length form.
      let byte = index.readUInt8(start++);
      let cut = byte & 0x7f;
      while ((byte & 0x80) !== 0) {
        byte = index.readUInt8(start++);
        cut = ((cut + 1) << 7) | (byte & 0x7f);
      }
      if (cut > previous.length) throw new RangeError('no git index');
      kept = previous.slice(0, previous.length - cut);
    }
    const end = index.indexOf(0, start);
    if (end === -1) throw new RangeError('no git index');
    const name = kept + index.toString('latin1', start, end);
    // The length stands in the flags, unless it does not fit. Only the right kind of hash brings both together.
    if ((flags & 0xfff) !== Math.min(name.length, 0xfff)) throw new RangeError('no git index');
    yield name;
    previous = name;
    at = version === 4 ? end + 1 : at + (Math.floor((end - at) / 8) + 1) * 8;
  }
  return at;
}

/** Of a split index: name of the file with its other entries; null when it is not split. `at` is where entries end. */
function sharedName(index: Buffer, at: number, hashBytes: number): string | null {
  for (let next = at; next + 8 + hashBytes <= index.length; next += 8 + index.readUInt32BE(next + 4))
    if (index.toString('latin1', next, next + 4) === 'link')
      return `sharedindex.${index.toString('hex', next + 8, next + 8 + hashBytes)}`;
  return null;
}

function listed(options: {
  readonly index: Buffer;
  readonly name: string;
  readonly ignoreCase: boolean;
  readonly readBeside: (name: string) => Buffer;
}): boolean {
  const { index, ignoreCase, readBeside } = options;
  const fold = (text: string) => (ignoreCase ? text.toLowerCase() : text);
  const wanted = fold(Buffer.from(options.name, 'utf8').toString('latin1'));
  for (const hashBytes of [20, 32]) {
    try {
      const names = entryNames(index, hashBytes);
      let next = names.next();
      for (; next.done !== true; next = names.next()) if (fold(next.value) === wanted) return true;
      const shared = sharedName(index, next.value, hashBytes);
      return shared !== null && listed({ ...options, index: readBeside(shared), readBeside: () => Buffer.alloc(0) });
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
    }
  }
  return true;
}

const known = new Map<string, { readonly signature: string; readonly tracked: boolean }>();

/**
 * Whether the repository around a file tracks it, so that it came with the repository. False outside git. An index that
 * cannot be understood counts as tracking it.
 */
export function isTracked(path: string, options: { readonly ignoreCase: boolean }): boolean {
  const index = indexOf(path);
  if (index === null) return false;
  const signature = signatureOf(index.file);
  const key = `${options.ignoreCase} ${path}`;
  const before = known.get(key);
  if (before?.signature === signature) return before.tracked;
  let tracked: boolean;
  try {
    tracked = listed({
      index: readRegularFile(index.file),
      name: index.name,
      ignoreCase: options.ignoreCase,
      readBeside: (name) => readRegularFile(join(dirname(index.file), name)),
    });
  } catch {
    // Nothing was added yet, or it cannot be read: without an index nothing is tracked.
    tracked = !signature.startsWith('none');
  }
  known.set(key, { signature, tracked });
  return tracked;
}
