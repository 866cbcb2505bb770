// Files that git reads and writes with its arguments, where the words say which.
import { type CommandFile, file } from './fileWords';
import type { ShellWord } from './words';

const readingVerbs = /^(diff|show|log|blame|grep|cat-file|ls-files|status|shortlog|archive)$/;

/** Options whose value is written: `-o file`, `--output=file`. */
function written(words: readonly ShellWord[], names: readonly string[]): readonly CommandFile[] {
  return words.flatMap((word, at): readonly CommandFile[] => {
    for (const name of names) {
      const next = words[at + 1];
      if (word.value === name) return next === undefined ? [] : [file(next, 'write')];
      if (name.startsWith('--') && word.value.startsWith(`${name}=`)) return [file(word, 'write', name.length + 1)];
      if (!name.startsWith('--') && word.value.startsWith(name)) return [file(word, 'write', name.length)];
    }
    return [];
  });
}

/** `rev:path` reads the path. */
function readFiles(verb: string, rest: readonly ShellWord[]): readonly CommandFile[] {
  const start = verb === 'grep' && !rest.some((word) => /^-[ef]/.test(word.value)) ? 1 : 0;
  return rest
    .filter((word) => !word.value.startsWith('-') || word.value === '--')
    .slice(start)
    .filter((word) => word.value !== '--')
    .map((word) => {
      const colon = /^[^/\s]*:/.exec(word.value)?.[0].length ?? 0;
      return file(word, 'read', colon);
    });
}

function operands(rest: readonly ShellWord[]): readonly ShellWord[] {
  const end = rest.findIndex((word) => word.value === '--');
  const before = end === -1 ? rest : rest.slice(0, end);
  return [...before.filter((word) => !word.value.startsWith('-')), ...(end === -1 ? [] : rest.slice(end + 1))];
}

const cloneValued = /^(-b|-o|-u|-j|-c|--branch|--origin|--depth|--reference|--config|--filter|--jobs|--template)$/;

function writtenOperands(verb: string, rest: readonly ShellWord[]): readonly ShellWord[] {
  switch (verb) {
    case 'mv':
    case 'rm':
    case 'restore':
    case 'clean':
    case 'init':
      return operands(rest);
    case 'checkout':
      // What makes or follows a branch names no files.
      return rest.some((word) => /^(-[bBtd]|--(track|orphan|detach).*)$/.test(word.value)) ? [] : operands(rest);
    case 'clone': {
      const plain = rest.filter(
        (word, at) => !word.value.startsWith('-') && !cloneValued.test(rest[at - 1]?.value ?? ''),
      );
      return plain.slice(1);
    }
    case 'worktree':
      return operands(rest[0]?.value === 'add' ? rest.slice(1) : []).slice(0, 1);
    case 'submodule':
      return operands(rest[0]?.value === 'add' ? rest.slice(1) : []).slice(1);
    case 'bundle':
      return operands(rest[0]?.value === 'create' ? rest.slice(1) : []).slice(0, 1);
    default:
      return [];
  }
}

const outputs: readonly string[] = ['--output'];
const archiveOutputs: readonly string[] = ['--output', '-o'];
const patchOutputs: readonly string[] = ['--output', '--output-directory', '-o'];

/** Path arguments of git. Names that are only known when it runs are left to the command itself. */
export function gitFiles(words: readonly ShellWord[]): readonly CommandFile[] {
  const verb = words[1]?.value ?? '';
  const rest = words.slice(2);
  const named = verb === 'archive' ? archiveOutputs : verb === 'format-patch' ? patchOutputs : outputs;
  const changed = writtenOperands(verb, rest).filter((word) => word.known);
  return [
    ...(readingVerbs.test(verb) ? readFiles(verb, rest) : []),
    ...changed.map((word) => file(word, 'write')),
    ...written(rest, named),
  ];
}
