// A command line taken apart by two parsers. What both find may be allowed; what either finds may be denied.
import { type ParsedScript, parse } from 'unbash';
import { aliasesOf, evaluatedScripts, filledIn, fillsInAgain, runsSomething, startedByCode } from './evaluated';
import { optionScripts } from './optionScripts';
import { readSecond, type SecondReading } from './secondReader';
import { type ShellPart, type ShellRedirect, type Walked, walkScript } from './walk';
import { type ShellWord, withoutContinuation } from './words';
import { baseName, readsScript, unwrapForDeny } from './wrappers';

export interface ShellAnalysis {
  /** Every command at any depth, also inside wrappers and scripts (`nested`). */
  readonly parts: readonly ShellPart[];
  readonly redirects: readonly ShellRedirect[];
  /** Why nothing may allow the line; empty when all is clear. In words for people. */
  readonly problems: readonly string[];
  /** Texts that deny and ask rules are tried on besides the parts. */
  readonly loose: readonly string[];
}

/** Longer command lines are never allowed by a rule: nobody reads them. */
export const maxCommandLength = 10_000;

/** Beyond this the text is only searched, not parsed. */
const maxParsedLength = 50_000;

const fillsInAgainProblem = 'it fills in what a variable holds, and that may run something';

const maxNested = 200;
const maxNestingDepth = 8;

/** Characters that show nothing or change the order of what is shown. Emoji selectors and wide blanks are ordinary. */
const invisible =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u115f\u1160\u1680\u2000-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb]|\u034f|\u17b4|\u17b5|\u180b|\u180c|\u180d|\u180e|\u180f|\u{e0001}|[\u{e0020}-\u{e007f}]/u;

/** The same, for finding them all in a text. */
export const hiddenCharacters: RegExp = new RegExp(invisible.source, 'gu');

/** A command line and where it starts. */
export interface ShellLine {
  readonly command: string;
  readonly cwd: string;
  readonly home: string;
}

interface Parsed {
  readonly script: ParsedScript;
  readonly second: SecondReading;
  /** Whether the two readings agree, once that was compared. */
  agreement: string | null | undefined;
}

const cache = new Map<string, Parsed>();
const maxCached = 500;

function parseBoth(text: string): Parsed {
  const known = cache.get(text);
  if (known !== undefined) return known;
  const parsed: Parsed = { script: parse(text), second: readSecond(text), agreement: undefined };
  // An answer given before the second parser was loaded must not stay.
  if (parsed.second.sound || parsed.second.commands.length > 0) {
    const oldest = cache.size >= maxCached ? cache.keys().next().value : undefined;
    if (oldest !== undefined) cache.delete(oldest);
    cache.set(text, parsed);
  }
  return parsed;
}

function key(assignments: readonly string[], words: readonly string[]): string {
  const isTest = words[0] === '[' || words[0]?.startsWith('[ ') === true || words[0]?.startsWith('[[') === true;
  const parts = isTest ? [words.join(' ').replace(/\s+/g, ' ')] : words.map(withoutContinuation);
  return `${assignments.join('\0')}\0\0${parts.join('\0')}`;
}

/** Compares the two readings. Null: the same; else what is wrong, in words. */
function compare(walked: Walked, second: SecondReading): string | null {
  if (!second.sound) return 'the two shell parsers do not both understand it';
  const first = walked.parts.map((part) =>
    key(
      part.assignments.map((a) => a.text),
      part.words.map((w) => w.text),
    ),
  );
  const other = second.commands.map((command) => key(command.assignments, command.words));
  const same = (a: readonly string[], b: readonly string[]) =>
    a.length === b.length &&
    (a.every((one, at) => one === b[at]) || [...a].sort().join('\n') === [...b].sort().join('\n'));
  if (!same(first, other)) return 'the two shell parsers find different commands in it';
  return same(walked.redirectTexts, second.redirects) ? null : 'the two shell parsers find different redirects in it';
}

