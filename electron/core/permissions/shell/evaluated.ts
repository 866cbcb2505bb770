// Texts that the shell's own commands read as shell once more: subscripts of arrays, prompts, callbacks, aliases.
import type { ShellPart } from './walk';
import type { ShellWord } from './words';

/** These take names of variables, and a name may hold a subscript that runs something. */
const namesVariables: ReadonlySet<string> = new Set(
  'printf test [ [[ (( unset let declare typeset local export readonly read mapfile readarray getopts wait compgen'.split(
    ' ',
  ),
);

/** `${name@P}` fills the value in once more. */
export const fillsInAgain = /\$\{[^}]*@P\}/;

/** Filled in like double-quoted text whenever the shell shows them. */
const prompts = /^(PS[0-4]|BASH_ENV|ENV)$/;

/** Run as it stands before each prompt. */
const runBefore = 'PROMPT_COMMAND';

const callbackOptions: ReadonlyMap<string, RegExp> = new Map([
  ['mapfile', /^-\w*C$/],
  ['readarray', /^-\w*C$/],
  ['compgen', /^-\w*[CF]$/],
  ['complete', /^-\w*[CF]$/],
  ['bind', /^-\w*x$/],
]);

/** Whether filling the text in would run something. */
export function runsSomething(text: string): boolean {
  return /\$\(|`|[<>]\(/.test(text);
}

/** A script that fills the text in. */
export function filledIn(text: string): string {
  return `: <<GATEHOUSE_TEXT\n${text}\nGATEHOUSE_TEXT`;
}

function valuesOf(words: readonly ShellWord[]): readonly string[] {
  return words.flatMap((word) => word.values);
}

/** Scripts that the command makes the shell run, now or later, though they stand in its arguments as plain text. */
export function evaluatedScripts(part: ShellPart): readonly string[] {
  const [first, ...rest] = part.words;
  const scripts: string[] = [];
  for (const { name, word } of part.assignments)
    if (name === runBefore) scripts.push(...(word?.values ?? []));
    else if (prompts.test(name)) scripts.push(...(word?.values ?? []).filter(runsSomething).map(filledIn));
  const name = first?.value ?? '';
  if (name === 'alias') {
    for (const value of valuesOf(rest)) {
      const at = value.indexOf('=');
      if (at !== -1) scripts.push(value.slice(at + 1));
    }
  }
  if (namesVariables.has(name)) scripts.push(...valuesOf(rest).filter(runsSomething).map(filledIn));
  if (name === 'export' || name === 'declare')
    for (const value of valuesOf(rest)) {
      const [variable = ''] = value.split('=', 1);
      if (variable === runBefore) scripts.push(value.slice(variable.length + 1));
      else if (prompts.test(variable)) scripts.push(filledIn(value));
    }
  const callback = callbackOptions.get(name);
  if (callback !== undefined)
    for (const [at, word] of rest.entries())
      if (callback.test(word.value))
        scripts.push(...(rest[at + 1]?.values ?? []).map((text) => text.replace(/^\s*"[^"]*"\s*:/, '')));
  // `hash -p /bin/x y` makes y another name of x.
  const named = name === 'hash' ? rest.findIndex((word) => word.value === '-p') : -1;
  if (named !== -1) scripts.push(...(rest[named + 1]?.values ?? []));
  return scripts;
}

/** Aliases that a line defines: name → text. Whether they are in force is not asked. */
export function aliasesOf(parts: readonly ShellPart[]): ReadonlyMap<string, string> {
  const aliases = new Map<string, string>();
  for (const { words } of parts) {
    if (words[0]?.value !== 'alias') continue;
    for (const value of valuesOf(words.slice(1))) {
      const at = value.indexOf('=');
      if (at > 0) aliases.set(value.slice(0, at), value.slice(at + 1));
    }
  }
  return aliases;
}

const interpreters =
  /^(python[\d.]*|pypy\d?|perl|ruby|node|nodejs|deno|bun|tsx|ts-node|php|lua|[gmn]?awk|osascript|tclsh|expect|n?vim?|ex|emacs)$/;

const startingCalls = [
  /\b(?:system|popen\w*|exec\w*|spawn\w*|run|call|check_\w+|getoutput|shell_exec|passthru|shell)\b[\s([]*(["'`])((?:(?!\1).)+)\1/gis,
  /(`)([^`]+)`/gs,
  /(\|&?)\s*"([^"]+)"/g,
  /(")([^"]+)"\s*\|&?\s*getline/g,
  /^(:?!)\s*(.+)$/gms,
  /\b(spawn)\s+(.+)/g,
];

/** Texts that code on the line hands to a shell, where that is plain to see: `awk 'BEGIN{system("x")}'`. */
export function startedByCode(words: readonly ShellWord[]): readonly string[] {
  const name = words[0]?.values[0] ?? '';
  if (!interpreters.test(name.slice(name.lastIndexOf('/') + 1))) return [];
  return words
    .slice(1)
    .flatMap(({ value }) => startingCalls.flatMap((call) => [...value.matchAll(call)].map((found) => found[2] ?? '')))
    .slice(0, 50);
}
