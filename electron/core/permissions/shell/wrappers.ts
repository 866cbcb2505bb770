// Programs that run another program, and how to find what they run. For allow little is looked through, for deny much.

import { gitCommand, type Unwrapped } from './gitRuns';
import type { ShellWord } from './words';
import { type Wrapper, wrappers } from './wrapperTable';

const shells: ReadonlySet<string> = new Set('sh bash rbash zsh dash ksh mksh ash yash csh tcsh fish nu'.split(' '));

const standardInput = /^(-|\/dev\/(stdin|fd\/0)|\/proc\/self\/fd\/0)$/;

/** Whether a shell reads its commands from its input. */
export function readsScript(words: readonly ShellWord[]): boolean {
  const name = baseName(words[0]?.values[0] ?? '');
  const rest = words.slice(1).map((word) => word.value);
  const operand = rest.find((word) => word === '-' || !/^[-+]/.test(word));
  if (name === '.' || name === 'source') return operand !== undefined && standardInput.test(operand);
  if (name === 'at' || name === 'batch') return true;
  if (!shells.has(name)) return false;
  return operand === undefined || standardInput.test(operand) || rest.some((word) => /^-[A-Za-z]*s/.test(word));
}

/** A shell that is given `<(…)` runs what that prints. */
function printedScripts(words: readonly ShellWord[]): readonly string[] {
  const name = baseName(words[0]?.values[0] ?? '');
  if (name !== '.' && name !== 'source' && !shells.has(name)) return [];
  return words
    .slice(1)
    .filter((word) => word.text.startsWith('<('))
    .map((word) => `eval "$(${word.text.slice(2, -1)})"`);
}

const nothing: Unwrapped = { commands: [], scripts: [] };

/** The program's name without its folder. */
export function baseName(name: string): string {
  return name.slice(name.lastIndexOf('/') + 1);
}

function isAssignment(word: ShellWord): boolean {
  return /^[A-Za-z_][A-Za-z0-9_]*\+?=/.test(word.value);
}

function split(list: string | undefined): readonly string[] {
  return list === undefined ? [] : list.split(' ');
}

/** `find … -exec cmd ;` and its relatives. */
function findCommands(words: readonly ShellWord[]): Unwrapped {
  const commands: (readonly ShellWord[])[] = [];
  for (const [at, word] of words.entries()) {
    if (!/^-(exec|execdir|ok|okdir)$/.test(word.value)) continue;
    const rest = words.slice(at + 1);
    const end = rest.findIndex((one) => one.value === ';' || one.value === '+');
    commands.push(end === -1 ? rest : rest.slice(0, end));
  }
  return { commands, scripts: [] };
}

/** The script that an option holds; `next` when it is the next word. */
function scriptOption(word: string, options: readonly string[]): 'next' | string | null {
  if (options.includes(word)) return 'next';
  for (const option of options) {
    if (option.startsWith('--') && word.startsWith(`${option}=`)) return word.slice(option.length + 1);
    if (!option.startsWith('--') && word.startsWith(option) && word.length > 2) return word.slice(2);
  }
  return null;
}

