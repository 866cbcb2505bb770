// Reads a file of the working folders for a person to look at: bounded, without leaving the folders, private ones never.
import { constants, open, realpath, stat } from 'node:fs/promises';
import { basename, isAbsolute, relative, resolve, sep } from 'node:path';
import type { ShownFile } from '#shared/api/files';
import { RpcError } from '#shared/rpc/errors';

/** Larger files are not read: they are no text that somebody looks through line by line. */
export const maxFileBytes = 10 * 1024 * 1024;
/** Lines that are given at once, and characters of one. */
const maxLines = 5_000;
const maxLineChars = 2_000;
/** A NUL in so many bytes at the beginning, and it is no text. */
const lookedAtBytes = 8_192;

const privateFolders: ReadonlySet<string> = new Set([
  '.ssh',
  '.gnupg',
  '.aws',
  '.azure',
  '.kube',
  '.password-store',
  'gcloud',
  'keyrings',
]);
const privateNames: readonly RegExp[] = [
  /^\.env(?!\.(?:example|sample|template|dist)$)(?:\..+|rc)?$/i,
  /^\.(?:netrc|npmrc|pypirc|pgpass|git-credentials|htpasswd|vault-token)$/i,
  /^id_(?:rsa|dsa|ecdsa|ed25519)(?:_sk)?$/i,
  /\.(?:pem|key|p12|pfx|keystore|jks|kdbx|asc)$/i,
  /^credentials(?:\.json)?$/i,
];

export interface ShownFilePlace {
  /** Folders of the session, absolute. */
  readonly folders: readonly string[];
  /** Where a relative path may count from, in this order. */
  readonly from: readonly string[];
  /** Files and folders that nobody sees, absolute. */
  readonly hidden: readonly string[];
}

/** Whether a path lies in a folder or is it. */
function inside(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way === '' || (!way.startsWith(`..${sep}`) && way !== '..' && !isAbsolute(way));
}

/** Whether a file usually holds keys or passwords, by its place within the working folder. */
export function isPrivate(path: string, folder: string): boolean {
  const names = relative(folder, path).split(sep);
  if (names.slice(0, -1).some((name) => privateFolders.has(name))) return true;
  return privateNames.some((pattern) => pattern.test(basename(path)));
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

async function realOf(path: string): Promise<string | null> {
  try {
    return await realpath(path);
  } catch (error) {
    const code = codeOf(error);
    if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'ENAMETOOLONG') return null;
    if (code === 'EACCES' || code === 'ELOOP') throw new RpcError('refused', `${path} cannot be reached.`);
    throw error;
  }
}

/** Reads it. Throws RpcError `notFound` or `refused`, with what is the matter. */
export async function readShownFile(
  wanted: { readonly path: string; readonly line?: number | undefined },
  place: ShownFilePlace,
): Promise<ShownFile> {
  if (wanted.path.includes('\0')) throw new RpcError('invalid', 'A path has no NUL in it.');
  const tries = isAbsolute(wanted.path)
    ? [resolve(wanted.path)]
    : place.from.map((folder) => resolve(folder, wanted.path));
  let path: string | null = null;
  for (const one of tries) path ??= await realOf(one);
  if (path === null) throw new RpcError('notFound', `There is no file ${wanted.path} now.`);
  const folders = (await Promise.all(place.folders.map((folder) => realOf(folder)))).filter((one) => one !== null);
  const folder = folders.find((one) => inside(path ?? '', one));
  if (folder === undefined)
    throw new RpcError('refused', `${path} lies outside the working folders, so it is not shown here.`);
  const hidden = await Promise.all(place.hidden.map(async (one) => (await realOf(one)) ?? one));
  if (hidden.some((one) => inside(path ?? '', one)) || isPrivate(path, folder))
    throw new RpcError('refused', `${basename(path)} usually holds keys or passwords, so it is not shown here.`);
  return await read(path, wanted.line ?? 1);
}

async function read(path: string, line: number): Promise<ShownFile> {
  let handle: Awaited<ReturnType<typeof open>>;
  try {
    // Neither a link put there meanwhile nor a pipe that nobody fills.
    handle = await open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
  } catch (error) {
    if (codeOf(error) === 'ENOENT') throw new RpcError('notFound', `There is no file ${path} now.`);
    throw new RpcError('refused', `${path} cannot be read (${codeOf(error) || 'unknown cause'}).`);
  }
  try {
    const found = await handle.stat();
    if (found.isDirectory()) throw new RpcError('refused', `${path} is a folder.`);
    if (!found.isFile()) throw new RpcError('refused', `${path} is no plain file.`);
    // A folder on the way may have been replaced since its links were followed.
    const again = await realOf(path);
    const same = again === path ? await stat(path).catch(() => null) : null;
    if (same === null || same.ino !== found.ino || same.dev !== found.dev)
      throw new RpcError('conflict', `${path} was replaced while it was read. Try again.`);
    const about = { path, bytes: found.size, modifiedAt: found.mtimeMs };
    if (found.size > maxFileBytes) return { ...about, content: { kind: 'large', limit: maxFileBytes } };
    const bytes = Buffer.alloc(found.size);
    let length = 0;
    while (length < bytes.length) {
      const { bytesRead } = await handle.read(bytes, length, bytes.length - length, length);
      if (bytesRead === 0) break;
      length += bytesRead;
    }
    return { ...about, content: contentOf(bytes.subarray(0, length), line) };
  } finally {
    await handle.close();
  }
}

/** The text of a file around a line. */
export function contentOf(bytes: Uint8Array, line: number): ShownFile['content'] {
  if (bytes.subarray(0, lookedAtBytes).includes(0)) return { kind: 'binary' };
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return { kind: 'binary' };
  }
  const endsWithBreak = text.endsWith('\n');
  const all = text === '' ? [] : text.split('\n');
  if (endsWithBreak) all.pop();
  const broken = endsWithBreak ? all : all.slice(0, -1);
  const crlf = broken.filter((one) => one.endsWith('\r')).length;
  const first = Math.max(0, Math.min(line - 1 - maxLines / 2, all.length - maxLines));
  const shown = all.slice(first, first + maxLines).map((one) => one.replace(/\r$/, ''));
  return {
    kind: 'text',
    lines: shown.map((one) => (one.length > maxLineChars ? `${one.slice(0, maxLineChars)}…` : one)),
    firstLine: first + 1,
    total: all.length,
    eol: broken.length === 0 ? 'none' : crlf === 0 ? 'lf' : crlf === broken.length ? 'crlf' : 'mixed',
    endsWithBreak,
    cutLines: shown.some((one) => one.length > maxLineChars),
  };
}
