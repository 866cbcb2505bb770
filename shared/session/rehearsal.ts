// What the rehearsal model understands: one list for the model, the page and the documents.

export interface RehearsalPhrase {
  readonly verb: RehearsalVerb;
  /** The form, with placeholders. */
  readonly phrase: string;
  /** What happens, in a few words. */
  readonly does: string;
  readonly example: string;
  /** Tools that it calls, in order. */
  readonly tools: readonly string[];
}

export type RehearsalVerb = 'read' | 'run' | 'find' | 'list' | 'replace' | 'write' | 'ask' | 'plan' | 'use' | 'count';

/** Several in one message are joined by "then", or stand on lines of their own. */
export const rehearsalPhrases: readonly RehearsalPhrase[] = [
  {
    verb: 'read',
    phrase: 'read <file>',
    does: 'Reads a file; several files, joined by commas or "and", are read at the same time.',
    example: 'read package.json',
    tools: ['Read'],
  },
  {
    verb: 'run',
    phrase: 'run `<command>`',
    does: 'Runs a shell command.',
    example: 'run `npm test`',
    tools: ['Bash'],
  },
  {
    verb: 'find',
    phrase: 'find <text> in <path>',
    does: 'Searches files for a text.',
    example: 'find TODO in src',
    tools: ['Grep'],
  },
  {
    verb: 'list',
    phrase: 'list <pattern>',
    does: 'Lists files whose names fit a pattern.',
    example: 'list src/**/*.js',
    tools: ['Glob'],
  },
  {
    verb: 'replace',
    phrase: 'replace [all|one] <text> with <text> in <file>',
    does: 'Reads the file, then edits it. "one" insists on a single place, "all" takes every place.',
    example: 'replace foo with bar in src/x.js',
    tools: ['Read', 'Edit'],
  },
  {
    verb: 'write',
    phrase: 'write <file>: <text>',
    does: 'Writes a file, of one or several lines.',
    example: 'write notes.md: Remember the milk.',
    tools: ['Write'],
  },
  {
    verb: 'ask',
    phrase: 'ask me <question>: <option> or <option>',
    does: 'Asks you a question with two to four options.',
    example: 'ask me which colour: blue, green or red',
    tools: ['AskUserQuestion'],
  },
  {
    verb: 'plan',
    phrase: 'plan <task>; <task>; <task>',
    does: 'Puts up a list of tasks.',
    example: 'plan look around; make the change; run the tests',
    tools: ['TodoWrite'],
  },
  {
    verb: 'use',
    phrase: 'use <tool> with <JSON>',
    does: 'Calls any tool by its name, also one of an MCP server. One that is not loaded is searched for first.',
    example: 'use ListDirectory with {"path": "."}',
    tools: [],
  },
  {
    verb: 'count',
    phrase: 'count to <number>',
    does: 'Streams that many words, to watch a long answer or to stop it.',
    example: 'count to 50',
    tools: [],
  },
];
