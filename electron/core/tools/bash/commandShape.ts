// A rough look at a command for how its result is shown. It decides nothing about permission: what it does not
// understand it leaves alone.

/** One simple command; `joint` is the operator before it, empty for the first. */
interface CommandPart {
  readonly joint: '' | '&&' | '||' | ';' | '|';
  readonly words: readonly string[];
}

/** Commands whose exit code 1 says "nothing found" or "they differ", not "it went wrong". */
const benignOne = new Set(['grep', 'rg', 'egrep', 'fgrep', 'find', 'diff', 'test', '[', 'git diff', 'git grep']);

/** Searching, reading and listing, shown folded (spec 3.6). */
const quiet = new Set(
  'find grep egrep fgrep rg ag ack locate which whereis cat head tail wc jq awk sort uniq ls tree du'.split(' '),
);

/** Longer ones are programs, not commands to look at. */
const maxChars = 10_000;

/** Words that begin shell structure. */
const keywords = new Set(
  'if then else elif fi for while until do done case esac function select time coproc {'.split(' '),
);

/**
 * Whether exit code 1 of this command is an answer, not a failure: the command that gave it, and whatever stands before
 * it in the same `&&` or `||` chain, are of the grep and diff kind. A `cd` before it is fine unless `output` shows that
 * it was the `cd` that failed.
 */
export function exitOneIsAnswer(command: string, output: string): boolean {
  const parts = partsOf(command);
  if (parts === null) return false;
  const start = parts.findLastIndex((part) => part.joint === ';' || part.joint === '');
  const chain = parts.slice(start);
  // Of a pipeline the last command gives the exit code.
  const deciding = chain.filter((_, index) => chain[index + 1]?.joint !== '|').map(nameOf);
  const last = deciding.at(-1);
  if (last === undefined || !benignOne.has(last)) return false;
  const changedFolder = !/\bcd: /.test(output);
  return deciding.every((name) => benignOne.has(name) || (name === 'cd' && changedFolder));
}

/** Whether every part only searches, reads or lists. */
export function isSearchOrRead(command: string): boolean {
  const parts = partsOf(command);
  return parts !== null && parts.length > 0 && parts.every((part) => quiet.has(nameOf(part)));
}

/** Whether the command is nothing but simple commands one after the other: no loops, groups, substitutions, jobs. */
export function isPlainSequence(command: string): boolean {
  return (partsOf(command) ?? []).length > 0;
}

function nameOf(part: CommandPart): string {
  const words = part.words.filter(
    (word, index, all) => !(isAssignment(word) && all.slice(0, index).every(isAssignment)),
  );
  const name = words[0]?.replace(/^.*\//, '') ?? '';
  return name === 'git' ? `git ${words[1] ?? ''}` : name;
}

const isAssignment = (word: string) => /^[A-Za-z_]\w*=/.test(word);

/** Simple commands of a command line, or null where it holds more than these: substitutions, groups, here-documents, loops. */
function partsOf(command: string): CommandPart[] | null {
  if (command.length > maxChars) return null;
  const tokens = tokensOf(command);
  if (tokens === null) return null;
  const parts: CommandPart[] = [];
  let joint: CommandPart['joint'] = '';
  let words: string[] = [];
  let skipWord = false;
  for (const token of [...tokens, { kind: 'operator', text: ';' } as const]) {
    if (token.kind === 'word') {
      if (!skipWord) words.push(token.text);
      skipWord = false;
    } else if (token.kind === 'redirect') {
      skipWord = true;
    } else {
      const first = words[0];
      if (first !== undefined) {
        if (keywords.has(first) || first === '!') return null;
        parts.push({ joint: parts.length === 0 ? '' : joint, words });
      }
      joint = token.text;
      words = [];
    }
  }
  return parts;
}

type Token =
  | { readonly kind: 'word'; readonly text: string }
  | { readonly kind: 'redirect' }
  | { readonly kind: 'operator'; readonly text: Exclude<CommandPart['joint'], ''> };

/** In the order in which they are tried. */
const patterns: readonly { readonly shape: RegExp; readonly token: (text: string) => Token | null }[] = [
  { shape: /(?:[ \t]|\\\n)+/y, token: () => null },
  { shape: /(?:\n|;)+/y, token: () => ({ kind: 'operator', text: ';' }) },
  { shape: /&&/y, token: () => ({ kind: 'operator', text: '&&' }) },
  { shape: /\|\|/y, token: () => ({ kind: 'operator', text: '||' }) },
  { shape: /(?:\d*(?:>>|>\||>&|>|<<<|<(?![<(]))|&>>?)(?!\()/y, token: () => ({ kind: 'redirect' }) },
  { shape: /\|&?/y, token: () => ({ kind: 'operator', text: '|' }) },
  { shape: /#[^\n]*/y, token: () => null },
  {
    shape: /(?:'[^']*'|"(?:[^"\\`$]|\\[\s\S]|\$(?!\())*"|\\[\s\S]|\$(?![('"])|[^\s'"\\`$;&|<>()#]|(?<=\S)#)+/y,
    token: (text) => ({ kind: 'word', text: text.replaceAll(/['"]/g, '') }),
  },
];

function tokensOf(command: string): Token[] | null {
  const tokens: Token[] = [];
  let at = 0;
  while (at < command.length) {
    const next = patterns.find(({ shape }) => {
      shape.lastIndex = at;
      return shape.test(command) && shape.lastIndex > at;
    });
    if (next === undefined) return null;
    const token = next.token(command.slice(at, next.shape.lastIndex));
    if (token !== null) tokens.push(token);
    at = next.shape.lastIndex;
  }
  return tokens;
}
