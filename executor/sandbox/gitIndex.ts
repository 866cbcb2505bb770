// Repositories within a repository, as its index names them: `git status` runs git in each of them, and with it what their
// configs order. https://git-scm.com/docs/index-format
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { readRegularFile } from './regularFile';

const signature = 0x44495243; // DIRC
const gitLink = 0xe000;
/** Of an entry, before its name: times, device, inode, mode, owner, size, id, flags. The id is 20 bytes long, or 32. */
const modeAt = 24;
const idAt = 40;
const extendedFlag = 0x4000;
/** A larger index belongs to no repository that is worked on here. */
const longestIndex = 200_000_000;

const remembered = new Map<string, { readonly stamp: string; readonly names: readonly string[] }>();

/** Paths of the inner repositories of all indexes in a repository's own folder, relative to the checkout. */
export function innerRepositories(git: string): readonly string[] {
  return [...new Set(indexesOf(git).flatMap((path) => linksOf(path)))];
}

/** An index can leave most of its entries to a shared one. */
function indexesOf(git: string): readonly string[] {
  try {
    return readdirSync(git)
      .filter((name) => name === 'index' || name.startsWith('sharedindex.'))
      .map((name) => join(git, name));
  } catch {
    return [];
  }
}

function linksOf(path: string): readonly string[] {
  try {
    const { ino, size, mtimeMs, ctimeMs } = statSync(path);
    const stamp = `${ino} ${size} ${mtimeMs} ${ctimeMs}`;
    const before = remembered.get(path);
    if (before?.stamp === stamp) return before.names;
    const bytes = readRegularFile(path, longestIndex);
    if (bytes === null) return [];
    // Which kind of id it has is told by the config; a wrong guess soon meets something that is no entry.
    const names = readLinks(bytes, 20) ?? readLinks(bytes, 32) ?? [];
    remembered.set(path, { stamp, names });
    return names;
  } catch {
    return [];
  }
}

/** Names of the entries that are repositories; null when the bytes are no index with ids of this length. */
export function readLinks(bytes: Buffer, idBytes: 20 | 32): readonly string[] | null {
  if (bytes.length < 12 + idBytes || bytes.readUInt32BE(0) !== signature) return null;
  const version = bytes.readUInt32BE(4);
  if (version < 2 || version > 4) return null;
  const count = bytes.readUInt32BE(8);
  const end = bytes.length - idBytes;
  const names: string[] = [];
  let at = 12;
  let name: Buffer = Buffer.alloc(0);
  for (let index = 0; index < count; index += 1) {
    const flagsAt = at + idAt + idBytes;
    if (flagsAt + 2 > end) return null;
    const extended = version > 2 && (bytes.readUInt16BE(flagsAt) & extendedFlag) !== 0;
    let nameAt = flagsAt + (extended ? 4 : 2);
    let kept: Buffer = Buffer.alloc(0);
    if (version === 4) {
      const cut = readOffset(bytes, nameAt);
      if (cut === null || cut.value > name.length) return null;
      kept = name.subarray(0, name.length - cut.value);
      nameAt = cut.next;
    }
    const nameEnd = bytes.indexOf(0, nameAt);
    if (nameEnd < 0 || nameEnd >= end) return null;
    name = version === 4 ? Buffer.concat([kept, bytes.subarray(nameAt, nameEnd)]) : bytes.subarray(nameAt, nameEnd);
    const mode = bytes.readUInt32BE(at + modeAt);
    if (mode === gitLink) names.push(name.toString());
    else if (!isMode(mode)) return null;
    // Older versions fill up to a multiple of eight, with one NUL at least.
    at = version === 4 ? nameEnd + 1 : at + Math.floor((nameEnd - at + 8) / 8) * 8;
  }
  return names;
}

/** Regular file, link, or a folder of a sparse index. */
function isMode(mode: number): boolean {
  return [0x8000, 0xa000, 0x4000].includes(mode & 0xfffff000);
}

/** A number of seven bits a byte, highest first, each further byte counting one more. */
function readOffset(bytes: Buffer, from: number): { readonly value: number; readonly next: number } | null {
  let at = from;
  let byte = bytes[at];
  if (byte === undefined) return null;
  let value = byte & 0x7f;
  while ((byte & 0x80) !== 0) {
    at += 1;
    byte = bytes[at];
    if (byte === undefined || value > 2 ** 24) return null;
    value = (value + 1) * 128 + (byte & 0x7f);
  }
  return { value, next: at + 1 };
}