/** Cuts a text that no parser understands at everything that may part commands. */
function cut(text: string): readonly string[] {
  const pieces = text
    .replace(/\\\n/g, '')
    .split(/[;&|\n(){}`]|\$\(|<\(|>\(/)
    .map((piece) =>
      piece
        .replace(/['"\\]/g, '')
        .replace(/\s+/g, ' ')
        .trim(),
    )
    .filter((piece) => piece !== '')
    .flatMap((piece) => {
      const bare = piece
        .replace(/^(?:[A-Za-z_]\w*=\S*\s+)+/, '')
        .replace(/^(?:!|if|then|do|else|while|until|time)\s+/, '');
      return bare === piece ? [piece] : [piece, bare];
    });
  return [...new Set(pieces)];
}

function plainly(words: readonly string[]): string {
  return words.map((word) => word.replace(/\\\n/g, '').replace(/['"\\]/g, '')).join(' ');
}

interface Nest {
  readonly home: string;
  readonly parts: ShellPart[];
  readonly redirects: ShellRedirect[];
  readonly problems: string[];
  readonly loose: string[];
  count: number;
}

type Variables = ReadonlyMap<string, readonly string[]>;

/** Where a part was found: how deep, and what variables hold there. */
interface At {
  readonly depth: number;
  readonly variables: Variables;
}

/** More words than this from a command's input are not looked at. */
const maxFed = 50;

function fedWord(text: string): ShellWord {
  const value = text.replace(/['"\\]/g, '');
  return { text, value, literal: true, plain: true, glob: false, values: [value, text], known: true };
}

/** What xargs makes of its input, where the line says what that is: word by word, or all of it as one. */
function fedBy(part: ShellPart): readonly (readonly ShellWord[])[] {
  const isXargs = /^g?xargs$/.test(baseName(part.words[0]?.values[0] ?? ''));
  if (!isXargs || part.input === null) return [[]];
  const words = part.input.split(/\s+/).filter((word) => word !== '');
  return [
    [],
    words.slice(0, maxFed).map(fedWord),
    [{ ...fedWord(part.input), value: part.input, values: [part.input] }],
  ];
}

function nestScript(source: string, from: ShellPart, nest: Nest, at: At): void {
  nest.count++;
  const script = parse(source);
  const walked = walkScript({
    source,
    script,
    home: nest.home,
    cwds: from.cwds,
    afterCd: from.afterCd,
    variables: at.variables,
    nested: true,
  });
  nest.redirects.push(...walked.redirects);
  if (script.errors !== undefined && script.errors.length > 0) nest.loose.push(...cut(source));
  if (fillsInAgain.test(source)) nest.problems.push(fillsInAgainProblem);
  nest.problems.push(...walked.problems);
  for (const part of walked.parts) {
    nest.parts.push(part);
    lookInside(part, nest, { depth: at.depth + 1, variables: walked.variables });
  }
}

function lookInside(part: ShellPart, nest: Nest, at: At): void {
  if (at.depth > maxNestingDepth || nest.count > maxNested) {
    nest.problems.push('it is nested too deeply to be read');
    return;
  }
  for (const script of [...evaluatedScripts(part), ...optionScripts(part)]) nestScript(script, part, nest, at);
  if (fillsInAgain.test(part.text))
    for (const values of at.variables.values())
      for (const value of values.filter(runsSomething)) nestScript(filledIn(value), part, nest, at);
  if (part.words.length === 0) return;
  for (const text of startedByCode(part.words)) nest.loose.push(...cut(text));
  const inner = unwrapForDeny(part.words);
  if (part.input !== null && readsScript(part.words)) nestScript(part.input, part, nest, at);
  const runs = inner.commands.flatMap((run) => fedBy(part).map((fed) => [...run, ...fed]));
  for (const words of runs) {
    if (words.length === 0) continue;
    nest.count++;
    const text = words.map((word) => word.text).join(' ');
    const found: ShellPart = { ...part, text, assignments: [], words, nested: true };
    nest.parts.push(found);
    lookInside(found, nest, { ...at, depth: at.depth + 1 });
  }
  for (const script of inner.scripts) nestScript(script, part, nest, at);
}

/**
 * Takes a command line apart as a shell started in `cwd` would. Pure apart from a cache of parses; never throws. Before
 * the second parser is loaded every line has a problem.
 */
export function analyseShell(options: ShellLine): ShellAnalysis {
  try {
    return analyse(options);
  } catch (error) {
    // Nested deeper than the stack holds, or a value longer than a text may be.
    if (!(error instanceof RangeError)) throw error;
    return { parts: [], redirects: [], problems: ['it is nested too deeply to be read'], loose: cut(options.command) };
  }
}

function analyse(options: ShellLine): ShellAnalysis {
  const { command, cwd, home } = options;
  const problems: string[] = [];
  if (command.length > maxCommandLength)
    problems.push(`it is longer than ${maxCommandLength.toLocaleString('en')} characters`);
  if (invisible.test(command)) problems.push('it holds invisible characters');
  if (command.length > maxParsedLength) return { parts: [], redirects: [], problems, loose: cut(command) };

  const parsed = parseBoth(command);
  const walked = walkScript({
    source: command,
    script: parsed.script,
    home,
    cwds: [cwd],
    afterCd: false,
    variables: new Map(),
    nested: false,
  });
  const broken = parsed.script.errors?.[0];
  if (broken !== undefined) problems.push(`it is not complete shell: ${broken.message}`);
  problems.push(...walked.problems);
  parsed.agreement ??= compare(walked, parsed.second);
  if (parsed.agreement !== null && broken === undefined) problems.push(parsed.agreement);
  const doubtful = broken !== undefined || parsed.agreement !== null || walked.problems.length > 0;
  const loose = doubtful
    ? [...parsed.second.commands.map((found) => plainly(found.words)), ...(broken === undefined ? [] : cut(command))]
    : [];
  // `<&-rm x` starts rm: bash ends the redirect at the dash.
  for (const found of command.matchAll(/[<>]&-(\S[^;&|\n]*)/g)) loose.push(plainly([found[1] ?? '']));

  const nest: Nest = { home, parts: [], redirects: [], problems: [], loose, count: 0 };
  if (fillsInAgain.test(command)) nest.problems.push(fillsInAgainProblem);
  const aliases = aliasesOf(walked.parts);
  for (const part of walked.parts) {
    const at: At = { depth: 0, variables: walked.variables };
    lookInside(part, nest, at);
    const alias = aliases.get(part.words[0]?.value ?? '');
    const rest = part.words.slice(1).map((word) => word.text);
    if (alias !== undefined) nestScript([alias, ...rest].join(' '), part, nest, at);
  }
  return {
    parts: [...walked.parts, ...nest.parts],
    redirects: [...walked.redirects, ...nest.redirects],
    problems: [...problems, ...nest.problems],
    loose,
  };
}

/** More texts than this are not tried for one command. */
const maxForms = 48;

function spell(words: readonly ShellWord[], values: (word: ShellWord) => readonly string[]): readonly string[] {
  let forms: readonly string[] = [''];
  for (const word of words) {
    const options = values(word);
    forms = forms.flatMap((head) => options.map((option) => (head === '' ? option : `${head} ${option}`))).slice(0, 16);
  }
  return forms.map((form) =>
    !/IFS|\t| {2}/.test(form)
      ? form.trim()
      : form
          .replace(/\$\{IFS\}|\$IFS\b/g, ' ')
          .replace(/[ \t]+/g, ' ')
          .trim(),
  );
}

/** All texts by which deny and ask rules may know a command. */
export function denyForms(part: ShellPart): readonly string[] {
  const { words } = part;
  if (words.length === 0) return [part.text];
  const asWritten = spell(words, (word) => [word.text]);
  const isPlain = words.every(
    ({ text, value, values }) => text === value && values.length === 1 && values[0] === value,
  );
  const forms = new Set<string>(
    isPlain
      ? [part.text, ...asWritten]
      : [
          part.text,
          ...asWritten,
          ...spell(words, (word) => [word.value]),
          ...spell(words, (word) => word.values),
          // Braces become words of their own.
          ...spell(words, (word) => [word.values.join(' ')]),
        ],
  );
  const name = words[0]?.values[0] ?? '';
  for (const form of [...forms]) {
    const first = form.split(' ', 1)[0] ?? '';
    const short = baseName(first);
    if (short !== first && short !== '') forms.add(short + form.slice(first.length));
  }
  // What is not set is filled in with nothing.
  if (words[0]?.known === false) forms.add(part.text.replace(/\$(?:\{\w+\}|\w+|[@*])/g, ''));
  if (name.startsWith('\\')) forms.add(part.text.replace(/^\\/, ''));
  return [...forms].slice(0, maxForms);
}
