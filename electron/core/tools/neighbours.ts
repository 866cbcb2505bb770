import { basename, dirname, extname, join } from 'node:path';
import { isInside, shortPath } from './paths';
import type { CallContext } from './tool';

/** Extensions that are mistaken for one another. */
const kin: readonly (readonly string[])[] = [
  ['.ts', '.tsx', '.js', '.jsx', '.mjs', '.cjs', '.mts'],
  ['.md', '.mdx', '.txt', '.rst', ''],
  ['.yml', '.yaml', '.json', '.jsonc', '.toml'],
  ['.html', '.htm'],
  ['.c', '.cc', '.cpp', '.h', '.hpp'],
];

/** A few guesses are cheap; more would be a search, which Glob does better. */
const maxGuesses = 12;

/**
 * Existing files that a missing path was probably meant to be, relative to the current folder: another extension, or the
 * same path below the working folder. Looks only inside the working folder, so that it tells nothing about the rest.
 */
export async function neighboursOf(missing: string, context: CallContext): Promise<string[]> {
  const { inspect } = context;
  if (inspect === undefined) return [];
  const guesses = guessesFor(missing, context).filter((path) => isInside(path, context.folder));
  const answers = await Promise.all(guesses.slice(0, maxGuesses).map((path) => inspect.stat(path)));
  return guesses
    .filter((_, index) => {
      const answer = answers[index];
      return answer?.kind === 'stat' && answer.type === 'file';
    })
    .slice(0, 3)
    .map((path) => shortPath(path, context.cwd));
}

function guessesFor(missing: string, context: CallContext): string[] {
  const extension = extname(missing);
  const stem = join(dirname(missing), basename(missing, extension));
  const others = kin.find((group) => group.includes(extension)) ?? [];
  const inFolder = isInside(missing, context.folder) ? [] : [join(context.folder, missing)];
  const guesses = [...inFolder, ...others.map((other) => stem + other), join(context.folder, basename(missing))];
  return [...new Set(guesses)].filter((path) => path !== missing);
}