function quoted(text: string): string {
  return /^[\w./:=@%+-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

interface Found {
  readonly commands: (readonly ShellWord[])[];
  readonly scripts: string[];
}

/** A shell's options go on behind `-c`, also in a group of letters (`-lc`); its text is the first word that is none. */
function readShell(words: readonly ShellWord[], wrapper: Wrapper, found: Found): void {
  const valued = split(wrapper.valued);
  const scripts = split(wrapper.scripts);
  let given = false;
  let at = 1;
  for (; at < words.length; at++) {
    const word = words[at]?.value ?? '';
    if (word === '--' || word === '-') {
      at++;
      break;
    }
    if (!/^[-+]./.test(word)) break;
    const long = word.startsWith('--') || (word.length > 2 && scripts.includes(word));
    if (long) {
      const script = scriptOption(word, scripts);
      const text = script === 'next' ? words[++at]?.values[0] : script;
      if (typeof text === 'string') found.scripts.push(text);
      else if (valued.includes(word)) at++;
      continue;
    }
    if (/^[-+][A-Za-z]*c/.test(word)) given = true;
    // Each `o` or `O` of the group takes a word of its own.
    at += word.replace(/[^oO]/g, '').length;
  }
  if (at >= words.length) return;
  // Without -c a script's name is what the shell runs.
  if (given) found.scripts.push(...(words[at]?.values ?? []).slice(0, 8));
  else found.commands.push(words.slice(at));
}

/** Reads the options from `start`; what follows them is a command, and where an option is strange both readings are. */
function readOptions(words: readonly ShellWord[], start: number, wrapper: Wrapper, found: Found): void {
  const valued = split(wrapper.valued);
  const scripts = split(wrapper.scripts);
  const starts = new Set<number>();
  let at = start;
  let sawScript = false;
  for (; at < words.length; at++) {
    const word = words[at]?.value ?? '';
    if (word === '--') {
      at++;
      break;
    }
    const current = words[at];
    if (wrapper.assignments === true && (word === '-' || (current !== undefined && isAssignment(current)))) continue;
    if (!/^[-+]./.test(word)) break;
    const script = scriptOption(word, scripts);
    if (script !== null) {
      sawScript = true;
      const text = script === 'next' ? words[at + 1]?.values[0] : script;
      const rest = words.slice(at + (script === 'next' ? 2 : 1)).map((one) => one.value);
      // The words behind stay words of their own; some programs join them all the same.
      if (text !== undefined)
        found.scripts.push(...new Set([[text, ...rest].join(' '), [text, ...rest.map(quoted)].join(' ')]));
      if (script === 'next') at++;
      continue;
    }
    if (valued.includes(word)) at++;
    else if (!word.startsWith('--') || !word.includes('=')) starts.add(at + 2);
  }
  if (wrapper.everywhere === true) for (let one = at; one < words.length; one++) starts.add(one);
  if (wrapper.late === true)
    for (let one = at; one < words.length; one++) {
      const script = scriptOption(words[one]?.value ?? '', scripts);
      if (script !== null) found.scripts.push(script === 'next' ? (words[one + 1]?.values[0] ?? '') : script);
    }
  if (wrapper.each === true) for (const word of words.slice(at)) found.scripts.push(...word.values.slice(0, 1));
  if ((sawScript && wrapper.joined !== true) || wrapper.each === true) return;
  starts.add(at);
  for (const one of starts) {
    const from = one + (wrapper.positions ?? 0);
    if (from >= words.length) continue;
    const rest = words.slice(from);
    // A guess about an unknown option; a name that is not plain belongs to the option.
    if (one !== at && (rest[0]?.literal !== true || rest[0].value.includes('{}'))) continue;
    if (scripts.includes(rest[0]?.value ?? '')) {
      found.scripts.push(rest[1]?.values[0] ?? '');
      continue;
    }
    found.commands.push(rest);
    // Programs of this shape hand an assignment on; where they do not, nothing of this name exists.
    const behind = rest.findIndex((word) => !isAssignment(word));
    if (behind > 0) found.commands.push(rest.slice(behind));
    if (wrapper.joined === true)
      found.scripts.push(
        ...new Set([rest.map((word) => word.values[0] ?? word.value).join(' '), rest[0]?.value ?? '']),
      );
    if (rest.length === 1 && /\s/.test(rest[0]?.value ?? '')) found.scripts.push(rest[0]?.value ?? '');
  }
}

/** One step of looking through a command for deny and ask. */
export function unwrapForDeny(words: readonly ShellWord[]): Unwrapped {
  const written = baseName(words[0]?.values[0] ?? '');
  // GNU programs beside others of the same name carry a g.
  const name = /^g(timeout|nice|nohup|stdbuf|env|xargs|find|time|chroot|parallel)$/.test(written)
    ? written.slice(1)
    : written;
  if (name === 'find' || name === 'fd' || name === 'fdfind') {
    const inner = findCommands(words);
    const at = words.findIndex((word) => /^(-x|-X|--exec|--exec-batch)(=|$)/.test(word.value));
    const own = words[at];
    if (name === 'find' || own === undefined) return inner;
    const start = own.value.indexOf('=') + 1;
    const glued =
      start === 0
        ? []
        : [
            {
              ...own,
              text: own.value.slice(start),
              value: own.value.slice(start),
              values: own.values.map((value) => value.slice(start)),
            },
          ];
    return { commands: [...inner.commands, [...glued, ...words.slice(at + 1)]], scripts: [] };
  }
  if (name === 'git') return gitCommand(words);
  const printed = printedScripts(words);
  if (name === '.' || name === 'source')
    return { commands: words.length > 1 ? [words.slice(1)] : [], scripts: printed };
  const wrapper = wrappers.get(name);
  if (wrapper === undefined) return nothing;
  let start = 1;
  if (wrapper.verbs !== undefined) {
    const verb = words.findIndex((word, index) => index > 0 && split(wrapper.verbs).includes(word.value));
    if (verb === -1) return nothing;
    start = verb + 1;
  }
  const found: Found = { commands: [], scripts: [...printed] };
  if (shells.has(name)) readShell(words, wrapper, found);
  else readOptions(words, start, wrapper, found);
  const dashes = wrapper.dashed === true ? words.findIndex((word) => word.value === '--') : -1;
  if (dashes !== -1 && dashes + 1 < words.length) found.commands.push(words.slice(dashes + 1));
  return found;
}

/** Wrappers that a rule's star must not reach through: only the exact rule of the whole command covers them. */
const exactOnly: ReadonlySet<string> = new Set(['watch', 'setsid', 'ionice', 'flock', 'env', 'exec']);

const setting: ReadonlySet<string> = new Set(['export', 'declare', 'typeset', 'readonly', 'local']);

/** Variables that decide which code runs. */
const steering =
  /^(PATH|CDPATH|IFS|ENV|BASH_ENV|BASH_FUNC.*|SHELLOPTS|BASHOPTS|PROMPT_COMMAND|PS[0-4]|LD_.*|DYLD_.*|GIT_.*|.*PAGER|.*EDITOR|VISUAL|BROWSER|SHELL|LESSOPEN|LESSCLOSE|NODE_OPTIONS|NODE_PATH|PYTHON(PATH|STARTUP|HOME)|PERL5(LIB|OPT|DB)|RUBY(LIB|OPT)|JAVA_TOOL_OPTIONS|CLASSPATH|npm_config_.*)\+?$/;

/** Why no rule with a star may cover this command, or null. */
export function exactOnlyReason(words: readonly ShellWord[]): string | null {
  const name = words[0]?.value ?? '';
  if (words.length > 1 && exactOnly.has(baseName(name))) return `${name} runs another program`;
  const set =
    words
      .slice(1)
      .find((word) => word.value.includes('='))
      ?.value.split('=', 1)[0] ?? '';
  if (name === 'alias' && set !== '') return 'an alias changes what later names run';
  if (setting.has(name) && steering.test(set)) return `the variable ${set} changes what later commands run`;
  if (
    name === 'find' &&
    words.some((word) => /^-(exec|execdir|ok|okdir|delete|fprint|fprint0|fprintf|fls)$/.test(word.value))
  )
    return 'find runs programs or deletes with these options';
  if (
    (name === 'fd' || name === 'fdfind') &&
    words.some((word) => /^(-x|-X|--exec|--exec-batch)(=|$)/.test(word.value))
  )
    return `${name} runs programs with these options`;
  return null;
}

/**
 * What is left of a command for allow rules once a harmless wrapper is taken off, or null when there is none. Strict:
 * only the documented wrappers with options that cannot run anything.
 */
export function unwrapForAllow(words: readonly ShellWord[]): readonly ShellWord[] | null {
  const name = words[0]?.text;
  const rest = words.slice(1);
  const first = rest[0];
  if (first === undefined) return null;
  switch (name) {
    case 'nohup':
    case 'noglob':
    case 'builtin':
    case 'xargs':
    case 'time':
      return first.text.startsWith('-') ? null : rest;
    case 'command':
      if (first.text === '-p') return rest.length > 1 ? rest.slice(1) : null;
      return first.text.startsWith('-') ? null : rest;
    case 'nice': {
      if (!first.text.startsWith('-')) return rest;
      if (first.text === '-n' && /^-?\d+$/.test(rest[1]?.text ?? '')) return rest.length > 2 ? rest.slice(2) : null;
      return /^-(n)?-?\d+$/.test(first.text) && rest.length > 1 ? rest.slice(1) : null;
    }
    case 'stdbuf': {
      let at = 0;
      while (/^-[ioe](L|\d+[KMG]?)$/.test(rest[at]?.text ?? '')) at++;
      return at > 0 && at < rest.length ? rest.slice(at) : null;
    }
    case 'timeout': {
      let at = 0;
      while (rest[at]?.text.startsWith('-') === true) {
        const option = rest[at]?.text ?? '';
        if (/^(-k|-s|--kill-after|--signal)$/.test(option)) at += 2;
        else if (/^(--(preserve-status|foreground|verbose)|-v|-f|-p|--(kill-after|signal)=\w+|-[ks]\w+)$/.test(option))
          at += 1;
        else return null;
      }
      return /^\d+(\.\d+)?[smhd]?$/.test(rest[at]?.text ?? '') && at + 1 < rest.length ? rest.slice(at + 1) : null;
    }
    default:
      return null;
  }
}
