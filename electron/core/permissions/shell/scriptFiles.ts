// Files that small scripts on the line write: of sed, awk and the in-place runs of perl and ruby.
import { type CommandFile, file } from './fileWords';
import type { ShellWord } from './words';

function writtenBy(names: readonly string[]): readonly CommandFile[] {
  return names.map((name) => ({ access: 'write', given: name, values: [name], glob: false, unknown: null }) as const);
}

/** `w file` of sed, as a command of its own or behind a substitution. Texts that only look so do no harm. */
export function writtenBySed(args: readonly ShellWord[]): readonly CommandFile[] {
  const names = args.flatMap(({ value }) =>
    [...value.matchAll(/(?:^|[;{}\s\d$/|,#!+~gpiIeM@])[wW][ \t]+([^\n;}]+)/g)].map((found) => (found[1] ?? '').trim()),
  );
  return writtenBy(names.filter((name) => name !== '' && !name.startsWith('/dev/std')));
}

/** `print > "file"` of awk. */
export function writtenByAwk(args: readonly ShellWord[]): readonly CommandFile[] {
  const names = args.flatMap(({ value }) =>
    [...value.matchAll(/>\s*"([^"]+)"/g)].map((found) => found[1] ?? '').filter((name) => !name.startsWith('/dev/')),
  );
  return writtenBy(names);
}

/** Files that `perl -i`, `ruby -i` and `awk -i inplace` change. The script itself is no file and does no harm. */
export function changedInPlace(name: string, args: readonly ShellWord[]): readonly CommandFile[] {
  const inPlace =
    name === 'awk'
      ? args.some((word, at) => word.value === 'inplace' && args[at - 1]?.value === '-i')
      : args.some((word) => /^-[a-zA-Z0]*i/.test(word.value));
  if (!inPlace) return [];
  const operands = args.filter(
    (word, at) => !word.value.startsWith('-') && !/^-[a-zA-Z]*[eEiFv]$/.test(args[at - 1]?.value ?? ''),
  );
  return operands.filter((word) => word.known).map((word) => file(word, 'write'));
}
