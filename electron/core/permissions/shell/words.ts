// Words of a shell command: what is written, what the program will receive, and whether that is known beforehand.
import type { Assignment, DoubleQuotedChild, Word, WordPart } from 'unbash';

export interface ShellWord {
  /** As written, quotes included. */
  readonly text: string;
  /** Quotes and escapes resolved; expansions stay as written. */
  readonly value: string;
  /** The program receives exactly `value`. */
  readonly literal: boolean;
  /** Written so plainly that a rule with a star may cover it. */
  readonly plain: boolean;
  /** Holds an unquoted file pattern. */
  readonly glob: boolean;
  /** All that it may become, as far as can be told: braces spread, `~`, `$HOME` and assigned variables filled in. */
  readonly values: readonly string[];
  /** Whether `values` is all of it (file patterns aside). */
  readonly known: boolean;
}

/** What expansions may become while the text is walked. */
export interface Surroundings {
  readonly home: string;
  readonly cwds: readonly string[] | null;
  readonly variables: ReadonlyMap<string, readonly string[]>;
}

interface Piece {
  readonly values: readonly string[];
  readonly known: boolean;
  readonly plain: boolean;
  readonly literal: boolean;
  readonly glob: boolean;
}

/** More combinations than this are not followed. */
const maxValues = 32;

/** Variables can be made to double with every step; longer values are given up. */
const maxValueLength = 20_000;

const arithmetic = /^\$\(\([\d\s+\-*/%<>=!&|^~?:()]*\)\)$/;

function certain(value: string): Piece {
  return { values: [value], known: true, plain: true, literal: true, glob: false };
}

function unknown(text: string): Piece {
  return { values: [text], known: false, plain: false, literal: false, glob: false };
}

function variable(name: string, text: string, around: Surroundings): Piece {
  if (name === 'HOME' && !around.variables.has('HOME'))
    return { values: [around.home], known: true, plain: text === '$HOME', literal: false, glob: false };
  const values = name === 'PWD' ? around.cwds : around.variables.get(name);
  if (values === undefined || values === null || values.length === 0) return unknown(text);
  return { values, known: true, plain: false, literal: false, glob: false };
}

/** `$(echo /x)` and `$(pwd)`: what simple substitutions print. */
function substitution(part: Extract<WordPart, { type: 'CommandExpansion' }>, around: Surroundings): Piece {
  const only = part.script?.commands.length === 1 ? part.script.commands[0]?.command : undefined;
  if (only?.type !== 'Command' || only.redirects.length > 0) return unknown(part.text);
  if (only.name?.value === 'pwd' && around.cwds !== null) return { ...unknown(part.text), values: around.cwds };
  // The working folder or one above it.
  if (only.name?.value === 'git' && only.args.some((arg) => arg.type === 'Word' && arg.value === '--show-toplevel'))
    return { ...unknown(part.text), values: around.cwds ?? [part.text] };
  if (only.name?.value !== 'echo' && only.name?.value !== 'printf') return unknown(part.text);
  const args = only.args.filter((arg): arg is Word => arg.type === 'Word').map((arg) => readWord(arg, around));
  const printed = args.filter((arg) => !/^-[neE]+$/.test(arg.value)).flatMap((arg) => arg.values.slice(0, 1));
  return { ...unknown(part.text), values: [printed.join(' ')] };
}

