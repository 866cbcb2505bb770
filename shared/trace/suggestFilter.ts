// What may stand at the caret of the filter field.
import { closedFields, filterNames } from './filter';

export interface FilterSuggestion {
  /** Replaces the characters from `from` to `to`. */
  readonly insert: string;
  readonly hint: string;
}

export interface FilterSuggestions {
  readonly from: number;
  readonly to: number;
  readonly options: readonly FilterSuggestion[];
}

const most = 12;

const hints: Readonly<Record<string, string>> = {
  'tool:': 'by tool, with * for several',
  'verdict:': 'what the permission step said first',
  'is:': 'sub-agents, asked, running, kept …',
  'hook:': 'hooks that failed or changed something',
  'status:': 'how it ended',
  'cause:': 'who or what decided',
  'agent:': 'by the name of a sub-agent',
  'ran:': "the call's own time, as ran:>2s",
  'waited:': 'time that waited for you, as waited:>10s',
  'is:subagent': 'made by a sub-agent',
  'is:asked': 'you were asked',
  'is:waiting': 'waits for you now',
  'is:running': 'has not ended',
  'is:denied': 'was not allowed to run',
  'is:failed': 'ran and failed',
  'is:interrupted': 'was stopped',
  'is:kept': 'result kept as a file',
  'hook:any': 'a hook ran',
  'hook:none': 'no hook ran',
  'hook:fail': 'a hook failed or took too long',
  'hook:changed': 'a hook blocked or changed something',
  'cause:person': 'you answered',
  'cause:rule': 'a rule of a settings file',
  'cause:mode': 'the permission mode',
  'cause:readOnly': 'harmless by itself',
  'cause:noRule': 'no rule spoke of it',
};

/** Suggestions for the word that the caret is in or behind; values of open fields come from the calls at hand. */
export function suggestFilter(
  text: string,
  caret: number,
  known: { readonly tools: readonly string[]; readonly agents: readonly string[] },
): FilterSuggestions {
  const from = caret - (/\S*$/.exec(text.slice(0, caret))?.[0].length ?? 0);
  const to = caret + (/^\S*/.exec(text.slice(caret))?.[0].length ?? 0);
  const typed = text.slice(from, caret);
  const not = typed.startsWith('-') ? '-' : '';
  const word = typed.slice(not.length);
  const options = optionsFor(word, known)
    .filter((option) => option.toLowerCase().startsWith(word.toLowerCase()) && option !== word)
    .slice(0, most)
    .map((option) => ({ insert: `${not}${option}`, hint: hints[option] ?? '' }));
  return { from, to, options };
}

function optionsFor(word: string, known: { tools: readonly string[]; agents: readonly string[] }): readonly string[] {
  if (/^[<>]/.test(word)) return [`${word[0]}100ms`, `${word[0]}1s`, `${word[0]}10s`, `${word[0]}1m`];
  const colon = word.indexOf(':');
  if (colon === -1) return [...filterNames.map((name) => `${name}:`), '>1s', '<100ms'];
  const name = word.slice(0, colon).toLowerCase();
  const behind = word.slice(colon + 1);
  const done = behind.slice(0, behind.lastIndexOf(',') + 1);
  return valuesOf(name, known).map((value) => `${word.slice(0, colon)}:${done}${value}`);
}

function valuesOf(name: string, known: { tools: readonly string[]; agents: readonly string[] }): readonly string[] {
  switch (name) {
    case 'tool':
      return known.tools.map(quotedIfNeeded);
    case 'agent':
      return known.agents.map(quotedIfNeeded);
    case 'ran':
    case 'waited':
      return ['>100ms', '>1s', '>10s', '>1m'];
    case 'verdict':
    case 'status':
    case 'cause':
    case 'hook':
    case 'is':
      return closedFields[name];
    default:
      return [];
  }
}

function quotedIfNeeded(value: string): string {
  return /[\s,"]/.test(value) ? `"${value.replace(/["\\]/g, '\\$&')}"` : value;
}
