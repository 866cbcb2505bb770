// Whether what a command hook starts is there at all. Looks at names and rights only; nothing is run or read.
import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';
import { analyseShell } from '../permissions/shell/analyse';
import type { CommandAction } from './handler';

/** Programs of the shell itself, and names that stand for none. */
const ofTheShell: ReadonlySet<string> = new Set(
  (
    '. : [ [[ alias bg break builtin case cd command compgen continue declare disown do done echo elif else esac eval exec ' +
    'exit export false fc fg fi for function getopts hash if in jobs kill let local mapfile printf pushd popd pwd read ' +
    'readarray readonly return select set shift shopt source test then time times trap true type typeset ulimit umask ' +
    'unalias unset until wait while { } !'
  ).split(' '),
);

/** Programs whose first argument is a script of theirs. */
const interpreters = /^(?:ba|da|z|k)?sh$|^(?:python|ruby|perl|node|bun|deno|php|pwsh)[\d.]*$/;

export interface ProgramLook {
  /** The path of the look; where `kind` is missing, null = there is none. */
  isFile(path: string): boolean;
  isExecutable(path: string): boolean;
}

const disk: ProgramLook = {
  isFile(path) {
    return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
  },
  isExecutable(path) {
    try {
      accessSync(path, constants.X_OK);
      return statSync(path).isFile();
    } catch {
      return false;
    }
  },
};

export interface MissingProgram {
  readonly kind: 'missing' | 'notExecutable';
  /** As written. */
  readonly program: string;
}

export interface ProgramPlace {
  readonly folder: string;
  readonly home: string;
  /** The variable PATH as hooks get it. */
  readonly path: string;
  readonly platform: 'linux' | 'darwin' | 'win32' | 'other';
}

/** The first program of a command that is not there or may not be run; null where all are, or where it cannot be told. */
export function missingProgram(
  action: CommandAction,
  place: ProgramPlace,
  look: ProgramLook = disk,
): MissingProgram | null {
  if (place.platform === 'win32' || action.shell === 'powershell') return null;
  const filled = (text: string): string =>
    text
      .replace(/\$\{CLAUDE_PROJECT_DIR\}|\$CLAUDE_PROJECT_DIR\b/g, () => place.folder)
      .replace(/^~(?=\/)|\$\{HOME\}|\$HOME\b/g, () => place.home);
  if (action.args !== undefined) return fault([filled(action.command), ...action.args.map(filled)], place, look);
  // Only what is certain to be run: within a condition or a script of its own a missing program may be meant.
  const parts = analyseShell({
    command: filled(action.command),
    cwd: place.folder,
    home: place.home,
  }).parts.filter((part) => !part.nested);
  for (const { words } of parts) {
    const [name, script] = words;
    if (name === undefined || !name.literal || name.glob || ofTheShell.has(name.value)) continue;
    const found = fault([name.value, ...(script?.literal === true ? [script.value] : [])], place, look);
    if (found !== null) return found;
  }
  return null;
}

function fault([name = '', ...rest]: readonly string[], place: ProgramPlace, look: ProgramLook): MissingProgram | null {
  if (name.includes('/')) {
    const path = isAbsolute(name) ? name : join(place.folder, name);
    if (!look.isFile(path)) return { kind: 'missing', program: name };
    return look.isExecutable(path) ? null : { kind: 'notExecutable', program: name };
  }
  const folders = place.path.split(delimiter).filter((folder) => isAbsolute(folder));
  if (!folders.some((folder) => look.isExecutable(join(folder, name)))) return { kind: 'missing', program: name };
  const [script] = rest;
  if (!interpreters.test(name) || script === undefined) return null;
  // An option, or code in place of a file.
  if (script.startsWith('-') || !/^[\w@%+=:,./~ -]*\/[\w@%+=:,./~ -]+$/.test(script)) return null;
  const path = isAbsolute(script) ? script : join(place.folder, script);
  return look.isFile(path) ? null : { kind: 'missing', program: script };
}
