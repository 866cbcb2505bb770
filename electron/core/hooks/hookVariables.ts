// Variables that hooks set for a session's later commands: lines of a file that is read as text and never run.
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { isSettableVariable, maxVariableChars } from '#shared/api/executor';

/** Hooks of long sessions add to the file over and over; its end is what counts then. */
const mostBytes = 1_048_576;

/** Where hooks of a session write lines that set variables for its later commands. */
export function hookEnvFile(data: string, sessionId: string): string {
  return join(data, 'hook-environments', `${sessionId}.sh`);
}

export interface HookVariables {
  readonly variables: Readonly<Record<string, string>>;
  /** Why lines count for nothing, in words for people; never a value. */
  readonly problems: readonly string[];
}

const none: HookVariables = { variables: {}, problems: [] };

/** What the file says; `known` are the variables that commands have anyway, for values such as `$PATH:/opt/bin`. */
export async function readHookVariables(file: string, known: Readonly<Record<string, string>>): Promise<HookVariables> {
  const text = await readEnd(file);
  return text === null ? none : parseHookVariables(text, known);
}

/** The file's text, or of a huge one its last whole lines; null where there is none. */
async function readEnd(file: string): Promise<string | null> {
  try {
    const handle = await open(file, 'r');
    try {
      const stats = await handle.stat();
      if (!stats.isFile() || stats.size === 0) return null;
      const from = Math.max(0, stats.size - mostBytes);
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(stats.size - from), 0, stats.size - from, from);
      const text = buffer.toString('utf8', 0, bytesRead);
      return from === 0 ? text : text.slice(text.indexOf('\n') + 1);
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (error instanceof Error && 'code' in error) return null;
    throw error;
  }
}

const assignment = /^\s*(?:(?:export|declare\s+-x|typeset\s+-x)\s+)?([A-Za-z_]\w*)=(.*)$/;
const emptyLine = /^\s*(?:#.*)?$/;
const mostProblems = 20;

/**
 * Takes lines `NAME=value`, `export NAME=value` and `declare -x NAME="value"`. Values may be quoted; `$NAME` outside of
 * single quotes stands for a variable that was set before it or that commands have anyway, else for nothing. Whatever
 * a shell would have to run or guess makes a line count for nothing.
 */
export function parseHookVariables(text: string, known: Readonly<Record<string, string>>): HookVariables {
  const variables = new Map<string, string>();
  const problems: string[] = [];
  const lookup = (name: string): string =>
    variables.get(name) ?? (Object.hasOwn(known, name) ? (known[name] ?? '') : '');
  let chars = 0;
  for (const [at, line] of text.split(/\r?\n/).entries()) {
    if (emptyLine.test(line)) continue;
    const [, name = '', written = ''] = assignment.exec(line) ?? [];
    const problem = (why: string): void =>
      void problems.push(`line ${at + 1}${name === '' ? '' : ` (${name})`} ${why}`);
    if (name === '') {
      problem('is not of the form export NAME=value.');
      continue;
    }
    if (!isSettableVariable(name)) {
      problem('sets a variable that commands rely on.');
      continue;
    }
    const value = readValue(written, lookup);
    if (value === null) {
      problem('has a value that only a shell could work out: quotes, plain text and $NAME are taken.');
      continue;
    }
    const before = variables.get(name);
    chars += name.length + value.length - (before === undefined ? 0 : name.length + before.length);
    if (chars > maxVariableChars) {
      problem(`is too much: all variables together have at most ${maxVariableChars} characters.`);
      break;
    }
    variables.set(name, value);
  }
  return { variables: Object.fromEntries(variables), problems: problems.slice(0, mostProblems) };
}

/** Pieces of a value: single quotes, double quotes, plain text; a comment or nothing may follow. */
const piece =
  /'([^']*)'|"((?:[^"\\`]|\\[\s\S])*)"|((?:[^\s'"\\`|&;<>()$#~*?[\]{}!]|\\.|\$[A-Za-z_]\w*|\$\{[A-Za-z_]\w*\}|(?<=[^\s])[#~!{}[\]*?])+)/y;
const reference = /\\([\s\S])|\$(?:([A-Za-z_]\w*)|\{([A-Za-z_]\w*)\})|\$/g;

function readValue(written: string, lookup: (name: string) => string): string | null {
  let value = '';
  let at = 0;
  while (at < written.length) {
    piece.lastIndex = at;
    const match = piece.exec(written);
    if (match === null) break;
    const [whole, single, double, plain] = match;
    if (single !== undefined) value += single;
    else {
      const expanded = expand(double ?? plain ?? '', { lookup, quoted: double !== undefined });
      if (expanded === null) return null;
      value += expanded;
    }
    at += whole.length;
  }
  return /^\s*(?:\s#.*|;\s*)?$/.test(written.slice(at)) ? value : null;
}

/** Null where a `$` begins something else than a name. */
function expand(
  text: string,
  { lookup, quoted }: { readonly lookup: (name: string) => string; readonly quoted: boolean },
): string | null {
  let bad = false;
  const value = text.replace(reference, (whole, escaped?: string, plain?: string, braced?: string) => {
    // Within double quotes a backslash escapes little and otherwise stands for itself.
    if (escaped !== undefined) return quoted && !/["\\$`]/.test(escaped) ? whole : escaped;
    const name = plain ?? braced;
    if (name !== undefined) return lookup(name);
    bad = true;
    return '';
  });
  return bad ? null : value;
}
