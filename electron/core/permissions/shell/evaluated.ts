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
const prompts = /^(PS[0-4]|PROMPT_COMMAND|BASH_ENV|ENV)$/;

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
    if (prompts.test(name)) scripts.push(...(word?.values ?? []).filter(runsSomething).map(filledIn));
  const name = first?.value ?? '';
  if (name === 'alias') {
    for (const value of valuesOf(rest)) {
      const at = value.indexOf('=');
      if (at !== -1) scripts.push(value.slice(at + 1));
    }
  }
  if (namesVariables.has(name)) scripts.push(...valuesOf(rest).filter(runsSomething).map(filledIn));
  if (name === 'export' || name === 'declare')
    for (const value of valuesOf(rest)) if (prompts.test(value.split('=', 1)[0] ?? '')) scripts.push(filledIn(value));
  const callback = callbackOptions.get(name);
  if (callback !== undefined)
    for (const [at, word] of rest.entries())
      if (callback.test(word.value)) scripts.push(...(rest[at + 1]?.values ?? []));
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