/** Spreads `{a,b}` and `{1..3}`; null when it is not that simple. */
export function spreadBraces(text: string, depth = 0): readonly string[] | null {
  if (depth > 4) return null;
  const inner = text.slice(1, -1);
  if (/[$`'"\\]/.test(inner)) return null;
  const range = /^(-?\d{1,4})\.\.(-?\d{1,4})$/.exec(inner);
  if (range?.[1] !== undefined && range[2] !== undefined) {
    const [from, to] = [Number(range[1]), Number(range[2])];
    if (Math.abs(to - from) >= maxValues) return null;
    return Array.from({ length: Math.abs(to - from) + 1 }, (_, index) => String(from + (to < from ? -index : index)));
  }
  const choices: string[] = [];
  let open = 0;
  let start = 0;
  for (let at = 0; at <= inner.length; at++) {
    const char = inner[at];
    if (char === '{') open++;
    else if (char === '}') open--;
    else if ((char === ',' && open === 0) || char === undefined) {
      choices.push(inner.slice(start, at));
      start = at + 1;
    }
  }
  if (open !== 0 || choices.length < 2 || choices.length > maxValues) return null;
  return choices.flatMap((choice) =>
    /^\{.*\}$/s.test(choice) ? (spreadBraces(choice, depth + 1) ?? [choice]) : [choice],
  );
}

function parameter(part: Extract<WordPart, { type: 'ParameterExpansion' }>, around: Surroundings): Piece {
  const plainUse = part.operation === undefined && part.prefix === undefined && part.index === undefined;
  if (plainUse) return { ...variable(part.parameter, part.text, around), plain: false };
  if (part.operation?.type !== 'Default') return unknown(part.text);
  const { operator, operand } = part.operation;
  const own =
    part.prefix === undefined && part.index === undefined ? variable(part.parameter, part.text, around) : null;
  // Behind a question mark stands a message.
  const fallback = operator.includes('?') ? [] : readWord(operand, around).values;
  const values = [...(own?.known === true ? own.values : []), ...fallback];
  return values.length === 0 ? unknown(part.text) : { ...unknown(part.text), values };
}

function piece(part: WordPart | DoubleQuotedChild, around: Surroundings): Piece {
  switch (part.type) {
    case 'Literal':
      return { ...certain(part.value), plain: part.text === part.value };
    case 'SingleQuoted':
      return certain(part.value);
    case 'DoubleQuoted':
    case 'LocaleString': {
      const inner = part.parts.map((child): Piece => {
        const read = piece(child, around);
        return child.type === 'Literal' ? { ...read, plain: true } : read;
      });
      const joined = join(inner);
      return part.type === 'DoubleQuoted' ? joined : { ...joined, plain: false };
    }
    case 'AnsiCQuoted':
      return { ...certain(part.value), plain: false };
    case 'SimpleExpansion':
      return variable(part.text.slice(1), part.text, around);
    case 'ParameterExpansion':
      return parameter(part, around);
    case 'CommandExpansion':
      return substitution(part, around);
    case 'ArithmeticExpansion':
      return { ...unknown(part.text), plain: arithmetic.test(part.text) };
    case 'Glob':
      return { ...certain(part.text), literal: false, glob: true };
    case 'ExtendedGlob':
      return { ...unknown(part.text), glob: true };
    case 'BraceExpansion': {
      const spread = spreadBraces(part.text);
      return spread === null ? unknown(part.text) : { ...unknown(part.text), values: spread, known: true };
    }
    case 'ProcessSubstitution':
      return unknown(part.text);
  }
}

function join(pieces: readonly Piece[]): Piece {
  let values: readonly string[] = [''];
  let known = true;
  for (const one of pieces) {
    const next = values.flatMap((head) => one.values.map((tail) => head + tail));
    const short = next.filter((value) => value.length <= maxValueLength);
    known &&= one.known && next.length <= maxValues && short.length === next.length;
    values = short.slice(0, maxValues);
  }
  return {
    values,
    known,
    plain: pieces.every((one) => one.plain),
    literal: pieces.every((one) => one.literal),
    glob: pieces.some((one) => one.glob),
  };
}

/** Fills in a leading `~`; null when the word has none. */
function tilde(word: Word, around: Surroundings): { readonly from: string; readonly to: readonly string[] } | null {
  const head = /^~([^/]*)/.exec(word.text);
  if (head === null) return null;
  const name = head[1] ?? '';
  if (name === '') return { from: '~', to: [around.home] };
  // The person's own name is their home as well.
  if (name === around.home.slice(around.home.lastIndexOf('/') + 1)) return { from: `~${name}`, to: [around.home] };
  if (name === '+' && around.cwds !== null) return { from: '~+', to: around.cwds };
  return { from: `~${name}`, to: [] };
}

/** A word without the broken lines at its edges: `make\⏎ x` is `make x`. */
export function withoutContinuation(text: string): string {
  return text.includes('\\\n') ? text.replace(/^(?:\\\n)+|(?:\\\n)+$/g, '') : text;
}

/** Reads one word in its surroundings. */
export function readWord(word: Word, around: Surroundings): ShellWord {
  // A line that goes on at the edge of a word leaves nothing in it.
  const text = withoutContinuation(word.text);
  const value = word.value;
  const whole =
    word.parts === undefined
      ? { ...certain(value), plain: text === value }
      : join(word.parts.map((p) => piece(p, around)));
  const home = tilde(word, around);
  // One escaped sign, as `find` wants it; it can be nothing else.
  if (/^\\[()!;]$/.test(text))
    return { text, value, literal: true, plain: true, glob: false, values: [value], known: true };
  const hidden = /\n\s*#/.test(text);
  if (home === null)
    return {
      text,
      value,
      literal: whole.literal,
      plain: whole.plain && !hidden,
      glob: whole.glob,
      values: whole.values,
      known: whole.known,
    };
  return {
    text,
    value,
    literal: false,
    plain: whole.plain && home.from === '~' && !hidden,
    glob: whole.glob,
    values:
      home.to.length === 0
        ? whole.values
        : home.to.flatMap((folder) => whole.values.map((known) => folder + known.slice(home.from.length))),
    known: whole.known && home.to.length > 0,
  };
}

/** An assignment that stands as an argument, as behind `export`. */
export function readAssignmentWord(assignment: Assignment, around: Surroundings): ShellWord {
  const value = assignment.value.type === 'Word' ? readWord(assignment.value, around) : null;
  const head = `${assignment.name}${assignment.append === true ? '+' : ''}=`;
  const simple = assignment.index === undefined && value !== null;
  return {
    text: assignment.text,
    value: value === null ? assignment.text : head + value.value,
    literal: simple && value.literal,
    plain: simple && value.plain,
    glob: false,
    values: simple ? value.values.map((one) => head + one) : [assignment.text],
    known: simple && value.known,
  };
}
