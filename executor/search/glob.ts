import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { OperationAnswers, OperationOf } from '#shared/api/executor';
import type { CancelSignal } from '#shared/rpc/contract';
import { failure, systemFailure } from '../failure';
import { type HeldFolder, holdFolder } from '../files/pinned';
import { commonArgs, notGit, ripgrep } from './ripgrep';

/** More files than this are not compared by time; the pattern is too wide to be of use then. */
const mostFiles = 100_000;
/** File times that are looked up at once. */
const lookups = 32;

/**
 * Files below a folder that fit a pattern, as absolute paths, newest first. Files that `.gitignore` names are found
 * too, what lies in `.git` is not. A pattern without a slash fits at any depth.
 */
export async function globFiles(
  operation: OperationOf<'search.glob'>,
  signal: CancelSignal,
): Promise<OperationAnswers['search.glob']> {
  const { root, real } = operation;
  let folder: HeldFolder | undefined;
  try {
    if (!(await stat(root)).isDirectory())
      return failure('notFolder', `${root} is a file. Search in a folder, or read the file.`);
    folder = await holdFolder({ path: root, real });
    return await globHeld(operation, folder.at, signal);
  } catch (error) {
    return systemFailure(error, root);
  } finally {
    await folder?.release();
  }
}

async function globHeld(
  operation: OperationOf<'search.glob'>,
  folder: string,
  signal: CancelSignal,
): Promise<OperationAnswers['search.glob']> {
  const { root, limit } = operation;
  const pattern = relativePattern(operation.pattern, root);
  if (pattern === undefined)
    return failure(
      'badPattern',
      `The pattern ${operation.pattern} leads out of ${root}. Give the folder as path and a pattern below it.`,
    );
  const files: string[] = [];
  const end = await ripgrep({
    args: [...commonArgs, '--files', '--no-ignore', '--glob', pattern, ...notGit, '--', './'],
    cwd: folder,
    signal,
    onLine: (line) => {
      files.push(line);
      return files.length < mostFiles ? 'more' : 'stop';
    },
  });
  if (end.code === 2 && end.message !== '') return failure('badPattern', `The pattern is not valid. ${end.message}`);
  const newest = await newestFirst({ files, folder, signal });
  return {
    kind: 'files',
    files: newest.slice(0, limit).map((file) => join(root, file)),
    truncated: newest.length > limit || end.code === null,
  };
}

/** The pattern below the root; undefined when it leads out of it or turns the search round. */
function relativePattern(given: string, root: string): string | undefined {
  const below = given.startsWith(`${root}/`) ? given.slice(root.length + 1) : given.replace(/^(\.\/)+/, '');
  if (below === '' || below.startsWith('/') || below.startsWith('!') || below.split('/').includes('..'))
    return undefined;
  return given === below ? below : `/${below}`;
}

/** `files` below `folder`. */
async function newestFirst(about: {
  readonly files: readonly string[];
  readonly folder: string;
  readonly signal: CancelSignal;
}): Promise<string[]> {
  const { files, folder, signal } = about;
  const timed: { readonly file: string; readonly mtimeMs: number }[] = [];
  for (let at = 0; at < files.length && !signal.cancelled; at += lookups) {
    const batch = files.slice(at, at + lookups);
    timed.push(
      ...(await Promise.all(
        batch.map(async (file) => ({
          file,
          mtimeMs: (await stat(join(folder, file)).catch(() => undefined))?.mtimeMs ?? 0,
        })),
      )),
    );
  }
  timed.sort((left, right) => right.mtimeMs - left.mtimeMs || (left.file < right.file ? -1 : 1));
  return timed.map(({ file }) => file);
}
