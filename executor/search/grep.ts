import { stat } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import type { OperationAnswers, OperationOf } from '#shared/api/executor';
import type { CancelSignal } from '#shared/rpc/contract';
import { failure, systemFailure } from '../failure';
import { type HeldFolder, holdFolder } from '../files/pinned';
import { commonArgs, notGit, ripgrep } from './ripgrep';

/** Longer lines are shown by their start. */
const longestLine = 2_000;
/** Characters returned at most. */
const mostChars = 2_000_000;
/** Counting ends here; `total` is a lower bound then. */
const mostLines = 1_000_000;

type Grep = OperationOf<'search.grep'>;

/**
 * Searches file contents with ripgrep. Lines are in order of path, so that `offset` pages reliably. `.gitignore` is
 * honoured; hidden files are searched, `.git` is not.
 */
export async function grepFiles(operation: Grep, signal: CancelSignal): Promise<OperationAnswers['search.grep']> {
  const { root, real } = operation;
  let folder: HeldFolder | undefined;
  try {
    const isFolder = (await stat(real ?? root)).isDirectory();
    const place = isFolder || real === undefined ? real : dirname(real);
    folder = await holdFolder({ path: isFolder ? root : dirname(root), real: place });
    return await grepHeld({ operation, cwd: folder.at, what: isFolder ? './' : `./${basename(real ?? root)}`, signal });
  } catch (error) {
    return systemFailure(error, root);
  } finally {
    await folder?.release();
  }
}

async function grepHeld(about: {
  readonly operation: Grep;
  readonly cwd: string;
  readonly what: string;
  readonly signal: CancelSignal;
}): Promise<OperationAnswers['search.grep']> {
  const { operation, cwd, what, signal } = about;
  const { offset, limit } = operation;
  const lines: string[] = [];
  let total = 0;
  let chars = 0;
  const end = await ripgrep({
    args: [...searchArgs(operation), '--', what],
    cwd,
    signal,
    onLine: (line) => {
      total += 1;
      if (total > offset && lines.length < limit && chars < mostChars) {
        const shown = line.replace(/^\.\//, '').replace(/\r$/, '');
        lines.push(shown);
        chars += shown.length;
      }
      return total < mostLines ? 'more' : 'stop';
    },
  });
  if (end.code === 2 && end.message !== '')
    return failure('badPattern', `The search was not understood. ${end.message.replace(/^rg: /, '')}`);
  return { kind: 'lines', lines, total, truncated: total > offset + lines.length };
}

function searchArgs(operation: Grep): string[] {
  const { mode } = operation;
  return [
    ...commonArgs,
    ...['--no-require-git', '--sort', 'path', '--crlf', '--with-filename', '--no-heading', '--no-column', '--no-trim'],
    ...['--max-columns', String(longestLine), '--max-columns-preview'],
    ...(mode === 'files_with_matches' ? ['--files-with-matches'] : []),
    ...(mode === 'count' ? ['--count'] : []),
    ...(mode === 'content' ? contentArgs(operation) : []),
    ...(operation.ignoreCase ? ['--ignore-case'] : ['--case-sensitive']),
    ...(operation.multiline ? ['--multiline', '--multiline-dotall'] : []),
    ...(operation.fileType === undefined ? [] : [`--type=${operation.fileType}`]),
    ...(operation.glob === undefined ? [] : [`--glob=${operation.glob}`]),
    ...notGit,
    `--regexp=${operation.pattern}`,
  ];
}

function contentArgs(operation: Grep): string[] {
  return [
    operation.lineNumbers ? '--line-number' : '--no-line-number',
    `--before-context=${operation.before}`,
    `--after-context=${operation.after}`,
  ];
}
