// A program with its arguments as one typed line. No shell reads it: quotes only keep blanks together.

export interface CommandLine {
  readonly command: string;
  readonly args: readonly string[];
}

/** Null: nothing is typed, or a quote is open. */
export function readCommandLine(text: string): CommandLine | null {
  const words: string[] = [];
  let word: string | null = null;
  let quote = '';
  for (const char of text.trim()) {
    if (quote !== '') {
      if (char === quote) quote = '';
      else word = (word ?? '') + char;
    } else if (char === '"' || char === "'") {
      quote = char;
      word ??= '';
    } else if (/\s/.test(char)) {
      if (word !== null) words.push(word);
      word = null;
    } else word = (word ?? '') + char;
  }
  if (quote !== '') return null;
  if (word !== null) words.push(word);
  const [command, ...args] = words;
  return command === undefined || command === '' ? null : { command, args };
}

/** The line that reads as this. */
export function writeCommandLine({ command, args }: CommandLine): string {
  return [command, ...args].map(quoted).join(' ');
}

function quoted(word: string): string {
  if (word !== '' && !/[\s"']/.test(word)) return word;
  if (!word.includes("'")) return `'${word}'`;
  return word
    .split(/(')/)
    .filter((part) => part !== '')
    .map((part) => (part === "'" ? `"'"` : `'${part}'`))
    .join('');
}
